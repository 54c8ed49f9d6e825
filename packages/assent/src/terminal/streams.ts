import { StringDecoder } from "node:string_decoder";
import { Capture, type Captured } from "./capture.ts";
import { Channel } from "./channel.ts";
import { plainText } from "./plain-text.ts";
import type { Spill } from "./spill.ts";
import type { TypedSecrets } from "./typed-secrets.ts";

export type StreamName = "stdout" | "stderr";
export type OnOutput = (stream: StreamName, text: string) => void;

/** Of what the command wrote last, this much is shown to a person who is asked to type. */
const mostRecent = 1_024;
/** Of what people see while it happens, this much in so long; a flood is nothing to look at. */
const mostLiveBytes = 64 * 1024;
const liveMs = 100;

export type Flowing = {
  /** Where an output goes that is too long to be kept; opened when that is so. */
  readonly spill: (stream: StreamName) => Spill;
  readonly onOutput: OnOutput;
  readonly secrets: TypedSecrets;
};

/** The two outputs of one command, from its start until nobody holds them any more. */
export class Streams {
  readonly stdout: Channel;
  readonly stderr: Channel;
  readonly #captures: Readonly<Record<StreamName, Capture>>;
  readonly #live: LiveOutput;
  readonly #secrets: TypedSecrets;
  #hidden = 0;
  #recent: Buffer = Buffer.alloc(0);

  constructor({ spill, onOutput, secrets }: Flowing) {
    this.#secrets = secrets;
    this.#live = new LiveOutput(onOutput, secrets);
    this.#captures = {
      stdout: new Capture({ spill: () => spill("stdout") }),
      stderr: new Capture({ spill: () => spill("stderr") }),
    };
    this.stdout = new Channel((part) => this.#take("stdout", part));
    this.stderr = new Channel((part) => this.#take("stderr", part));
  }

  /** Whether somebody may still write. */
  get open(): boolean {
    return this.stdout.open || this.stderr.open;
  }

  closeWriters(): void {
    this.stdout.closeWriter();
    this.stderr.closeWriter();
  }

  async drained(): Promise<void> {
    await Promise.all([this.stdout.drained(), this.stderr.drained()]);
  }

  /** What was written since this was last asked for. */
  taken(): Readonly<Record<StreamName, Captured>> {
    this.#hideSecrets();
    return { stdout: this.#captures.stdout.take(), stderr: this.#captures.stderr.take() };
  }

  /** All that is left, and no more is wanted. */
  end(): Readonly<Record<StreamName, Captured>> {
    this.stdout.close();
    this.stderr.close();
    this.#live.end();
    this.#hideSecrets();
    return { stdout: this.#captures.stdout.end(), stderr: this.#captures.stderr.end() };
  }

  /** The last lines of both, as they came. */
  recent(): string {
    return plainText(this.#recent);
  }

  /** What came so far has been shown. */
  forgetRecent(): void {
    this.#recent = Buffer.alloc(0);
  }

  #take(stream: StreamName, part: Buffer): void {
    this.#hideSecrets();
    this.#captures[stream].add(part);
    this.#live.take(stream, part);
    const last = part.subarray(Math.max(0, part.length - mostRecent));
    this.#recent = Buffer.concat([this.#recent, last]).subarray(-mostRecent);
  }

  /** Also those that were typed to another command since. */
  #hideSecrets(): void {
    const { all } = this.#secrets;
    if (all.length === this.#hidden) return;
    this.#hidden = all.length;
    for (const capture of Object.values(this.#captures)) for (const secret of all) capture.hide(secret);
  }
}

/** Output while it comes, for people; dropped where there is too much of it. */
class LiveOutput {
  readonly #onOutput: OnOutput;
  readonly #secrets: TypedSecrets;
  readonly #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  /** What may be the beginning of a secret. */
  readonly #held = { stdout: "", stderr: "" };
  #since = 0;
  #bytes = 0;

  constructor(onOutput: OnOutput, secrets: TypedSecrets) {
    this.#onOutput = onOutput;
    this.#secrets = secrets;
  }

  take(stream: StreamName, part: Buffer): void {
    const now = performance.now();
    if (now - this.#since > liveMs) {
      this.#since = now;
      this.#bytes = 0;
    }
    this.#bytes += part.length;
    if (this.#bytes > mostLiveBytes) return;
    const text = this.#secrets.hide(this.#held[stream] + this.#decoders[stream].write(part));
    const held = Math.max(0, (this.#secrets.all[0]?.length ?? 0) - 1);
    this.#held[stream] = held === 0 ? "" : text.slice(-held);
    this.#onOutput(stream, held === 0 ? text : text.slice(0, -held));
  }

  /** What was held was no secret. */
  end(): void {
    for (const stream of ["stdout", "stderr"] as const) {
      if (this.#held[stream] !== "") this.#onOutput(stream, this.#held[stream]);
      this.#held[stream] = "";
    }
  }
}
