import type { InteractionRequest } from "../../core/index.ts";
import { type Around, type Edited, type Editing, edit, newEditing } from "./editor.ts";
import type { Key } from "./keys.ts";
import { Quiet } from "./quiet.ts";

export type Surrounding = Pick<Around, "complete"> & { readonly past: () => readonly string[] };

export type LinePorts = {
  readonly onArmed: () => void;
  /** Something is being typed of which no key has come yet. */
  readonly isTyped: () => boolean;
  /** An answer was begun that is nothing any more; of a secret nothing is told. */
  readonly onBegun: (answer: string) => void;
};

/**
 * The one line that is typed in. While a question is open it is its answer, but only from a moment of quiet on: what was
 * typed or pasted before, and what was being typed when the question came, is kept for afterwards and answers nothing (ANS-6).
 */
export class Line {
  readonly #quiet: Quiet;
  #editing: Editing = newEditing("");
  #draft: Editing | null = null;
  #asked: { readonly request: InteractionRequest; armed: boolean; replied: boolean } | null = null;
  /** What is typed was meant for a question that somebody else has closed: a secret is not taken at all. */
  #deaf: "to-enter" | "to-all" | null = null;
  /** A line that stands there to be sent, and goes with the first letter. */
  #offered: { readonly editing: Editing; readonly onReplaced: () => void } | null = null;

  readonly #onBegun: (answer: string) => void;

  constructor({ onArmed, isTyped, onBegun }: LinePorts) {
    this.#onBegun = onBegun;
    this.#quiet = new Quiet(() => {
      this.#arm();
      onArmed();
    }, isTyped);
  }

  get editing(): Editing {
    return this.#editing;
  }

  get text(): string {
    return this.#editing.text;
  }

  /** The question that is shown. */
  get asked(): InteractionRequest | null {
    return this.#asked?.request ?? null;
  }

  /** Whether what is typed now is its answer. */
  get isAnswer(): boolean {
    return this.#asked?.armed === true;
  }

  /** Puts a line there that Enter sends, and that is gone as soon as something else is typed. */
  offer(text: string, onReplaced: () => void = () => {}): void {
    this.set(text);
    this.#offered = { editing: this.#editing, onReplaced };
  }

  set(text: string): void {
    this.#editing = newEditing(text, this.#editing);
  }

  key(key: Key, surrounding: Surrounding): Pick<Edited, "done" | "choices"> {
    if (this.#isUnheard(key)) return {};
    this.#replaceOffered(key);
    const early = this.#asked !== null && !this.#asked.armed;
    if (early) this.#quiet.disturb();
    // Typed ahead, a line end is no more than that.
    const isEnter = key.type === "key" && key.name === "enter";
    const { done, choices, ...editing } = edit(
      this.#editing,
      early && isEnter ? lineEnd : key,
      this.#around(surrounding),
    );
    this.#editing = editing;
    if (this.#asked !== null) this.#asked.replied = this.#asked.armed && done === "submit";
    return early && done === "eof" ? {} : { ...(done && { done }), ...(choices && { choices }) };
  }

  ask(request: InteractionRequest): void {
    this.close();
    this.#deaf = null;
    this.#asked = { request, armed: false, replied: false };
    this.#quiet.begin();
  }

  /** The question is shown once more: what was typed while it could not be seen answers nothing either. */
  again(): void {
    if (this.#asked !== null) this.ask(this.#asked.request);
  }

  /** The question is over: a half-typed answer is told and no line of its own, and what was begun before goes on. */
  close(): void {
    if (this.#asked === null) return;
    this.#quiet.cancel();
    const { armed, replied, request } = this.#asked;
    const begun = armed && !replied && !request.sensitive ? this.text : "";
    if (armed) this.#editing = this.#draft ?? newEditing("");
    this.#asked = null;
    this.#draft = null;
    if (begun.trim() !== "") this.#onBegun(begun);
    if (!armed || replied) return;
    // Somebody was about to answer: the rest of that is no line of its own.
    this.#deaf = request.sensitive ? "to-all" : "to-enter";
    this.#quiet.begin();
  }

  #replaceOffered(key: Key): void {
    if (this.#offered?.editing !== this.#editing || (key.type === "key" && key.name !== "eof")) return;
    this.set("");
    this.#offered.onReplaced();
  }

  #around({ past, complete }: Surrounding): Around {
    return {
      // Of a secret nothing is looked up, and nothing shown.
      complete: this.isAnswer && this.asked?.sensitive ? nothing : complete,
      // It is read from a file when a key first wants it.
      get history() {
        return past();
      },
    };
  }

  #isUnheard(key: Key): boolean {
    if (this.#deaf === null) return false;
    this.#quiet.disturb();
    if (key.type === "key") return key.name === "enter";
    return this.#deaf === "to-all";
  }

  #arm(): void {
    this.#deaf = null;
    if (this.#asked === null) return;
    this.#asked.armed = true;
    this.#draft = this.#editing;
    this.#editing = newEditing("");
  }
}

const nothing: Around["complete"] = (_, cursor) => ({ start: cursor, words: [] });
const lineEnd: Key = { type: "key", name: "newline" };
