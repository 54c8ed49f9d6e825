import { describe, expect, test } from "vitest";
import { fold, type Grant, liveGrants, nextWork, renderBlock } from "../../src/core/index.ts";
import { confirmedBy, lintRequest } from "../../src/core/interaction/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ruleOf } from "./grants.ts";
import { bodies, person, type Story, story, terminal } from "./story.ts";

const command = "rm -rf build";
const rule = ruleOf(command);
const saved: Grant = { ...rule, id: "g-s-2", scope: "project", created: 1_000 };
const resolved = { type: "interaction.resolved", by: person, shown: "digest of the block" } as const;

function approval(given: { timeout_ms?: number } = {}): Story {
  return story()
    .prompt()
    .model("", terminal(command))
    .judge("ask", { ...given, grant: rule });
}

function answered(interaction: string, option: string, confirmed = true) {
  const response = { interaction_id: interaction, cancelled: false, selected_option_id: option, confirmed };
  return { ...resolved, interaction, state: confirmed ? "answered" : "declined", response };
}

const cleared = { type: "call.cleared", call: "t1c1" } as const;

describe("what an approval offers", () => {
  verifies(
    "APPR-7a",
    "five options, with their ids, where the policy names a rule; Yes and No where it does not",
    () => {
      const asked = approval().session.interactions[0]?.request;
      expect(asked?.options).toEqual([
        { id: "yes", label: "Yes" },
        { id: "no", label: "No" },
        { id: "session", label: "Yes for this session" },
        { id: "project", label: "Always in this project" },
        { id: "user", label: "Always for me" },
      ]);
      const plain = story().prompt().model("", terminal(command)).judge("ask");
      const none = story().prompt().model("", terminal(command));
      const verdict = {
        call: "t1c1",
        rule: "test",
        reason: "ask by the test",
        digest: `digest of ${command}`,
        facts: null,
      };
      const approvalOf = { question: `Approve command: ${command}? (yes/no)`, subject: command };
      none.give({ type: "verdicts", verdicts: [{ ...verdict, verdict: "ask", approval: approvalOf, grant: null }] });
      // Not a byte differs from an approval that knows nothing of grants.
      expect(JSON.stringify(none.events.slice(3))).toBe(JSON.stringify(plain.events.slice(3)));
      expect(plain.session.interactions[0]?.request.options).toEqual(asked?.options.slice(0, 2));
    },
  );

  verifies("APPR-7b", "each option says yes, no or neither", () => {
    const all = ["yes", "session", "project", "user", "confirm", "no", "restart", "edit"];
    const said = [true, true, true, true, true, false, undefined, undefined];
    expect(all.map(confirmedBy)).toEqual(said);
    for (const [line, option] of Object.entries({ 1: "yes", 3: "session", 4: "project", 5: "user", yes: "yes" })) {
      expect(approval().reply(line).find("interaction.resolved")).toMatchObject(answered("s-1", option));
    }
    expect(approval().reply("2").find("interaction.resolved")).toMatchObject(answered("s-1", "no", false));
  });

  test("an option that was never offered, though it was stored, is no more than a yes", () => {
    const told = story().prompt().model("", terminal(command)).judge("ask");
    expect(told.respond({ selected_option_id: "session", confirmed: true }).last.refusal?.code).toBe("invalid_option");
    expect(approval().respond({ confirmed: true }).lastTypes).toEqual(["interaction.resolved", "call.cleared"]);
  });

  test("a label or an id that is typed is free text, and so a no", () => {
    for (const line of ["session", "Always for me"]) {
      expect(approval().reply(line).find("call.refused")).toMatchObject({ why: "person", reason: line });
    }
  });
});

