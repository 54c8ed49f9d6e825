/** For tests of agents, this one or another: a server that speaks the APIs of models and plays a script. */
export * from "./testing/index.ts";
