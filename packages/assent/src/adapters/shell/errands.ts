import type { Created, SessionSummary } from "../../runtime/index.ts";
import { saidSystem } from "../../show/index.ts";
import type { Errand } from "../../slash/index.ts";
import { describePick } from "./picking.ts";
import { runChild } from "./terminal.ts";
import type { Window } from "./window.ts";

/** What a shell does for the commands that are typed in it. */
export type Errands = {
  readonly window: Window;
  readonly leave: () => Promise<void>;
  readonly begin: () => Created;
  readonly open: (session: string, options: { readonly earlier: boolean }) => Promise<void>;
  readonly pick: (sessions: readonly SessionSummary[]) => void;
  readonly lend: (use: () => Promise<void>) => Promise<void>;
  readonly cwd: () => string;
  /** The question that is open is shown once more. */
  readonly showQuestion: () => void;
};

export async function doErrand(errand: Errand, shell: Errands): Promise<void> {
  switch (errand.type) {
    case "leave":
      return shell.leave();
    case "clear":
      shell.window.clear();
      shell.showQuestion();
      return;
    case "open":
      await shell.open(errand.session, { earlier: true });
      if (errand.told !== undefined) shell.window.print(saidSystem(errand.told));
      return;
    case "begin": {
      const created = shell.begin();
      if ("session" in created) return shell.open(created.session, { earlier: false });
      shell.window.print(saidSystem(created.refusal.detail));
      return;
    }
    case "pick":
      shell.pick(errand.sessions);
      shell.window.print(saidSystem(describePick(errand.sessions)));
      return;
    case "child":
      return shell.lend(() => runChild(errand.argv, shell.cwd()));
    case "show":
      shell.window.print(errand.said, { whole: true });
      return;
    default:
      errand satisfies never;
  }
}
