export { type ApiClient, apiClient, type Done, type Events, type Paging, type Stretch } from "./client.ts";
export { type GivenAnswer, newAnswerId, type RespondOptions } from "./respond.ts";
export type { Place, Refused, Result } from "./result.ts";
export type { Connection, Ended, StreamOptions } from "./stream.ts";
export type { Changed, Watched, WatchOptions } from "./watching.ts";
