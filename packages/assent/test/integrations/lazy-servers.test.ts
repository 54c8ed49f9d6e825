import { expect, test } from "vitest";
import { lazyServers } from "../../src/integrations/lazy-servers.ts";
import { watch } from "./place.ts";

test("nothing is loaded to say that nothing is connected; what cannot be loaded costs the call, and is tried again", async () => {
  const logged: string[] = [];
  let loads = 0;
  const load = async () => {
    loads += 1;
    throw new Error("broken");
  };
  const servers = lazyServers(load, (text) => void logged.push(text));
  await Promise.all([servers.close("x"), servers.leave("s"), servers.closeAll()]);
  expect([servers.offers("x"), servers.state("x"), loads]).toEqual([null, "not connected", 0]);
  const server = {
    name: "x",
    address: { type: "url", url: "https://x.example", headers: {} },
    sampling: false,
  } as const;
  const failed = "what connects to MCP servers is broken; the log says more";
  expect(await servers.open(server, watch())).toEqual({ failed });
  expect(await servers.read(server, "a:b", watch())).toEqual({ failed });
  expect([loads, logged.map((text) => text.split("\n")[0])]).toEqual([2, ["Error: broken", "Error: broken"]]);
});
