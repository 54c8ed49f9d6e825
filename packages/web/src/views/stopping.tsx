import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { failureLine } from "../state/answers.ts";
import { may } from "../state/page.ts";
import { usePage, useRole } from "./context.ts";
import { Notice } from "./text.tsx";

type StoppingProps = { readonly session: string; readonly stop: "graceful" | "kill" | null };

export function Stopping({ session, stop }: StoppingProps): JSX.Element {
  const page = usePage();
  const role = useRole();
  const [told, setTold] = useState<string | null>(null);
  if (!may(role, "answer")) return <p class="muted">Your role is viewer: you cannot stop it.</p>;
  const send = async (mode: "graceful" | "kill"): Promise<void> => {
    const result = await page.client.stop(session, { mode });
    if (result.type === "ok") setTold(null);
    else setTold(failureLine(result));
    page.announce(result.type === "ok" ? "Stop requested." : "It was not stopped.");
  };
  return (
    <div class="stopping">
      <div>
        <button type="button" disabled={stop !== null} onClick={() => void send("graceful")}>
          {stop === null ? "Stop" : "Stopping …"}
        </button>
        <span class="muted">after the call that runs now</span>
      </div>
      <div>
        <button type="button" class="danger" disabled={stop === "kill"} onClick={() => void send("kill")}>
          Kill
        </button>
        <span class="muted">ends what runs, at once</span>
      </div>
      <Notice told={told} />
    </div>
  );
}
