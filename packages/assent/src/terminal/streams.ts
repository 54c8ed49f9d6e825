import { StringDecoder } from "node:string_decoder";
import type { ByteRedactor } from "../runtime/redacting.ts";
import { Capture, type Captured } from "./capture.ts";
import { Channel, orUndo } from "./channel.ts";
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
  /** What they give is all that is kept: in the file, for the model, for people who are asked. */
  readonly #redactors: Readonly<Record<StreamName, ByteRedactor>>;
  readonly #live: LiveOutput;
  #recent: Buffer = Buffer.alloc(0);

  constructor({ spill, onOutput, secrets }: Flowing) {
    const hide = (text: string) => secrets.hide(text);
    this.#live = new LiveOutput(onOutput);
    this.#redactors = { stdout: secrets.redactor(), stderr: secrets.redactor() };
    this.#captures = {
      stdout: new Capture({ spill: () => spill("stdout"), hide }),
      stderr: new Capture({ spill: () => spill("stderr"), hide }),
    };
    this.stdout = Channel.open((part) => this.#take("stdout", part));
    this.stderr = orUndo(
      () => Channel.open((part) => this.#take("stderr", part)),
      () => this.stdout.close(),
    );
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

  /** What was written since this was last asked for; without what may be the beginning of a secret. */
  taken(): Readonly<Record<StreamName, Captured>> {
    this.#release();
    return { stdout: this.#captures.stdout.take(), stderr: this.#captures.stderr.take() };
  }

  /** All that is left, and no more is wanted. */
  end(): Readonly<Record<StreamName, Captured>> {
    this.stdout.close();
    this.stderr.close();
    this.#keep("stdout", this.#redactors.stdout.end());
    this.#keep("stderr", this.#redactors.stderr.end());
    return { stdout: this.#captures.stdout.end(), stderr: this.#captures.stderr.end() };
  }

  /** The last lines of both, as they came. */
  recent(): string {
    this.#release();
    return plainText(this.#recent);
  }

  /** What came so far has been shown. */
  forgetRecent(): void {
    this.#recent = Buffer.alloc(0);
  }

  #take(stream: StreamName, part: Buffer): void {
    this.#live.take(stream, part);
    this.#keep(stream, this.#redactors[stream].add(part));
  }

  #release(): void {
    this.#keep("stdout", this.#redactors.stdout.release());
    this.#keep("stderr", this.#redactors.stderr.release());
  }

  #keep(stream: StreamName, part: Buffer): void {
    this.#captures[stream].add(part);
    const last = part.subarray(Math.max(0, part.length - mostRecent));
    this.#recent = Buffer.concat([this.#recent, last]).subarray(-mostRecent);
  }
}

/** Output while it comes, for people; dropped where there is too much of it. Who takes it hides what must not be seen. */
class LiveOutput {
  readonly #onOutput: OnOutput;
  readonly #decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  #since = 0;
  #bytes = 0;

  constructor(onOutput: OnOutput) {
    this.#onOutput = onOutput;
  }

  take(stream: StreamName, part: Buffer): void {
    const now = performance.now();
    if (now - this.#since > liveMs) {
      this.#since = now;
      this.#bytes = 0;
    }
    this.#bytes += part.length;
    if (this.#bytes <= mostLiveBytes) this.#onOutput(stream, this.#decoders[stream].write(part));
  }
}
