import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Around, type Edited, type Editing, edit, newEditing } from "../../../src/adapters/shell/editor.ts";
import { type Key, KeyDecoder } from "../../../src/adapters/shell/keys.ts";

const nothing: Around = { history: [], complete: (_, cursor) => ({ start: cursor, words: [] }) };

/** Types what a terminal would send. */
function type(editing: Editing, bytes: string, around: Around = nothing): Edited {
  const decoder = new KeyDecoder();
  return [...decoder.push(Buffer.from(bytes)), ...decoder.flush()].reduce<Edited>(
    (before, key) => edit(before, key, around),
    editing,
  );
}

function paste(editing: Editing, text: string): Edited {
  return edit(editing, { type: "paste", text }, nothing);
}

/** The text with a bar where the cursor is. */
function seen({ text, cursor }: Editing): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

const typed = (bytes: string, around?: Around) => seen(type(newEditing(""), bytes, around));

const left = "\x1b[D";
const right = "\x1b[C";
const up = "\x1b[A";
const down = "\x1b[B";
const home = "\x01";
const end = "\x05";

describe("moving and deleting", () => {
  test.each([
    ["typing", "abc", "abc|"],
    ["left and right", `abc${left}${left}${right}`, "ab|c"],
    ["typing in the middle", `ac${left}b`, "ab|c"],
    ["beyond the borders", `a${right}${left}${left}`, "|a"],
    ["home and end", `abc${home}x${end}y`, "xabcy|"],
    ["home of a row", `ab\ncd${home}x`, "ab\nx|cd"],
    ["end of a row", `ab\ncd${up}${home}${end}`, "ab|\ncd"],
    ["backspace", "abc\x7f", "ab|"],
    ["backspace at the beginning", `abc${home}\x7f`, "|abc"],
    ["backspace joins rows", `ab\ncd${home}\x7f`, "ab|cd"],
    ["delete", `abc${home}\x1b[3~`, "|bc"],
    ["Ctrl-D deletes while there is text", `abc${home}\x04`, "|bc"],
    ["back over a word", "one two\x1bb", "one |two"],
    ["forward over a word", `one two${home}\x1bf`, "one| two"],
    ["words of other scripts", "één 日本語 x\x1bb\x1bb", "één |日本語 x"],
    ["Ctrl-W to a blank", "cat a/b-c.txt  \x17", "cat |"],
    ["Alt-Backspace to the word's beginning", "cat a/b-c.txt\x1b\x7f", "cat a/b-c.|"],
    ["Alt-D", `one two${home}\x1bd`, "| two"],
    ["Ctrl-K", `one two${home}${right}\x0b`, "o|"],
    ["Ctrl-K at the end of a row", `ab\ncd${up}${end}\x0b`, "ab|cd"],
    ["Ctrl-U", `one two${left}\x15`, "|o"],
    ["Ctrl-U at the beginning of a row", `ab\ncd${home}\x15`, "ab|cd"],
    ["Ctrl-T at the end", "abc\x14", "acb|"],
    ["Ctrl-T in the middle", `abc${left}${left}\x14`, "ba|c"],
    ["Ctrl-T with nothing to change", "a\x14", "a|"],
    ["Ctrl-T stays in its row", "ab\nc\x14", "ab\nc|"],
  ])("%s", (_, bytes, after) => {
    expect(typed(bytes)).toBe(after);
  });
});

describe("a person's characters", () => {
  test.each([
    ["marks go with their letter", `ae\u0301b${left}\x7f`, "a|b"],
    ["pictures joined of several are one", `a👩‍👧‍👦${left}`, "a|👩‍👧‍👦"],
    ["flags are one", "🇩🇪🇫🇷\x7f", "🇩🇪|"],
    ["a mark that comes to a letter from behind is never parted from it", `\u0301${home}e`, "e\u0301|"],
    ["what is joined by a deletion is not parted", `🇩x🇪${left}\x7f`, "🇩🇪|"],
    ["they change places whole", "e\u0301x\x14", "xe\u0301|"],
  ])("%s", (_, bytes, after) => {
    expect(typed(bytes)).toBe(after);
  });
});

describe("killing and yanking", () => {
  test("what is killed comes back", () => {
    expect(typed(`one two\x17${home}\x19`)).toBe("two|one ");
  });

  test("what is killed in one go comes back as one, in its order", () => {
    expect(typed("one two three\x17\x17\x19")).toBe("one two three|");
    expect(typed(`one two three\x17${home}\x1bd\x0b\x19`)).toBe("one two |");
  });

  test("another key in between begins anew", () => {
    expect(typed(`one two\x17x\x17${home}\x19`)).toBe("x|one ");
  });

  test("the next line can have it", () => {
    const before = type(newEditing(""), "one two\x15");
    expect(seen(type(newEditing("", before), "\x19"))).toBe("one two|");
  });
});

