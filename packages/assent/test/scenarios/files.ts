import { readdirSync, readFileSync } from "node:fs";

export type ScenarioFile = { readonly file: string; readonly text: string };

export function scenariosIn(name: string): readonly ScenarioFile[] {
  const folder = new URL(`${name}/`, import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({ file: `${name}/${file}`, text: readFileSync(new URL(file, folder), "utf8") }));
}
