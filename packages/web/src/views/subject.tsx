import type { JSX } from "preact";
import { askedParts, type InteractionRequest, isRecord, type Json } from "../assent.ts";
import { Diff, MarkedCommand, Visible } from "./text.tsx";

const names: Readonly<Record<string, string>> = {
  command: "Command",
  cwd: "Folder",
  diff: "Change",
  tool: "Tool",
  path: "File",
  arguments: "Arguments",
  server: "Server",
  rule: "Rule",
};

/** A command so long that it fills the screen says how long it is. */
const longCommand = 2_000;

/** What is decided on, in full, and why it is asked (INT-2, APPR-6). */
export function Subject({ request }: { readonly request: InteractionRequest }): JSX.Element {
  const { subject, options } = request;
  return (
    <div class="subject">
      {isRecord(subject) ? (
        Object.entries(subject).map(([field, value]) => (
          <Field key={field} field={field} value={value} request={request} />
        ))
      ) : subject === undefined ? null : (
        <pre class="command">
          <Visible text={JSON.stringify(subject, null, 2)} />
        </pre>
      )}
      <Why request={request} />
      {options.map(({ id, label, description }, index) =>
        description === undefined ? null : (
          <p key={id} class="description">
            {index + 1}) <Visible text={label} />: <Visible text={description} />
          </p>
        ),
      )}
    </div>
  );
}

type FieldProps = { readonly field: string; readonly value: Json; readonly request: InteractionRequest };

function Field({ field, value, request }: FieldProps): JSX.Element {
  const lines = linesOf(value);
  const length = lines.join("\n").length;
  return (
    <div class="field">
      <span class="field-name">
        {names[field] ?? <Visible text={field} />}
        {length > longCommand ? ` (${length} characters, ${lines.length} lines)` : ""}
      </span>
      <FieldValue field={field} lines={lines} request={request} />
    </div>
  );
}

function FieldValue({ field, lines, request }: Omit<FieldProps, "value"> & { lines: readonly string[] }): JSX.Element {
  if (field === "command") return <MarkedCommand lines={lines} parts={askedParts(request)} />;
  if (field === "diff") return <Diff lines={lines} />;
  return (
    <pre class="value">
      <Visible text={lines.join("\n")} />
    </pre>
  );
}

function linesOf(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return typeof value === "string" ? value.split("\n") : JSON.stringify(value, null, 2).split("\n");
}

function Why({ request }: { readonly request: InteractionRequest }): JSX.Element {
  const { metadata } = request;
  const { reason, unread_grants: unread } = isRecord(metadata) ? metadata : {};
  const parts = askedParts(request);
  const reasons =
    parts.length > 0 ? parts.map((part) => `it ${part.reason}`) : typeof reason === "string" ? [reason] : [];
  const effective = parts.flatMap((part) => (part.effective === null ? [] : [part.effective]));
  const lost = Array.isArray(unread) ? unread.map(String) : [];
  return (
    <>
      <Lines name="Why" lines={reasons} kind="why" />
      <Lines name="What runs" lines={effective} kind="runs" />
      <Lines
        name="Note"
        lines={lost.map((each) => `a saved grant cannot be read and does not count: ${each}`)}
        kind="why"
      />
    </>
  );
}

type LinesProps = { readonly name: string; readonly lines: readonly string[]; readonly kind: "why" | "runs" };

/** Each once. */
function Lines({ name, lines, kind }: LinesProps): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <div class="field">
      <span class="field-name">{name}</span>
      <ul class={kind}>
        {[...new Set(lines)].map((line) => (
          <li key={line}>
            <Visible text={line} />
          </li>
        ))}
      </ul>
    </div>
  );
}
