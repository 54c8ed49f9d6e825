import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ApiGrants, scopeWords, visibleLine } from "../assent.ts";
import { failureLine } from "../state/answers.ts";
import { may } from "../state/page.ts";
import { clockTime } from "../time.ts";
import { usePage, useRole } from "./context.ts";
import { Damage } from "./inbox.tsx";
import { Ago, Notice, Visible } from "./text.tsx";

type Grant = ApiGrants["grants"][number];

/** The rules by which something runs without being asked about. */
export function GrantsView(): JSX.Element {
  const page = usePage();
  const [grants, setGrants] = useState<ApiGrants | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => page.onChange(() => setRound((count) => count + 1)), [page]);
  useEffect(() => {
    let isHere = true;
    void page.client.grants().then((result) => {
      if (!isHere) return;
      if (result.type === "ok") setGrants(result.value);
      else setTold(failureLine(result));
    });
    return () => {
      isHere = false;
    };
  }, [page, round]);
  return (
    <>
      <h1>Grants</h1>
      <p class="lead">What runs without being asked about, because somebody said so for longer than once.</p>
      {grants === null ? <p class="muted">{told ?? "Asking the server …"}</p> : <Damage lines={grants.damage} />}
      {grants?.grants.length === 0 ? <p class="muted">There are none beside those of single sessions.</p> : null}
      {grants === null ? null : <GrantList grants={grants.grants} removed={() => setRound((count) => count + 1)} />}
    </>
  );
}

type GrantListProps = {
  readonly grants: readonly Grant[];
  /** Whose own they are. */
  readonly session?: string;
  readonly removed?: () => void;
};

export function GrantList({ grants, session, removed }: GrantListProps): JSX.Element {
  return (
    <ul class="grants">
      {grants.map((grant) => (
        <GrantRow
          key={grant.id}
          grant={grant}
          {...(session === undefined ? {} : { session })}
          removed={removed ?? (() => {})}
        />
      ))}
    </ul>
  );
}

function GrantRow({ grant, session, removed }: { grant: Grant; session?: string; removed: () => void }): JSX.Element {
  const { scope, display, match, root, categories, created, expires, uses } = grant;
  return (
    <li class="grant">
      <pre class="value">
        <Visible text={display} />
      </pre>
      <p class="muted">
        {match === "prefix" ? "whatever begins so, " : ""}
        {scopeWords[scope]}
        {scope === "user" ? "" : `, ${visibleLine(root)}`}; {categories.map(visibleLine).join(", ")}; given{" "}
        <Ago at={created} />
        {expires === undefined ? "" : `; until ${clockTime(expires)}`}
        {uses === undefined ? "" : `; for ${uses} more calls`}
      </p>
      <Removing grant={grant} {...(session === undefined ? {} : { session })} removed={removed} />
    </li>
  );
}

/** Asked once more: what was granted is asked about again from then on. */
function Removing({ grant, session, removed }: { grant: Grant; session?: string; removed: () => void }): JSX.Element {
  const page = usePage();
  const role = useRole();
  const [step, setStep] = useState<"rest" | "sure" | "gone">("rest");
  const [told, setTold] = useState<string | null>(null);
  if (!may(role, "work")) return <p class="muted">Your role is {role}: only an admin can remove it.</p>;
  if (step === "gone") return <p class="muted">Removed.</p>;
  const remove = async (): Promise<void> => {
    const result = await page.client.removeGrant(grant.id, session === undefined ? {} : { session });
    if (result.type === "ok") {
      setStep("gone");
      page.announce("The grant is removed.");
      removed();
    } else setTold(failureLine(result));
  };
  return (
    <div class="removing">
      {step === "rest" ? (
        <button type="button" onClick={() => setStep("sure")}>
          Remove<span class="unseen"> {visibleLine(grant.display)}</span>
        </button>
      ) : (
        <>
          <span>Remove it? It is asked about again from then on.</span>
          <button type="button" class="danger" onClick={() => void remove()}>
            Remove
          </button>
          <button type="button" class="quiet" onClick={() => setStep("rest")}>
            Keep
          </button>
        </>
      )}
      <Notice told={told} />
    </div>
  );
}
