import { describe, expect, test } from "vitest";
import { entries, type ModelResult, type ReceivedCall, renderBlock, type SoftOffers } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, ask, complete, running, type Story, story, terminal, usage } from "./story.ts";

const offer = "The tests pass. Let me know if you want me to push.";
const block = "Push it now?\n\n1) Yes\n2) No";

function replied(
  told: Story,
  text: string,
  more: { softOffers?: SoftOffers; refusal?: true; timeout_ms?: number } = {},
) {
  const { softOffers, refusal, timeout_ms } = more;
  const result: ModelResult = {
    type: "replied",
    text,
    calls: [],
    usage,
    ...(refusal === undefined ? {} : { refusal }),
  };
  return told.give({
    type: "model-result",
    request: told.request,
    result,
    ...(softOffers === undefined ? {} : { soft_offers: softOffers }),
    ...(timeout_ms === undefined ? {} : { timeout_ms }),
  });
}

function messages({ session }: Story) {
  return entries(session.history);
}

describe("a final text that asks or offers in prose", () => {
  verifies("TXT-4b", "is discarded and asked for again three times, then shown with the rule that it breaks", () => {
    const told = story().prompt("test it");
    for (const _ of [1, 2, 3]) {
      replied(told, offer);
      expect(told.last.events).toMatchObject([
        {
          type: "reply.discarded",
          violations: ["soft-offer"],
          offer: { part: expect.stringContaining("Let me know") },
        },
      ]);
    }
    replied(told, offer);
    expect(told.lastTypes).toEqual(["model.replied", "turn.closed", "exchange.ended"]);
    expect(told.find("model.replied").offer?.part).toContain("Let me know");
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "answered", text: offer });
  });

  verifies("TXT-4c", "leaves no trace in what the model is asked next", () => {
    const told = story().prompt("test it");
    replied(told, offer);
    const { work } = told;
    if (work.type !== "call-model") throw new Error(work.type);
    const said = JSON.stringify(work.request);
    expect(said).not.toContain("Let me know");
    expect(said).not.toMatch(/discard|again|soft/i);
    expect(replied(told, "The tests pass.").find("exchange.ended").text).toBe("The tests pass.");
    expect(messages(told)).toEqual([
      { role: "user", text: "test it" },
      { role: "assistant", text: "The tests pass.", calls: [] },
    ]);
  });

  verifies("TXT-5b", "passes with off, and is shown with its rule with warn", () => {
    const off = replied(story().prompt(), offer, { softOffers: "off" });
    expect(off.find("model.replied").offer).toBeUndefined();
    expect(off.find("exchange.ended")).toMatchObject({ outcome: "answered", text: offer });
    const warn = replied(story().prompt(), offer, { softOffers: "warn" });
    expect(warn.find("model.replied").offer?.rule).toMatch(/./);
    expect(warn.find("exchange.ended").text).toBe(offer);
  });

  verifies("PRI-1b", "is shown unchecked when the provider says that it is a refusal", () => {
    const told = replied(story().prompt(), "I can't help with that. Would you like something else?", { refusal: true });
    expect(told.lastTypes).toEqual(["model.replied", "turn.closed", "exchange.ended"]);
    expect(told.find("model.replied")).not.toHaveProperty("offer");
  });

  verifies("TXT-10b", "is looked for in the result of a run, and before any call of that reply is judged", () => {
    const told = running().model("", terminal("rm -rf build"), complete("success", offer));
    expect(told.lastTypes).toEqual(["reply.discarded"]);
    expect(told.work.type).toBe("call-model");
    expect(running().model("", complete("success", block)).find("reply.discarded").offer).toEqual({
      part: "Push it now?",
      rule: "block-in-result",
    });
  });

  verifies("TXT-10b", "is not looked for in what is said beside calls, or on the way in a run", () => {
    expect(running().model(offer).find("model.replied").offer).toBeUndefined();
    expect(story().prompt().model(offer, terminal()).find("model.replied").offer).toBeUndefined();
    expect(story().prompt().model(offer, agentic()).find("model.replied").offer).toBeUndefined();
  });

  test("that has a question with its options in the middle is one, too", () => {
    const told = replied(story().prompt(), `I looked at both.\n\n${block}`);
    expect(told.find("reply.discarded").offer).toEqual({ part: "Push it now?", rule: "text-around-block" });
  });

  test("and an invalid question count together: the fourth in a row ends it, by what the fourth is", () => {
    const told = story().prompt();
    replied(told, offer).model("", ask({ question: "" }));
    replied(told, offer).model("", ask({ question: "" }));
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "contract-violation" });
  });
});

