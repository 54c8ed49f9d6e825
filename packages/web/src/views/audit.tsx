import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiAudit, type AuditRecord, chainLines, visibleLine } from "../assent.ts";
import { failureLine } from "../state/answers.ts";
import { clockTime } from "../time.ts";
import { usePage } from "./context.ts";
import { SessionTabs } from "./session-tabs.tsx";
import { Visible } from "./text.tsx";

/** Every call of a session: what decided about it, who, and what came of it (SESS-5). */
export function AuditView({ session }: { readonly session: string }): JSX.Element {
  const page = usePage();
  const [audit, setAudit] = useState<ApiAudit | null>(null);
  const [told, setTold] = useState<string | null>(null);
  useEffect(() => {
    let isHere = true;
    const fetchAudit = async (): Promise<void> => {
      const result = await page.client.audit(session);
      if (!isHere) return;
      if (result.type === "ok") setAudit(result.value);
      else setTold(failureLine(result));
    };
    void fetchAudit();
    const unlisten = page.onChange((changed) => {
      if (changed === null || changed.session === session) void fetchAudit();
    });
    return () => {
      isHere = false;
      unlisten();
    };
  }, [page, session]);
  return (
    <>
      <h1>
        Audit of <Visible text={session} />
      </h1>
      <SessionTabs session={session} at="audit" />
      {audit === null ? (
        <p class="lead">{told ?? "Asking the server …"}</p>
      ) : (
        <>
          <Chain chain={audit.chain} />
          {audit.records.length === 0 ? <p class="lead">No call was made.</p> : <AuditTable records={audit.records} />}
        </>
      )}
    </>
  );
}

/** What the hashes say, in the words of all surfaces, and the one that stands for all. */
export function Chain({ chain }: { readonly chain: ApiAudit["chain"] }): JSX.Element {
  const { head } = chain;
  const [events = "", ...breaks] = chainLines({ ...chain, head: null });
  return (
    <>
      {breaks.length === 0 ? (
        <p class="muted">{events}</p>
      ) : (
        <div class="notice" role="alert">
          <p>Not everything is as it was recorded ({events}):</p>
          <ul>
            {breaks.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {head === null ? null : <p class="digest">head sha256:{visibleLine(head)}</p>}
    </>
  );
}

function AuditTable({ records }: { readonly records: readonly AuditRecord[] }): JSX.Element {
  return (
    <table class="audit">
      <thead>
        <tr>
          <th scope="col">Call</th>
          <th scope="col">Verdict</th>
          <th scope="col">Answer</th>
          <th scope="col">Ended</th>
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <AuditRow key={record.call} record={record} />
        ))}
      </tbody>
    </table>
  );
}

function AuditRow({ record }: { readonly record: AuditRecord }): JSX.Element {
  const { call, at, tool, what, verdict, rule, reason, digest, answers, grant, end, exit, signal } = record;
  return (
    <tr>
      <td data-name="Call">
        <span class="muted">
          <Visible text={call} /> <Visible text={tool} />,{" "}
          <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time>
        </span>
        <pre class="value">
          <Visible text={what} />
        </pre>
        {digest === null ? null : <span class="digest">{visibleLine(digest)}</span>}
      </td>
      <td data-name="Verdict">
        <span class={`verdict verdict-${verdict ?? "none"}`}>{verdict ?? "not judged"}</span>
        {reason === null ? null : (
          <p>
            <Visible text={reason} />
          </p>
        )}
        {rule === null ? null : <p class="muted mono">{visibleLine(rule)}</p>}
        {grant === null ? null : <p class="muted">by grant {visibleLine(grant)}</p>}
      </td>
      <td data-name="Answer">
        {answers.length > 0 ? null : (
          <span class="muted">
            {verdict === "ask" && end === "open" ? "asked, not answered yet" : "nobody was asked"}
          </span>
        )}
        {answers.map((answer) => (
          <Answer key={answer.interaction} answer={answer} />
        ))}
      </td>
      <td data-name="Ended">
        {end}
        {exit === null ? "" : `, exit ${exit}`}
        {signal === null ? "" : `, ${visibleLine(signal)}`}
      </td>
    </tr>
  );
}

function Answer({ answer }: { readonly answer: AuditRecord["answers"][number] }): JSX.Element {
  const { state, by, at, said, shown } = answer;
  return (
    <>
      {state}: <Visible text={said} />
      <p class="muted">
        {by === null ? "" : `${visibleLine(by.name)} in ${visibleLine(by.adapter)}, `}
        <time dateTime={new Date(at).toISOString()}>{clockTime(at)}</time>
      </p>
      {shown === null ? null : <span class="digest">shown {visibleLine(shown)}</span>}
    </>
  );
}
