import { useLayoutEffect, useReducer, useRef } from "preact/hooks";

/** A value that views follow. */
export class Store<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** What `select` takes of a store; drawn anew when that is another value. */
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S {
  const [, redraw] = useReducer((count: number, _: undefined) => count + 1, 0);
  const selected = select(store.value);
  const latest = useRef({ select, selected });
  latest.current = { select, selected };
  useLayoutEffect(() => {
    const look = (): void => {
      if (!Object.is(latest.current.select(store.value), latest.current.selected)) redraw(undefined);
    };
    // It may have changed between the drawing and now.
    look();
    return store.listen(look);
  }, [store]);
  return selected;
}
