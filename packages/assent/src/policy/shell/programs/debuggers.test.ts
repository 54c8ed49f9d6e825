import { describe, expect, it } from "vitest";
import { debuggers } from "./debuggers.ts";
import { deeds } from "./given.fixture.ts";

const cases: Readonly<Record<string, readonly string[]>> = {
  "gdb -batch -ex bt ./app core": ["gdb: bt"],
  "gdb -batch --ev 'shell rm -rf x'": ["gdb: shell rm -rf x"],
  "gdb --args rm -rf x": ["run rm -rf x", "gdb from input"],
  "gdb -batch -x a.gdb": ["gdb script a.gdb"],
  "lldb -b -o 'platform shell id' -- ./app -x": ["gdb: platform shell id", "run ./app -x"],
  "strace -f -o t.log rm -rf build": ["write t.log", "run rm -rf build"],
  "strace -o '|sh' ls": ["shell sh", "run ls"],
  "strace -u root -E LD_PRELOAD=x id": ["privilege-escalation", "variable LD_PRELOAD=x", "run id"],
  "perf record -g -o p.data -- rm -r x": ["write p.data", "run rm -r x"],
  "perf stat --pre 'rm -rf x' ls": ["shell rm -rf x", "run ls"],
  "perf report": [],
  "valgrind --leak-check=full ./app": ["run ./app"],
  "valgrind --log-file=/etc/x rm -r y": ["write /etc/x", "run rm -r y"],
  "rr record rm -rf x": ["run rm -rf x"],
  "gdbserver :1 rm -rf x": ["run rm -rf x"],
  "kcov out rm -r x": ["write out", "run rm -r x"],
  "strip /usr/bin/x": ["write /usr/bin/x"],
};

describe("the deeds of debuggers", () => {
  it.each(Object.entries(cases))("are known for: %s", (line, expected) => {
    expect(deeds(debuggers, line)).toEqual(expected);
  });
});