describe("undoing", () => {
  test("takes back word by word, and what was killed at once", () => {
    const editing = [..."one two\x15"].reduce<Editing>((before, each) => type(before, each), newEditing(""));
    expect(seen(type(editing, "\x1f"))).toBe("one two|");
    expect(seen(type(editing, "\x1f\x1f"))).toBe("one|");
    expect(seen(type(editing, "\x1f\x1f\x1f\x1f"))).toBe("|");
  });

  test("brings a fold back as one", () => {
    const folded = paste(newEditing(""), "x".repeat(3_000));
    const back = type(type(folded, "\x7f"), "\x1f");
    expect([back.text, back.folds]).toEqual([folded.text, folded.folds]);
  });
});

describe("lines", () => {
  test("Enter submits what is there", () => {
    expect(type(newEditing(""), "abc\r")).toMatchObject({ text: "abc", done: "submit" });
    expect(type(newEditing(""), `abc${left}\r`)).toMatchObject({ text: "abc", done: "submit" });
  });

  test.each(["\n", "\x1b\r", "\x1b[27;2;13~", "\x1b[13;2u"])("%j begins a new one", (bytes) => {
    expect(typed(`a${bytes}b`)).toBe("a\nb|");
  });

  test("so does a backslash before Enter, unless it is escaped", () => {
    expect(typed("a\\\rb")).toBe("a\nb|");
    expect(type(newEditing(""), "a\\\\\r")).toMatchObject({ text: "a\\\\", done: "submit" });
    expect(type(newEditing(""), `a\\${left}\r`)).toMatchObject({ text: "a\\", done: "submit" });
  });

  test("up and down keep the column through shorter rows", () => {
    expect(typed(`abcdef\nxy\n日本語${left}${up}${up}`)).toBe("abcd|ef\nxy\n日本語");
    expect(typed(`abcdef\nxy\n日本語${up}${up}${down}${down}`)).toBe("abcdef\nxy\n日本語|");
  });
});

test.each([
  ["\x03", "interrupt"],
  ["\x1a", "suspend"],
  ["\x0c", "clear"],
  ["\x0f", "unfold"],
])("%j is told and changes nothing", (bytes, done) => {
  const before = type(newEditing(""), "abc");
  const after = type(before, bytes);
  expect([after.text, after.cursor, after.done]).toEqual(["abc", 3, done]);
  expect(type(after, "x").done).toBeUndefined();
});

test("Ctrl-D ends an empty text only", () => {
  expect(type(newEditing(""), "\x04").done).toBe("eof");
  expect(type(newEditing(""), "a\x04").done).toBeUndefined();
});

describe("the past", () => {
  const around: Around = { ...nothing, history: ["oldest", "two\nrows", "newest"] };

  test("is walked from its end, and back to what was typed", () => {
    expect(typed(`dr${left}${up}`, around)).toBe("newest|");
    expect(typed(`dr${left}${up}${up}`, around)).toBe("two\nrows|");
    expect(typed(`dr${left}${up}${down}`, around)).toBe("d|r");
    expect(typed(`dr${down}`, around)).toBe("dr|");
    expect(typed(`${up}${up}${up}${up}${up}${up}`, around)).toBe("oldest|");
  });

  test("its lines of several rows are walked through first", () => {
    expect(typed(`${up}${up}${up}`, around)).toBe("two|\nrows");
    expect(typed(`${up}${up}${up}${down}`, around)).toBe("two\nrows|");
  });

  test("a line of it can be changed, and undone", () => {
    expect(typed(`${up}!`, around)).toBe("newest!|");
    expect(typed(`dr${up}\x1f`, around)).toBe("dr|");
  });

  test("a very long line of it is shown folded, and is whole", () => {
    const long = "y".repeat(30_000);
    const { text, folds } = type(newEditing(""), up, { ...nothing, history: [long] });
    expect([text, folds]).toEqual([long, [{ start: 0, end: 30_000, label: "[pasted 30,000 characters]" }]]);
  });

  describe("searched", () => {
    test("not where nothing was typed before: at a question what is typed is its answer", () => {
      const typed = type(newEditing(""), "\x12hunter2", nothing);
      expect([typed.search, typed.text]).toEqual([null, "hunter2"]);
    });

    const past: Around = { ...nothing, history: ["make test", "git push", "make build", "git log"] };

    test("shows the newest line that has what was typed", () => {
      expect(typed("\x12ma", past)).toBe("ma|ke build");
      expect(type(newEditing(""), "\x12ma", past).search).toMatchObject({ typed: "ma", found: true });
    });

    test("goes further back with the same key, and says when there is none", () => {
      expect(typed("\x12ma\x12", past)).toBe("ma|ke test");
      const none = type(newEditing(""), "\x12ma\x12\x12", past);
      expect([seen(none), none.search?.found]).toEqual(["ma|ke test", false]);
    });

    test("is taken by Enter and by any other key", () => {
      expect(type(newEditing(""), "\x12push\r", past)).toMatchObject({
        text: "git push",
        done: "submit",
        search: null,
      });
      expect(typed(`\x12push${home}x`, past)).toBe("x|git push");
      expect(typed(`\x12push${up}`, past)).toBe("make test|");
    });

    test("is left by escape, with what was there before", () => {
      for (const leave of ["\x1b", "\x07", "\x03"]) {
        const left = type(newEditing(""), `dr\x12ma${leave}`, past);
        expect([seen(left), left.search, left.done]).toEqual(["dr|", null, undefined]);
      }
    });

    test("can be corrected", () => {
      expect(typed("\x12max\x7f\x7f\x7fgit p", past)).toBe("git p|ush");
    });
  });
});

