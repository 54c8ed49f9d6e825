import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type ApiCreation, isBlank } from "../assent.ts";
import type { Drafts } from "../drafts.ts";
import { sessionPath } from "../routes.ts";
import { failureLine } from "../state/answers.ts";
import { may } from "../state/page.ts";
import { usePage, useRole } from "./context.ts";
import { Notice } from "./text.tsx";

type Filled = { prompt: string; cwd: string; name: string; model: string; turns: string; iterations: string };
const empty: Filled = { prompt: "", cwd: "", name: "", model: "", turns: "", iterations: "" };
const fields = ["prompt", "cwd", "name", "model", "turns", "iterations"] as const satisfies readonly (keyof Filled)[];

/** What was begun and not sent is there again when a person comes back. */
function begun(drafts: Drafts): Filled {
  const filled = { ...empty };
  for (const field of fields) filled[field] = drafts.get(`new/${field}`);
  return filled;
}

export function NewSessionView(): JSX.Element {
  const page = usePage();
  const role = useRole();
  const [filled, setFilled] = useState(() => begun(page.drafts));
  const [told, setTold] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  if (!may(role, "work")) {
    return (
      <>
        <h1>New session</h1>
        <p class="lead">Your role is {role}: only an admin can start a session.</p>
      </>
    );
  }
  const fill = (field: keyof Filled) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const { value } = event.currentTarget;
    page.drafts.set(`new/${field}`, value);
    setFilled({ ...filled, [field]: value });
  };
  const send = async (): Promise<void> => {
    const creation = creationOf(filled);
    if (typeof creation === "string") return setTold(creation);
    setSending(true);
    const result = await page.client.create(creation);
    setSending(false);
    if (result.type === "ok") {
      for (const field of fields) page.drafts.set(`new/${field}`, "");
      location.hash = sessionPath(result.value.session);
    } else if (result.type === "refused") setTold(refusedLine(result));
    else setTold("The server could not be reached. Look among the sessions whether it began before you send it again.");
  };
  return (
    <>
      <h1>New session</h1>
      <form
        class="sheet"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <label for="new-prompt">What is to be done</label>
        <textarea id="new-prompt" rows={4} required value={filled.prompt} onInput={fill("prompt")} />
        <label for="new-cwd">Folder</label>
        <input id="new-cwd" class="mono" value={filled.cwd} onInput={fill("cwd")} aria-describedby="new-cwd-hint" />
        <p class="muted" id="new-cwd-hint">
          A whole path; without one it is where the server was started.
        </p>
        <details>
          <summary>Name, model and limits</summary>
          <label for="new-name">Name</label>
          <input id="new-name" value={filled.name} onInput={fill("name")} />
          <label for="new-model">Model</label>
          <input
            id="new-model"
            class="mono"
            placeholder="provider:model"
            value={filled.model}
            onInput={fill("model")}
          />
          <label for="new-turns">Turns at most, or unlimited</label>
          <input id="new-turns" placeholder="25" value={filled.turns} onInput={fill("turns")} />
          <label for="new-iterations">Iterations of a run at most</label>
          <input
            id="new-iterations"
            placeholder="25"
            inputMode="numeric"
            value={filled.iterations}
            onInput={fill("iterations")}
          />
        </details>
        <Notice told={told} />
        <button type="submit" class="send" disabled={isSending}>
          {isSending ? "Starting …" : "Start"}
        </button>
      </form>
    </>
  );
}

/** Why it was not begun, with the field called as it is called here. */
export function refusedLine(refused: Parameters<typeof failureLine>[0]): string {
  return failureLine(refused).replace(/^cwd:/, "Folder:");
}

/** A text says what is wrong. */
export function creationOf(filled: Filled): ApiCreation | string {
  if (isBlank(filled.prompt)) return "Write what is to be done.";
  const turns = filled.turns.trim();
  const iterations = filled.iterations.trim();
  if (turns !== "" && turns !== "unlimited" && !/^[1-9]\d*$/.test(turns))
    return "Turns: a number from 1 on, or unlimited.";
  if (iterations !== "" && !/^[1-9]\d*$/.test(iterations)) return "Iterations: a number from 1 on.";
  const limits = {
    ...(turns === "" ? {} : { turns: turns === "unlimited" ? ("unlimited" as const) : Number(turns) }),
    ...(iterations === "" ? {} : { iterations: Number(iterations) }),
  };
  return {
    prompt: filled.prompt,
    ...(filled.cwd.trim() === "" ? {} : { cwd: filled.cwd.trim() }),
    ...(filled.name.trim() === "" ? {} : { name: filled.name.trim() }),
    ...(filled.model.trim() === "" ? {} : { model: filled.model.trim() }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}
