export { type Scripted, scriptedProvider } from "./scripted.ts";
