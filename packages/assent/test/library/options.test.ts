import { describe, expect, test } from "vitest";
import {
  defineTool,
  openHost,
  openMachinePolicy,
  openMemoryJournal,
  openModel,
  openTools,
  scriptedModel,
} from "../../src/index.ts";

const schema = { "~standard": { version: 1, validate: (value: unknown) => ({ value }) } } as const;
const tool = { name: "add", description: "Add.", parameters: { type: "object" }, tier: "safe", schema } as const;

function host() {
  return openHost({ journal: openMemoryJournal(), provider: scriptedModel({ replies: [] }), tools: [] });
}

/** As a program without types would call it, in which a name is wrong. */
const wrong: Readonly<Record<string, readonly [call: (given: object) => unknown, given: object, says: string]>> = {
  openHost: [
    (more) => openHost({ journal: openMemoryJournal(), provider: scriptedModel({ replies: [] }), tools: [], ...more }),
    { polcy: null },
    'openHost: there is no option "polcy"; did you mean policy?',
  ],
  openTools: [(given) => openTools(given), { seelf: [] }, 'openTools: there is no option "seelf"; did you mean self?'],
  openModel: [
    (given) => openModel("ollama:x", given),
    { retrys: 1 },
    'openModel: there is no option "retrys"; did you mean retries?',
  ],
  scriptedModel: [
    (more) => scriptedModel({ replies: [], ...more }),
    { onQuestions: null },
    'scriptedModel: there is no option "onQuestions"; did you mean onQuestion?',
  ],
  defineTool: [
    (more) => defineTool({ ...tool, run: () => "", ...more }),
    { timeoutMS: 5 },
    'defineTool "add": there is no option "timeoutMS"; did you mean timeoutMs?',
  ],
  create: [
    (more) => host().create({ cwd: "/", ...more }),
    { modell: "m" },
    'create: there is no option "modell"; did you mean model?',
  ],
  "create, of its limits": [
    (limits) => host().create({ cwd: "/", limits }),
    { turn: 3 },
    'create: limits: there is no option "turn"; did you mean turns?',
  ],
  hold: [
    (given) => host().hold("s", given),
    { readonly: true },
    'hold: there is no option "readonly"; did you mean readOnly?',
  ],
};

describe("an option that does not exist is an error that names the nearest one:", () => {
  test.each(Object.entries(wrong))("%s", (_, [call, given, says]) => {
    expect(() => call(given)).toThrow(new TypeError(says));
  });

  test("openMachinePolicy", async () => {
    const given: object = { owns: [] };
    await expect(openMachinePolicy(given)).rejects.toThrow('there is no option "owns"; did you mean own?');
  });

  test("where none is near, all are named", () => {
    const given: object = { colour: "red" };
    expect(() => openTools(given)).toThrow("there are self, folder, shell, hidden, pty");
  });
});

test("what is submitted to a session that does not exist is refused by its name", () => {
  const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
  const input = { type: "prompt", text: "go", delivery: "now", entry: "submitted", ...acting } as const;
  expect(host().submit("nope", input)).toEqual({
    events: [],
    refusal: { code: "no_session", detail: "there is no session nope" },
  });
  expect(host().fork("nope")).toEqual({
    refusal: { code: "no_session", detail: "there is no session nope to fork" },
  });
});
