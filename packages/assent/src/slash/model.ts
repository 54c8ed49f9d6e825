import { messageOf } from "../wire/index.ts";
import {
  modelAdapter,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  submit,
  told,
  unlessRefused,
  wrong,
} from "./command.ts";
import { suggestion } from "./names.ts";

/** The tool whose hands save what was filled in. */
const setUpTool = "model_setup";

export const model: SlashCommand = {
  name: "model",
  usage: "/model [provider:model | setup]",
  modelUsage: "/model",
  does: "shows the model, uses another, or sets one up with its key",
  more: "With no model set, /model begins the set-up. A key is kept for your eyes only, and shown nowhere.",
  examples: ["/model", "/model anthropic:claude-sonnet-4-5", "/model setup"],
  tier: (given) => (given.trim() === "" ? "safe" : "elevated"),
  who: "anyone",
  withheld: (given) => (given.trim() === "" ? null : "which model works here is a person's to decide"),
  complete: async (_typed, place) => ["setup", ...(await offeredBy(place))],
  async run(given, place) {
    const typed = given.trim();
    const { model: used } = place.around;
    if (typed === "setup") return setUp(place);
    if (typed !== "") return use(typed, place);
    const name = used.name();
    if (name === null && place.by.adapter !== modelAdapter) return setUp(place);
    const offered = (await offeredBy(place)).filter((each) => each !== name);
    return told(
      [
        name === null ? "no model is set" : `the model is ${name}`,
        ...(offered.length === 0 ? [] : [`there are also ${offered.join(", ")}`]),
      ].join("\n"),
    );
  },
};

async function use(typed: string, place: SlashPlace): Promise<SlashResult> {
  try {
    return told(`the model is ${await place.around.model.use(typed, { named: true })}`);
  } catch (error) {
    const offered = await offeredBy(place);
    const problem = messageOf(error);
    return wrong(problem.includes("did you mean") ? problem : `${problem}${suggestion(typed, ["setup", ...offered])}`);
  }
}

/** Where it cannot be found out what there is, nothing is offered; /doctor tells why. */
async function offeredBy({ around }: SlashPlace): Promise<readonly string[]> {
  try {
    return await around.model.offered();
  } catch {
    return [];
  }
}

/** Its answers are a person's own word: they need no approval, and no model sees the key (INT-2). */
function setUp(place: SlashPlace): SlashResult {
  const flow = place.around.model.setUp();
  const { refusal } = submit(place, { type: "flow", flow, name: "/model setup", arguments: "{}", tool: setUpTool });
  return unlessRefused(place, refusal, told("setting up a model; cancel leaves everything as it is"));
}
