import manifest from "../../package.json" with { type: "json" };
import {
  offeredCommands,
  readModelLine,
  runModelLine,
  type SlashCommand,
  type Surroundings,
  slashCommands,
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
  const useModel = (name: string) => {
    assent.useModel(name);
    used = name;
  };
  const assent = openAssent(ways, {
    slash: {
      commands: offeredCommands,
      setsUp: commands.some(({ name }) => name === "integrations" || name === "mcp"),
      read: readModelLine,
      run: (line, session) => runModelLine(line, { host: assent.host, session, around }),
    },
    modelSetUp: {
      secret: (name) => openSessionSecrets().read(name),
      async save(given) {
        const saved = await setUpModel(given);
        if ("name" in saved) useModel(saved.name);
        return saved;
      },
    },
  });
  const around = { ...surroundings(assent, { name: () => used, use: useModel }), commands: () => commands };
  return { ...assent, useModel, around };
}

type Model = { readonly name: () => string | null; readonly use: (name: string) => void };

function surroundings({ tools, grants }: Assent, { name, use }: Model): Omit<Surroundings, "commands"> {
  return {
    version: manifest.version,
    program: [process.execPath, process.argv[1] ?? ""],
    model: {
      name,
      async use(typed) {
        const whole = wholeName({ name: typed, by: "/model" });
        use(whole);
        return whole;
      },
      offered: offeredModels,
      setUp: modelFlow,
    },
    ...{ tools, grants },
    doctor: async () => (await import("./doctor.ts")).doctorText(name()),
    explain: async (command, cwd) => (await import("./policy.ts")).explainText(command, cwd),
    rules: async () => (await import("./policy.ts")).rulesText(),
  };
}