describe("a final text that is exactly a block", () => {
  verifies("TXT-10a", "is a question: the exchange stays open and the answer is the next message", () => {
    const told = replied(story().prompt("finish"), block, { timeout_ms: 5_000 });
    expect(told.lastTypes).toEqual(["model.replied", "turn.closed", "interaction.requested"]);
    const { request } = told.find("interaction.requested");
    expect(renderBlock(request)).toBe(block);
    expect(request).toMatchObject({ options: [{ id: "1" }, { id: "2" }], allow_free_text: true, timeout_ms: 5_000 });
    expect(told.work.type).toBe("ask-person");
    told.reply("1");
    expect(messages(told).slice(-2)).toEqual([
      { role: "assistant", text: block, calls: [] },
      { role: "user", text: "Yes" },
    ]);
    expect(told.work.type).toBe("call-model");
    expect(replied(told, "Pushed.").find("exchange.ended")).toMatchObject({ outcome: "answered", text: "Pushed." });
  });

  test("takes a text as its answer", () => {
    const told = replied(story().prompt(), block).reply("only to staging");
    expect(messages(told).at(-1)).toEqual({ role: "user", text: "only to staging" });
  });

  verifies("TXT-4a", "but breaks the contract is discarded, and after the third the exchange has failed", () => {
    const told = story().prompt();
    const wrong = "Push it now?\n\n1) Yes\n2) Other";
    for (const _ of [1, 2, 3]) expect(replied(told, wrong).lastTypes).toEqual(["reply.discarded"]);
    expect(replied(told, wrong).find("exchange.ended")).toMatchObject({
      outcome: "contract-violation",
      violations: ["option-other"],
    });
  });

  test.each([
    ["cancel", (told: Story) => told.reply("cancel"), { outcome: "cancelled" }],
    ["a stop", (told: Story) => told.stop(), { outcome: "stopped" }],
    ["nobody there, and abort", (told: Story) => told.nobody("abort"), { outcome: "failed", reason: "nobody" }],
  ])("ends the exchange at %s, and the model is not asked", (_, end, ending) => {
    const told = end(replied(story().prompt(), block));
    expect(told.find("exchange.ended")).toMatchObject(ending);
    expect(told.work.type).toBe("rest");
  });

  test.each([
    ["four invalid replies", (told: Story) => told.reply("").reply("").reply("").reply(""), "STEP_ABORT"],
    ["its expiry", (told: Story) => told.wait(5_000), "expired"],
    ["nobody there", (told: Story) => told.nobody("deny"), "nobody-to-answer"],
  ])("is told to the model as unanswered at %s", (_, end, code) => {
    const told = end(replied(story().prompt(), block, { timeout_ms: 5_000 }));
    expect(messages(told).at(-1)).toEqual({ role: "user", text: `[assent: ${code}]` });
    expect(told.work.type).toBe("call-model");
    expect(replied(told, "Then not.").find("exchange.ended")).toMatchObject({ outcome: "answered", refused: true });
  });

  test("counts its turn, and the turn limit is asked about after it", () => {
    const told = replied(story({ turns: 1 }).prompt(), block).reply("1");
    expect(told.find("interaction.requested").purpose).toEqual({ type: "turn-limit" });
  });

  test("is a text like any other while the exchange is ending", () => {
    const told = replied(story().prompt().stop(), block);
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "stopped", text: block });
  });
});