describe("a grant for the session", () => {
  const granted: Grant = { ...rule, id: "g-s-1", scope: "session", created: 1_000 };

  verifies("APPR-7c", "is an event and part of the session, and the call goes on", () => {
    const told = approval().reply("3");
    expect(bodies(told.last.events)).toEqual([
      answered("s-1", "session"),
      { type: "grant.added", grant: granted, call: "t1c1", by: person },
      cleared,
    ]);
    expect(told.session.grants).toEqual([granted]);
    expect(story().session.grants).toEqual([]);
    expect(told.start().running).toEqual(["t1c1"]);
  });

  verifies("APPR-7c", "is taken back by a person, once, and by its id", () => {
    const told = approval().reply("3");
    const revocation = { type: "grant-revocation", grant: "g-s-1", by: person } as const;
    expect(told.give({ ...revocation, authority: "view" }).last.refusal?.code).toBe("not_authorized");
    told.give({ ...revocation, authority: "act" });
    expect(bodies(told.last.events)).toEqual([{ type: "grant.removed", grant: "g-s-1", by: person }]);
    expect(told.session.grants).toEqual([]);
    expect(told.give({ ...revocation, authority: "act" }).last).toEqual({
      events: [],
      refusal: { code: "unknown_grant", detail: "no grant of session s has the id g-s-1" },
    });
  });

  verifies("APPR-7g", "allows a call, and the event names it; one that is gone does not", () => {
    const told = approval().reply("3").start().finish("t1c1").model("", terminal(command));
    const judged = { call: "t2c1", rule: "granted", reason: "granted", digest: "d", facts: null } as const;
    const used = { id: "g-s-1", scope: "session" } as const;
    const verdicts = [{ ...judged, verdict: "allow", granted: used }] as const;
    const gone = story().prompt().model("", terminal(command));
    expect(gone.give({ type: "verdicts", verdicts: [{ ...verdicts[0], call: "t1c1" }] }).last).toEqual({
      events: [],
      refusal: { code: "unknown_grant", detail: "grant g-s-1 does not count any more" },
    });
    expect(bodies(told.give({ type: "verdicts", verdicts }).last.events)).toEqual([
      { type: "call.judged", ...judged, verdict: "allow", granted: used },
      { type: "call.cleared", call: "t2c1" },
    ]);
    expect(told.session.grants).toEqual([granted]);
  });

  verifies("APPR-7g", "with a number of uses is gone with the last of them", () => {
    const told = approval().reply("3");
    const events = told.events.map((event) =>
      event.type === "grant.added" ? { ...event, grant: { ...event.grant, uses: 2 } } : event,
    );
    told.session = fold(events);
    told.start().finish("t1c1");
    const left = [2, 3].map((turn) => {
      told.model("", terminal(command));
      const judged = { call: `t${turn}c1`, rule: "granted", reason: "granted", digest: `digest of ${command}` };
      const granted = { id: "g-s-1", scope: "session" } as const;
      told.give({ type: "verdicts", verdicts: [{ ...judged, facts: null, verdict: "allow", granted }] });
      told.start().finish(`t${turn}c1`);
      return told.session.grants.map(({ uses }) => uses);
    });
    expect(left).toEqual([[1], []]);
  });
});

