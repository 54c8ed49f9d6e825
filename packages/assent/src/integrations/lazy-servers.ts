import { type Failed, failed, type McpServers } from "./types.ts";

/** The connections, of which nothing is loaded before the first one is made: a start connects to nothing. */
export function lazyServers(load: () => Promise<McpServers>, log: (text: string) => void): McpServers {
  let loading: Promise<McpServers> | null = null;
  let loaded: McpServers | null = null;
  const servers = async (): Promise<McpServers> => {
    loading ??= load();
    try {
      loaded = await loading;
      return loaded;
    } catch (error) {
      // The next one may have more luck.
      loading = null;
      throw error;
    }
  };
  const using = async <T>(use: (servers: McpServers) => Promise<T>): Promise<T | Failed> => {
    try {
      return await use(await servers());
    } catch (error) {
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      return failed("what connects to MCP servers is broken; the log says more");
    }
  };
  const closing = async (close: (servers: McpServers) => Promise<void>): Promise<void> => {
    if (loading !== null) await using(close);
  };
  return {
    open: (server, watch) => using((each) => each.open(server, watch)),
    call: (server, call, watch) => using((each) => each.call(server, call, watch)),
    read: (server, uri, watch) => using((each) => each.read(server, uri, watch)),
    prompt: (server, prompt, watch) => using((each) => each.prompt(server, prompt, watch)),
    offers: (name) => loaded?.offers(name) ?? null,
    state: (name) => loaded?.state(name) ?? "not connected",
    close: (name) => closing((each) => each.close(name)),
    leave: (session) => closing((each) => each.leave(session)),
    closeAll: () => closing((each) => each.closeAll()),
  };
}