describe("a list in a final text", () => {
  test.each([
    [
      "whose items are too long for options",
      "I changed two things:\n\n1) The parser now accepts empty lines.\n2) The tests cover it.",
    ],
    [
      "of more items than a question has options",
      `The steps are\n\n${[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${n}) Step ${n}`).join("\n")}`,
    ],
    ["inside other text", "It is done.\n\nThese are new:\n\n1) a.ts\n2) b.ts\n\nNothing else changed."],
  ])("%s is an answer like any other", (_, text) => {
    expect(replied(story().prompt(), text).find("exchange.ended")).toMatchObject({ outcome: "answered", text });
  });

  test.each([
    ["line ends of another system", "Push it now?\r\n\r\n1) Yes\r\n2) No"],
    ["white space at its end", `${block} \n\n`],
  ])("that asks is a question, also with %s", (_, text) => {
    expect(renderBlock(replied(story().prompt(), text).find("interaction.requested").request)).toBe(block);
  });
});

test("the answer to a question that was a text is not lost when the history is compacted, or left out", () => {
  const told = replied(story().prompt("paint it"), "Which colour?\n\n1) Red\n2) Blue")
    .reply("2")
    .overflow()
    .summarise("s");
  expect(messages(told).slice(-2)).toEqual([
    { role: "user", text: "paint it" },
    { role: "user", text: "Blue" },
  ]);
  const { work } = told.overflow();
  expect(work).toMatchObject({
    type: "call-model",
    request: { tools: "none", closing: expect.stringContaining("Blue") },
  });
});

test("the reply without tools that an overflow leads to is noted when it offers, and not asked for again", () => {
  const told = replied(story().prompt().overflow().summarise().overflow(), offer);
  expect(told.find("model.replied").offer?.part).toContain("Let me know");
  expect(told.find("exchange.ended")).toMatchObject({ outcome: "answered", fallback: "overflow", text: offer });
});

describe("a refusal", () => {
  const refused = (told: Story, text: string, ...calls: readonly ReceivedCall[]) =>
    told.give({
      type: "model-result",
      request: told.request,
      result: { type: "replied", text, calls, usage, refusal: true },
    });

  test("is shown, also in a run and right after an answer", () => {
    const told = refused(running().model("", ask()).reply("1"), "I will not do that.");
    expect(told.find("model.replied")).not.toHaveProperty("hidden");
  });

  test("frees its text, not the questions beside it", () => {
    const told = refused(story().prompt(), "No.", ask({ question: "Answer: which?" }));
    expect(told.find("reply.discarded").violations).toEqual(["instruction-label"]);
  });
});

describe("silence after an answer", () => {
  const hidden = (told: Story) => told.find("model.replied").hidden;

  verifies("TXT-6", "holds from the answer to the first result of what it released, not for the final text", () => {
    const told = story().prompt().model("", ask()).reply("1");
    expect(hidden(told.model("I will now paint it.", terminal("paint")))).toBe(true);
    told.judge().start().finish("t2c1");
    expect(hidden(told.model("One coat is on.", terminal("paint again")))).toBeUndefined();
    told.runTools();
    expect(hidden(told.model("", ask()).reply("2").model("It is blue."))).toBeUndefined();
    expect(told.find("exchange.ended").text).toBe("It is blue.");
  });

  verifies("TXT-6", "holds after an approval, until the command has its result, and after a no", () => {
    const yes = story()
      .prompt()
      .model("", terminal("a"), terminal("b"))
      .judge("ask")
      .reply("yes")
      .start()
      .finish("t1c1");
    yes.judge().start().finish("t1c2");
    expect(hidden(yes.model("Both ran.", terminal("c")))).toBeUndefined();
    const no = story().prompt().model("", terminal("a")).judge("ask").reply("no");
    expect(hidden(no.model("Then I try another way.", terminal("b")))).toBe(true);
  });

  verifies("TXT-8", "covers what is said beside a question, which is recorded all the same", () => {
    const told = story().prompt().model("Thinking about colours.", ask());
    expect(told.find("model.replied")).toMatchObject({ hidden: true, reply: { text: "Thinking about colours." } });
    expect(told.reply("cancel").find("exchange.ended")).toMatchObject({ outcome: "cancelled", text: "" });
  });

  verifies("TXT-6", "ends with the next question, whatever becomes of that", () => {
    const told = story()
      .prompt()
      .model("", ask())
      .reply("1")
      .model("", ask({ timeout_ms: 100 }))
      .wait(100);
    expect(hidden(told.model("Nobody answered.", terminal()))).toBeUndefined();
  });

  test("holds in a run, too, where a text alone is no result", () => {
    const told = running().model("", ask()).reply("1");
    expect(hidden(told.model("I go on."))).toBe(true);
  });
});
