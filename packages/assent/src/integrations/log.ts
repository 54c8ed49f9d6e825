import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

/** Takes what is too long for the line that people see, such as whole errors; `name` is whose it is. */
type Log = (name: string, text: string) => void;

type LogOptions = {
  readonly folder: string;
  /** Without what must not be seen (INTG-4). */
  readonly hide: (text: string) => string;
  readonly now?: () => number;
  /** Longer than this it is put aside, and what was put aside before is gone. */
  readonly mostBytes?: number;
};

const logName = "integrations.log";
const usualBytes = 1024 * 1024;
/** Of one text no more than this: who floods it drives out everybody else's. */
const mostCharacters = 16 * 1024;

/** A file for its owner alone. It never fails: what cannot be written is not worth a call. */
export function openLog({ folder, hide, now = Date.now, mostBytes = usualBytes }: LogOptions): Log {
  const file = join(folder, logName);
  return (name, text) => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= mostBytes) renameSync(file, `${file}.1`);
      appendFileSync(file, lineOf(new Date(now()).toISOString(), name, hide(text)), { mode: 0o600 });
    } catch {
      // As said.
    }
  };
}

/** One line, whatever is in it: nobody can write what looks like another's, or command a terminal that shows it. */
function lineOf(time: string, name: string, text: string): string {
  const kept = text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`;
  const plain = kept.toWellFormed().replace(/\p{Cc}/gu, (each) => JSON.stringify(each).slice(1, -1));
  return `${time} ${name} ${plain.replace(/[\u007f-\u009f]/g, "\ufffd")}\n`;
}
