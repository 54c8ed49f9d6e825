// What each path of the package exports, followed to where it is declared.
import { readFileSync } from "node:fs";
import { type DeclarationFile, type Declared, type Origin, readDeclarations } from "./declarations.ts";

export type Export = Omit<Declared, "mentions"> & {
  /** Where it is declared: the same wherever it is exported from. */
  readonly origin: string;
  /** The package's own declarations that it mentions: their names, and where they are. */
  readonly mentions: ReadonlyMap<string, string>;
};

/** By the names that importers use, in their order. */
export type Surface = ReadonlyMap<string, Export>;

export class Declarations {
  readonly #files = new Map<string, DeclarationFile>();

  /** What a file exports. */
  surface(file: string): Surface {
    const names = [...this.#exportsOf(file)].sort(([one], [other]) => (one < other ? -1 : 1));
    return new Map(names.map(([name, origin]) => [name, this.#exportAt(origin)]));
  }

  #exportAt(origin: Origin): Export {
    const declared = this.#file(origin.file).declared.get(origin.name);
    if (declared === undefined) throw new Error(`expected ${origin.name} in ${origin.file}, came nothing`);
    const mentions = [...declared.mentions].flatMap((name) => {
      const found = this.#resolve({ file: origin.file, name });
      return found === null || placeOf(found) === placeOf(origin) ? [] : [[name, placeOf(found)] as const];
    });
    return { ...declared, origin: placeOf(origin), mentions: new Map(mentions) };
  }

  /** A name as a file uses it, followed to where it is declared; `null` for what is not the package's own. */
  #resolve({ file, name }: Origin): Origin | null {
    const { declared, imported } = this.#file(file);
    if (declared.has(name)) return { file, name };
    const from = imported.get(name);
    return from === undefined ? null : (this.#exportsOf(from.file).get(from.name) ?? null);
  }

  #exportsOf(file: string): ReadonlyMap<string, Origin> {
    const { exported, all } = this.#file(file);
    const own = [...exported].flatMap(([name, origin]) => {
      const found = origin.file === file ? this.#resolve(origin) : this.#exportsOf(origin.file).get(origin.name);
      return found === null || found === undefined ? [] : [[name, found] as const];
    });
    return new Map([...all.flatMap((each) => [...this.#exportsOf(each)]), ...own]);
  }

  #file(file: string): DeclarationFile {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const read = readDeclarations(file, readFileSync(file, "utf8"));
    this.#files.set(file, read);
    return read;
  }
}

function placeOf({ file, name }: Origin): string {
  return `${file}#${name}`;
}
