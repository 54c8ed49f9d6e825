import { connect } from "node:net";

export type Raw = {
  /** The status of each answer, in order. */
  readonly statuses: readonly number[];
  /** All that came. */
  readonly text: string;
  /** Whether the server closed the connection. */
  readonly closed: boolean;
};

/** Bytes as they are, to the server and back: nothing in between makes them better. */
export function rawly(port: number, bytes: string | readonly string[], patienceMs = 5_000): Promise<Raw> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let closed = false;
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ statuses, text, closed });
    };
    const timer = setTimeout(finish, patienceMs);
    socket.on("data", (part: Buffer) => {
      text += part.toString("latin1");
    });
    // A server that has heard enough resets the connection while more is being sent.
    socket.on("error", () => {});
    socket.on("close", () => {
      closed = true;
      finish();
    });
    for (const part of typeof bytes === "string" ? [bytes] : bytes) socket.write(part, "latin1");
  });
}
