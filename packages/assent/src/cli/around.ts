import manifest from "../../package.json" with { type: "json" };
import {
  offeredCommands,
  promptCommands,
  readModelLine,
  runModelLine,
  type SlashCommand,
  type Surroundings,
  slashCommands,
  whyNotLaunched,
} from "../slash/index.ts";
import { wholeName } from "./model.ts";
import { modelFlow, setUpModel } from "./model-setup.ts";
import { offeredModels } from "./offered-models.ts";
import { type Assent, openAssent, openSessionSecrets, type Ways } from "./open.ts";

/** Assent with the commands of a shell: people type them, and the model may run some of them (SEL-7). */
export type Surrounded = Assent & { readonly around: Surroundings };

export function openSurrounded(
  ways: Partial<Ways> = {},
  commands: readonly SlashCommand[] = slashCommands,
): Surrounded {
  let used: string | null = null;
  const useModel = (name: string, named: boolean) => {
    assent.useModel(name, named);
    used = name;
  };
  const assent = openAssent(ways, {
    slash: {
      commands: offeredCommands,
      setsUp: true,
      whyNotLaunched: (command) => whyNotLaunched(command, assent.integrations),
      read: readModelLine,
      run: (line, where) => runModelLine(line, { host: assent.host, ...where, around }),
    },
    modelSetUp: {
      secret: (name) => openSessionSecrets().read(name),
      async save(given) {
        const saved = await setUpModel(given);
        if ("name" in saved) useModel(saved.name, true);
        return saved;
      },
    },
  });
  // Those of servers come and go.
  const all = () => [...commands, ...promptCommands(assent.integrations)];
  const around = surroundings(assent, { name: () => used, use: useModel }, all);
  return { ...assent, useModel, around };
}

type Model = { readonly name: () => string | null; readonly use: Assent["useModel"] };

function surroundings(
  { tools, grants, integrations, unnameModel }: Assent,
  { name, use }: Model,
  commands: Surroundings["commands"],
): Surroundings {
  return {
    commands,
    version: manifest.version,
    program: [process.execPath, process.argv[1] ?? ""],
    model: {
      name,
      async use(typed, { named }) {
        const whole = wholeName({ name: typed, by: "/model" });
        use(whole, named);
        return whole;
      },
      unname: unnameModel,
      offered: offeredModels,
      setUp: modelFlow,
    },
    ...{ grants, integrations },
    get tools() {
      return tools();
    },
    doctor: async () => (await import("./doctor.ts")).doctorText(name()),
    explain: async (command, cwd) => (await import("./policy.ts")).explainText(command, cwd),
    rules: async () => (await import("./policy.ts")).rulesText(),
  };
}