describe("completion", () => {
  const offering = (...words: string[]): Around => ({
    ...nothing,
    complete: (text, cursor) => ({ start: text.lastIndexOf(" ", cursor - 1) + 1, words }),
  });

  test("one word is put in, with a blank", () => {
    expect(typed("/he\t", offering("/help"))).toBe("/help |");
    expect(typed(`a /he x${left}${left}\t`, offering("/help"))).toBe("a /help |x");
  });

  test("a folder gets none, so that it can go on", () => {
    expect(typed("sr\t", offering("src/"))).toBe("src/|");
  });

  test("several are put in as far as they agree, and shown the second time", () => {
    const around = offering("session", "sessions", "setup");
    const first = type(newEditing(""), "s\t", around);
    expect([seen(first), first.choices]).toEqual(["se|", undefined]);
    const second = type(first, "\t", around);
    expect([seen(second), second.choices]).toEqual(["se|", ["session", "sessions", "setup"]]);
    expect(type(second, "x", around).choices).toBeUndefined();
  });

  test("another key in between makes the second a first again", () => {
    const after = type(newEditing(""), "se\tx\x7f\t", offering("session", "setup"));
    expect(after.choices).toBeUndefined();
  });

  test("no character is cut in two by what agrees", () => {
    expect(typed("\t", offering("a😀", "a😁"))).toBe("a|");
  });

  test("nothing to offer changes nothing", () => {
    expect(typed("abc\t")).toBe("abc|");
  });
});

describe("a paste", () => {
  test("is put in where the cursor is, with its line ends and tabs", () => {
    expect(seen(paste(type(newEditing(""), `ab${left}`), "1\r\n2\r3\t\x07"))).toBe("a1\n2\n3\t\x07|b");
  });

  test.each([
    ["eleven lines", "x\n".repeat(11), "[pasted 11 lines]"],
    ["many lines", "x\n".repeat(1_234), "[pasted 1,234 lines]"],
    ["many characters", "x".repeat(2_001), "[pasted 2,001 characters]"],
  ])("of %s is shown by a label and stays whole", (_, text, label) => {
    const editing = paste(type(newEditing(""), "see "), text);
    expect(editing.text).toBe(`see ${text}`);
    expect(editing.folds).toEqual([{ start: 4, end: 4 + text.length, label }]);
    expect(editing.cursor).toBe(4 + text.length);
  });

  test("of ten lines is not", () => {
    expect(paste(newEditing(""), "x\n".repeat(10)).folds).toEqual([]);
  });

  test("that is folded is one character, and one line, to every key", () => {
    const text = "line\n".repeat(50);
    const editing = type(paste(type(newEditing(""), "a"), text), "b");
    const cursors = [left, `${left}${left}`, home, `${left}\x1bb`, `${home}${right}${right}`].map(
      (bytes) => type(editing, bytes).cursor,
    );
    expect(cursors).toEqual([251, 1, 0, 1, 251]);
    expect(seen(type(editing, `${left}\x7f`))).toBe("a|b");
    expect(seen(type(editing, `${home}${right}\x04`))).toBe("a|b");
    expect(seen(type(editing, `${left}\x17`))).toBe("a|b");
    expect(seen(type(editing, `${left}\x14`))).toBe(seen(type(editing, left)));
  });

  test("that is killed is yanked as one again", () => {
    const text = "line\n".repeat(50);
    const editing = type(paste(newEditing(""), text), "\x17\x19\x19");
    expect(editing.text).toBe(text + text);
    expect(editing.folds.map(({ label }) => label)).toEqual(["[pasted 50 lines]", "[pasted 50 lines]"]);
  });

  test("a terminal that marks none is known by how much comes at once", () => {
    expect(type(newEditing(""), "z".repeat(5_000)).folds).toEqual([
      { start: 0, end: 5_000, label: "[pasted 5,000 characters]" },
    ]);
  });

  test("of a megabyte is looked at a few times as a whole, however long it is, and its characters by none", () => {
    // What a key costs is counted by the copies of the text that it makes: the same few for any length.
    const copies = (length: number) => {
      const big = paste(newEditing(""), "日本\n".repeat(length / 3));
      const original = String.prototype.slice;
      let count = 0;
      String.prototype.slice = function slice(...given) {
        count++;
        return original.apply(this, given);
      };
      try {
        type(big, `x${left}${left}${home}${right}\x1bb\x7f\x1f${up}`);
      } finally {
        String.prototype.slice = original;
      }
      return count;
    };
    expect(copies(1_048_578)).toBe(copies(3_000));
  });
});

