export { scriptedProvider } from "./scripted.ts";
