import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

const keys: readonly (readonly [key: string, does: string])[] = [
  ["1 … 9", "answers with that option; where several may be chosen, picks it"],
  ["Enter", "sends what is picked"],
  ["j, ↓", "to the next question"],
  ["k, ↑", "to the question before"],
  ["Esc", "leaves a text field"],
  ["?", "shows these keys"],
];

export function KeysHelp({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }): JSX.Element {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) place.current?.showModal();
    else place.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={place} class="keys-help" onClose={close} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl>
        {keys.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">
        A key answers the marked question only, never while you write, and not in the first quarter of a second after it
        appeared.
      </p>
      <button type="button" onClick={close}>
        Close
      </button>
    </dialog>
  );
}
