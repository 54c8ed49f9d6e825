import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { counting, type Scripted, terminal } from "./product.ts";
import { ShellPlace, type ShellWindow } from "./shell-window.ts";

const done: Scripted = { text: "Done." };

/** A shell in which the model has asked for leave to run a command, and which listens for the answer. */
async function asked(replies: readonly Scripted[] = [done]): Promise<{ place: ShellPlace; window: ShellWindow }> {
  const place = new ShellPlace([terminal(counting), ...replies]);
  const window = place.window();
  await window.idle();
  window.enter("clean");
  await window.armed();
  expect(window.count("Approve command: ")).toBe(1);
  return { place, window };
}

for (const reply of ["1", "yes", "Y"]) {
  verifies(["APPR-5a", "ANS-0c"], `an approval is given by typing ${reply}, and the command runs once`, async () => {
    const { place, window } = await asked();
    window.enter(reply);
    await window.until("● Done.");
    expect(place.read("count")).toBe("x\n");
    const [resolved, ...more] = place.eventsOf("interaction.resolved");
    expect(more).toEqual([]);
    expect(resolved).toMatchObject({ state: "answered", response: { confirmed: true, selected_option_id: "yes" } });
    // What was typed stands where it was typed.
    expect(window.lines()).toContain(`❯ ${reply}`);
  });
}

verifies(
  "APPR-5a",
  "four wrong replies are told one by one, and the fourth ends in the bare code on a line",
  async () => {
    const { place, window } = await asked();
    for (const [index, wrong] of ["option 2", "", "1, 3"].entries()) {
      window.enter(wrong);
      await window.until("Approve command: ", index + 2);
      await window.armed();
    }
    const blocks = window.text().split("Approve command: ").slice(1, 4);
    expect(blocks.map((block) => block.split("\n").slice(0, 7).join("\n"))).toEqual(
      Array.from(blocks, () => blocks[0]?.split("\n").slice(0, 7).join("\n")),
    );
    window.enter("7");
    await window.until(/^STEP_ABORT$/m);
    await window.idle();
    expect(window.lines().filter((line) => line.includes("STEP_ABORT"))).toEqual(["STEP_ABORT"]);
    expect(window.bytes.toString()).toMatch(/\nSTEP_ABORT\r/);
    expect(place.eventsOf("interaction.rejected").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(place.read("count")).toBe("");
  },
);

verifies("APPR-5a", "free text at an approval is no, and reaches the model as the reason", async () => {
  const { place, window } = await asked();
  window.enter("move it to the trash instead");
  await window.until("● Done.");
  expect(place.read("count")).toBe("");
  expect(place.requests()).toHaveLength(2);
  expect(place.lastTold()).toContain("move it to the trash instead");
  expect(place.eventsOf("call.refused")).toHaveLength(1);
});

verifies(["APPR-5a", "STOP-2a"], "a reply with stop in it refuses the command and ends the exchange", async () => {
  const { place, window } = await asked();
  window.enter("please STOP now");
  await window.until(/· .*stopped/);
  await window.idle();
  expect(place.read("count")).toBe("");
  expect(place.requests()).toHaveLength(1);
  expect(place.eventsOf("exchange.ended").map(({ outcome }) => outcome)).toEqual(["stopped"]);
});

verifies("ANS-0b", "a command typed at an approval answers nothing and costs no attempt", async () => {
  const { place, window } = await asked();
  let times = 1;
  for (const [line, told] of [
    ["/help", /^· .*\/turn-limit/m],
    ["/text", /^· .*usage: \/text/m],
    ["/status", /^· .*Approve command/m],
  ] as const) {
    window.enter(line);
    await window.until(told);
    // What it told may have moved what is decided on out of sight.
    await window.until(/^│ command: rm -rf none/m, ++times);
    await window.armed();
  }
  expect(place.eventsOf("interaction.rejected")).toEqual([]);
  expect(place.eventsOf("interaction.resolved")).toEqual([]);
  window.enter("yes");
  await window.until("● Done.");
  expect(place.read("count")).toBe("x\n");
});

verifies(["ANS-0b", "STOP-2c"], "/text gives a question an answer that would be none by itself", async () => {
  const question = { question: "Which one is wrong?", options: ["The first", "The second"], allow_free_text: true };
  const place = new ShellPlace([{ calls: [{ tool: "ask", arguments: question }] }, done]);
  const window = place.window();
  await window.idle();
  window.enter("compare");
  await window.armed();
  window.enter("/text 1 is wrong");
  await window.until("● Done.");
  expect(place.eventsOf("interaction.rejected")).toEqual([]);
  const [resolved] = place.eventsOf("interaction.resolved");
  expect(resolved).toMatchObject({ state: "answered", response: { free_text: "1 is wrong" } });
});

verifies(
  "ANS-0a",
  "a sensitive question takes what is typed as it is; it is not seen, and only the secrets keep it",
  async () => {
    const place = new ShellPlace([]);
    const window = place.window([], { env: { ASSENT_MODEL: "" } });
    await window.until("❯ /demo");
    window.type("\x03");
    await window.idle();
    window.enter("/model setup");
    await window.until(/^Which provider should it be\?$/m);
    await window.armed();
    window.enter("1");
    await window.until(/^What is its API key/m);
    await window.armed();
    // At any other question each of these would be something else.
    window.enter("/help sk-not-seen stop 1");
    await window.until(/^Which of its models should be used\?$/m);
    expect(place.eventsOf("interaction.rejected")).toEqual([]);
    const keeping = place.filesWith("sk-not-seen");
    expect(keeping.map((file) => dirname(file))).toEqual([join(place.home, "secrets")]);
    expect(keeping.map((file) => readFileSync(file, "utf8").trimEnd())).toEqual(["/help sk-not-seen stop 1"]);
    expect(window.bytes.includes("sk-not-seen")).toBe(false);
    expect(window.text()).not.toContain("sk-not-seen");
  },
);

verifies("PROG-1", "a question that another terminal answers is closed here, and who did it is told", async () => {
  const { place, window } = await asked();
  window.type("half an ans");
  await window.untilRow("? half an ans");
  const answered = place.assent(["answer", place.open() ?? "", "yes"]);
  expect(answered.status, answered.stderr).toBe(0);
  await window.until(/^· answered by .+ in .+: yes$/m);
  await window.until(/^· you had begun to write: half an ans$/m);
  await window.until("● Done.");
  await window.idle();
  expect(place.read("count")).toBe("x\n");
  // What was to be an answer is no prompt.
  window.enter("/status");
  await window.until(/^❯ \/status$/m);
});
