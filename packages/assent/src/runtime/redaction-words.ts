/**
 * Finds many words in one pass over bytes, however they overlap (after Aho and Corasick). A node is what has been read of one
 * or more words; node 0 is nothing yet.
 */
export class Words {
  readonly #root = new Int32Array(256);
  /** By node: its first child, and the next one of the same parent. */
  readonly #child: number[] = [0];
  readonly #sibling: number[] = [0];
  readonly #byte: number[] = [0];
  /** By node: the longest beginning of a word that its end is, too. */
  readonly #shorter: number[] = [0];
  /** By node: how much has been read of words that may go on. */
  readonly #depth: number[] = [0];
  /** By node: the length of the longest word that ends here, or of enough of one to be taken for it; 0 for none. */
  readonly #found: number[] = [0];

  /** `enough` says how much of a word of that length is taken for it, cut off as it is. */
  constructor(words: readonly Buffer[], enough: (length: number) => number) {
    for (const word of words) this.#add(word, enough(word.length));
    this.#link();
  }

  next(node: number, byte: number): number {
    for (let from = node; from !== 0; from = at(this.#shorter, from)) {
      const child = this.#childOf(from, byte);
      if (child !== 0) return child;
    }
    return at(this.#root, byte);
  }

  depth(node: number): number {
    return at(this.#depth, node);
  }

  found(node: number): number {
    return at(this.#found, node);
  }

  #childOf(node: number, byte: number): number {
    let child = at(this.#child, node);
    while (child !== 0 && this.#byte[child] !== byte) child = at(this.#sibling, child);
    return child;
  }

  #add(word: Buffer, enough: number): void {
    let node = 0;
    for (const [index, byte] of word.entries()) {
      const known = node === 0 ? at(this.#root, byte) : this.#childOf(node, byte);
      node = known === 0 ? this.#grow(node, byte) : known;
      if (index + 1 >= enough) this.#found[node] = index + 1;
    }
  }

  #grow(parent: number, byte: number): number {
    const node = this.#depth.length;
    if (parent === 0) this.#root[byte] = node;
    this.#sibling.push(parent === 0 ? 0 : at(this.#child, parent));
    this.#child.push(0);
    if (parent !== 0) this.#child[parent] = node;
    this.#byte.push(byte);
    this.#shorter.push(0);
    this.#depth.push(this.depth(parent) + 1);
    this.#found.push(0);
    return node;
  }

  /** By depth: what is shorter is linked already. */
  #link(): void {
    const nodes = [...this.#root].filter((node) => node !== 0);
    // The list grows while it is gone through.
    for (const node of nodes) {
      for (let child = at(this.#child, node); child !== 0; child = at(this.#sibling, child)) {
        const shorter = this.next(at(this.#shorter, node), at(this.#byte, child));
        this.#shorter[child] = shorter;
        this.#found[child] = Math.max(this.found(child), this.found(shorter));
        // Nothing goes on from here but what is shorter.
        if (this.#child[child] === 0) this.#depth[child] = this.depth(shorter);
        nodes.push(child);
      }
    }
  }
}

/** Every node has its place in every list, and every byte in the root. */
function at(list: Int32Array | readonly number[], index: number): number {
  return list[index] ?? 0;
}