describe("a rule that is saved", () => {
  verifies("APPR-7d", "is shown whole and confirmed first, with nothing but yes and no", () => {
    const told = approval({ timeout_ms: 5_000 }).reply("4");
    const request = {
      interaction_id: "s-2",
      kind: "confirmation",
      question: "Save this rule: always allow rm -rf build in this project? (yes/no)",
      options: [
        { id: "yes", label: "Yes" },
        { id: "no", label: "No", description: "it runs this once, and nothing is saved" },
      ],
      allow_free_text: false,
      allow_cancel: true,
      subject: {
        command: ["rm -rf build"],
        match: "exact",
        scope: "project",
        root: "/project",
        categories: ["recursive-deletion"],
        tool: "terminal",
        signature: '["rm -rf build"]',
      },
      subject_digest: "digest of rm -rf build",
      timeout_ms: 5_000,
    };
    expect(bodies(told.last.events)).toEqual([
      answered("s-1", "project"),
      { type: "interaction.requested", request, purpose: { type: "grant", call: "t1c1", scope: "project" } },
    ]);
    expect(told.work).toEqual({ type: "ask-person", request });
    const everywhere = approval().reply("5").session.interactions[0]?.request;
    expect(everywhere?.question).toBe("Save this rule: always allow rm -rf build for me everywhere? (yes/no)");
    for (const asked of [told.session.interactions[0]?.request, everywhere]) {
      if (asked === undefined) throw new Error("nothing was asked");
      expect(lintRequest(asked)).toEqual([]);
      expect(renderBlock(asked)).toBe(`${asked.question}\n\n1) Yes\n2) No`);
    }
  });

  test("what hides in it is shown as an escape", () => {
    const hidden = { ...rule, display: "rm\u202e -rf\nbuild" };
    const told = story().prompt().model("", terminal(command)).judge("ask", { grant: hidden }).reply("4");
    const asked = "Save this rule: always allow rm\\u{202e} -rf\\nbuild in this project? (yes/no)";
    expect(told.session.interactions[0]?.request.question).toBe(asked);
  });

  verifies("APPR-7d", "is saved after its yes, and only then the call goes on", () => {
    const told = approval().reply("4").reply("yes");
    expect(bodies(told.last.events)).toEqual([answered("s-2", "yes")]);
    expect(told.work).toEqual({ type: "save-grant", call: "t1c1", grant: saved });
    expect(told.give({ type: "tool-start", call: "t1c1", digest: `digest of ${command}` }).last.refusal?.code).toBe(
      "unknown_call",
    );
    expect(bodies(told.save().last.events)).toEqual([
      { type: "grant.added", grant: saved, call: "t1c1", by: person },
      cleared,
    ]);
    // It is in its store, not in the session.
    expect(told.session.grants).toEqual([]);
    expect(told.start().running).toEqual(["t1c1"]);
    expect(told.give({ type: "grant-result", call: "t1c1" }).last.refusal?.code).toBe("unknown_call");
  });

  verifies("APPR-7d", "that cannot be saved is told, and the call runs once", () => {
    const told = approval().reply("5").reply("1").save("the disk is full");
    expect(bodies(told.last.events)).toEqual([
      { type: "grant.failed", grant: "g-s-2", call: "t1c1", reason: "the disk is full" },
      cleared,
    ]);
  });

  const without: Readonly<Record<string, (told: Story) => Story>> = {
    no: (told) => told.reply("no"),
    expiry: (told) => told.wait(5_000),
    STEP_ABORT: (told) => told.reply("maybe").reply("maybe").reply("maybe").reply("maybe"),
    nobody: (told) => told.nobody("deny"),
  };
  for (const [name, end] of Object.entries(without)) {
    verifies("APPR-7e", `is dropped by ${name}, and the call runs once without it`, () => {
      const told = end(approval({ timeout_ms: 5_000 }).reply("4"));
      expect(bodies(told.last.events).at(-1)).toEqual(cleared);
      expect(told.types.filter((type) => type.startsWith("grant."))).toEqual([]);
      expect(told.start().running).toEqual(["t1c1"]);
    });
  }

  const ending: Readonly<Record<string, (told: Story) => Story>> = {
    cancelled: (told) => told.reply("cancel"),
    stopped: (told) => told.reply("please stop"),
    failed: (told) => told.nobody("abort"),
  };
  for (const [outcome, end] of Object.entries(ending)) {
    verifies("APPR-7e", `and its call end as at an approval when the exchange is ${outcome}`, () => {
      const told = end(approval().reply("4"));
      const plain = end(approval());
      const later = ({ last }: Story) => bodies(last.events).filter(({ type }) => !type.startsWith("interaction."));
      expect(later(told)).toEqual(later(plain));
      expect(told.find("call.refused").call).toBe("t1c1");
      expect(told.find("exchange.ended").outcome).toBe(outcome);
      expect(told.types).not.toContain("grant.added");
    });
  }

  test("waits as long as it takes when it is parked", () => {
    const told = approval().reply("4").nobody("park");
    expect(told.last).toEqual({ events: [], refusal: null });
    expect(told.work.type).toBe("ask-person");
  });

  verifies("APPR-7f", "is not asked again after a crash, nor lost, nor another one", () => {
    const told = approval().reply("4").crash();
    expect(told.asked).toBe("s-2");
    told.reply("yes").wait(60_000).crash();
    expect(told.last.events).toEqual([]);
    expect(nextWork(told.session)).toEqual({ type: "save-grant", call: "t1c1", grant: saved });
    told.crash().save().crash();
    expect(told.work.type).toBe("run-tools");
    expect(told.types.filter((type) => type === "interaction.requested")).toHaveLength(2);
    expect(told.types.filter((type) => type === "grant.added")).toHaveLength(1);
  });

  for (const mode of ["graceful", "kill"] as const) {
    verifies("APPR-7f", `is saved though a ${mode} stop comes between its yes and its saving`, () => {
      const told = approval().reply("4").reply("yes").stop(mode);
      expect(told.lastTypes).toEqual(["stop.requested"]);
      expect(told.work.type).toBe("save-grant");
      expect(told.save().lastTypes).toEqual([
        "grant.added",
        "call.cleared",
        "call.skipped",
        "turn.closed",
        "exchange.ended",
      ]);
    });
  }
});

verifies("APPR-7g", "what has expired or is used up does not count", () => {
  const grants = [saved, { ...saved, expires: 2_000 }, { ...saved, uses: 1 }, { ...saved, uses: 0 }];
  expect(liveGrants(grants, 1_999)).toEqual(grants.slice(0, 3));
  expect(liveGrants(grants, 2_000)).toEqual([saved, { ...saved, uses: 1 }]);
});
