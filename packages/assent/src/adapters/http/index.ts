export type { Serving } from "./app.ts";
export type { Page, PageFile } from "./page.ts";
export { isLoopback, type Listening, namesOf, openServer, urlOf } from "./server.ts";
export { Tickets } from "./tickets.ts";