const anyKey: fc.Arbitrary<Key> = fc.oneof(
  fc
    .constantFrom(
      ...(["enter", "newline", "tab", "backtab", "backspace", "delete", "left", "right", "up", "down"] as const),
      ...(["home", "end", "word-left", "word-right", "escape", "interrupt", "eof", "suspend", "clear"] as const),
      ...(["kill-line", "kill-to-end", "kill-word", "kill-word-left", "kill-word-right", "yank", "transpose"] as const),
      ...(["unfold", "search", "page-up", "page-down", "undo"] as const),
    )
    .map((name) => ({ type: "key" as const, name })),
  fc.string({ unit: "binary" }).map((text) => ({ type: "text" as const, text: text.replace(/[\r\n]/g, "") })),
  fc
    .constantFrom(
      "a",
      " ",
      "é",
      "e\u0301",
      "\u0301",
      "🇩",
      "\u200d",
      "👩",
      "日",
      "\\",
      "\u0600",
      "\u1112",
      "\u1161",
      "क",
      "\u094d",
    )
    .map((text) => ({ type: "text" as const, text })),
  fc.string({ unit: "grapheme", maxLength: 30 }).map((text) => ({ type: "paste" as const, text })),
  fc.constantFrom("x\n".repeat(12), "é".repeat(2_100)).map((text) => ({ type: "paste" as const, text })),
);

const strange: Around = {
  history: ["one", "two\nrows\r\nthree", "", "e\u0301tude \ud83d", "日本"],
  complete: (text, cursor) => ({
    start: (cursor >> 1) - 1,
    words: text.length % 2 === 0 ? ["ab/", "a日"] : [`${cursor}x`],
  }),
};

/** Borders of characters in what is between folds and line ends. */
function bordersOf({ text, folds }: Editing): ReadonlySet<number> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const borders = new Set([0, text.length]);
  let from = 0;
  for (const { start, end } of [...folds, { start: text.length, end: text.length }]) {
    for (const { index, segment } of segmenter.segment(text.slice(from, start))) {
      borders.add(from + index).add(from + index + segment.length);
    }
    borders.add(start).add(end);
    from = end;
  }
  return borders;
}

describe("any keys", () => {
  test("never fail, and leave the cursor between characters", () => {
    fc.assert(
      fc.property(fc.array(anyKey, { maxLength: 40 }), (keys) => {
        let editing: Editing = newEditing("");
        for (const key of keys) {
          editing = edit(editing, key, strange);
          expect(bordersOf(editing).has(editing.cursor)).toBe(true);
          for (const { start, end } of editing.folds) expect(start < end && end <= editing.text.length).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("are all undone in the end", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(anyKey, { maxLength: 40 }), (text, keys) => {
        const before = newEditing(text);
        const undo: Key = { type: "key", name: "undo" };
        let editing: Editing = keys.reduce<Editing>((each, key) => edit(each, key, strange), before);
        // The first leaves a search.
        do editing = edit(editing, undo, strange);
        while (editing.changes !== null);
        expect([editing.text, editing.folds]).toEqual([before.text, []]);
      }),
    );
  });

  test("what is pasted is sent as it came", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
        const { text } = texts.reduce<Editing>((each, pasted) => paste(each, pasted), newEditing(""));
        // A mark at a paste's beginning may put the cursor behind what it joins: nothing is behind the end.
        expect(text).toBe(texts.map((each) => each.replace(/\r\n?/g, "\n")).join(""));
      }),
    );
  });
});
