import { Dice, shortened, type Told } from "./check.ts";
import { checkPlay } from "./play.ts";
import { checkReturns } from "./returns.ts";
import { checkSession } from "./session.ts";
import { checkWays } from "./ways.ts";

/** What one sequence met, by name: a sequence that never meets something proves nothing about it. */
type Met = ReadonlyMap<string, number>;

/**
 * One sequence: a random flow played line by line, or the same answers given in three ways, or restarts and edits, or a
 * session with questions of all kinds. Throws with the seed and what was typed when a promise is broken.
 */
export function checkSequence(seed: number): Met {
  const told: Told = { lines: [], met: new Map() };
  try {
    const dice = new Dice(seed);
    parts[dice.weighted({ play: 4, ways: 2, returns: 2, session: 3 })](dice, told);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const typed = told.lines.map((line) => shortened(JSON.stringify(line))).join("\n  ");
    throw new Error(`sequence ${seed}: ${reason}\nwhat was typed:\n  ${typed}`);
  }
  return told.met;
}

const parts = { play: checkPlay, ways: checkWays, returns: checkReturns, session: checkSession };
