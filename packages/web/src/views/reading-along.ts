import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { FollowState } from "../state/follow.ts";

/** Nearer than this to the end, a person reads along. */
const nearEnd = 120;
const besideCard = 12;

/** Whoever reads the end stays there; whoever has scrolled up stays where they are, also when earlier rows come. */
export function useReadingAlong({ rows, drawn, live }: FollowState, question: string | null): void {
  const isAtEnd = useRef(true);
  const before = useRef({ first: "", height: 0 });
  useEffect(() => {
    let last = window.scrollY;
    const onScroll = (): void => {
      // What grows below does not lead away from the end; only a person does.
      if (window.scrollY >= endOfPage() - nearEnd) isAtEnd.current = true;
      else if (window.scrollY < last) isAtEnd.current = false;
      last = window.scrollY;
    };
    const growing = new ResizeObserver(() => isAtEnd.current && goToEnd());
    growing.observe(document.body);
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      growing.disconnect();
      window.removeEventListener("scroll", onScroll);
    };
  }, []);
  const first = rows.at(-drawn)?.key ?? rows[0]?.key ?? "";
  useLayoutEffect(() => {
    const { scrollHeight } = document.documentElement;
    const isPrepended = before.current.first !== "" && first !== before.current.first;
    if (isAtEnd.current) goToEnd();
    else if (isPrepended) window.scrollBy(0, scrollHeight - before.current.height);
    before.current = { first, height: document.documentElement.scrollHeight };
  }, [rows, first, live, question]);
}

/** Never up: whoever reads the last lines of a question is not taken back to its first. */
function goToEnd(): void {
  const end = endOfPage();
  if (window.scrollY < end) window.scrollTo(0, end);
}

/** Where the end is read: of a question its beginning is seen first, for what is decided on stands there. */
function endOfPage(): number {
  const end = document.documentElement.scrollHeight - window.innerHeight;
  const card = document.querySelector("[data-slot]:not(.over)");
  if (card === null) return end;
  const bar = document.querySelector(".top")?.getBoundingClientRect().height ?? 0;
  return Math.min(end, card.getBoundingClientRect().top + window.scrollY - bar - besideCard);
}
