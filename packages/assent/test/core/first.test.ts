import { expect, test } from "vitest";
import { complete, running, terminal } from "./story.ts";

test("a run goes from prompt to completion", () => {
  const told = running().model("", terminal("rm -rf build")).judge("ask").reply("1").start();
  told.finish("t2c1").model("done", complete());
  expect(told.find("exchange.ended")).toEqual({
    type: "exchange.ended",
    at: 1000,
    exchange: 1,
    text: "all done",
    outcome: "completed",
    status: "success",
  });
});
