export * from "./blank.ts";
export * from "./contract.ts";
export * from "./render.ts";
export * from "./reply.ts";
export * from "./request.ts";
export * from "./response.ts";
export * from "./visible.ts";
