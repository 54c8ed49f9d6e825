import { expect, test } from "vitest";
import { decide, fold, newSession } from "../../src/core/index.ts";
import { ask, type Story, story, terminal } from "./story.ts";

const question = { options: [{ id: "1", label: "A" }], timeout_ms: 500 };

test.each<[string, (told: Story) => Story]>([
  ["the policy refused a call", (told) => told.model("", terminal()).judge("deny")],
  ["a person refused a call", (told) => told.model("", terminal()).judge("ask").reply("2")],
  ["a call had changed before it could start", (told) => changed(told.model("", terminal()).judge("allow"))],
  ["a question expired", (told) => told.model("", ask(question)).wait(500)],
  ["a question was aborted", (told) => nonsense(told.model("", ask(question)))],
  ["nobody was there to answer", (told) => told.model("", ask(question)).nobody("deny")],
])("an exchange that ends well says so when %s", (_what, happens) => {
  const told = happens(story().prompt()).model("the end");
  expect(told.find("exchange.ended")).toMatchObject({ outcome: "answered", refused: true });
  expect(told.prompt("again").model("fine").find("exchange.ended")).not.toHaveProperty("refused");
});

test.each<[string, (told: Story) => Story]>([
  ["a command ran", (told) => told.model("", terminal()).runTools()],
  ["a command failed", (told) => told.model("", terminal()).runTools("no", { type: "error" })],
  ["a person approved", (told) => told.model("", terminal()).judge("ask").reply("1").start().finish("t1c1")],
  ["a person answered", (told) => told.model("", ask(question)).reply("1")],
])("an exchange that ends well says nothing of a refusal when %s", (_what, happens) => {
  expect(happens(story().prompt()).model("the end").find("exchange.ended")).not.toHaveProperty("refused");
});

test("an exchange that ends otherwise tells that instead", () => {
  const told = story().prompt().model("", terminal()).judge("deny").modelFails();
  expect(told.find("exchange.ended")).toMatchObject({ outcome: "failed" });
  expect(told.find("exchange.ended")).not.toHaveProperty("refused");
});

test("an exchange knows the event of its last reply, or of its start", () => {
  const told = story().prompt();
  const last = () => told.events[(told.session.exchange?.since ?? 0) - 1];
  expect(last()).toBe(told.find("exchange.started"));
  told.model("", ask(question));
  expect(last()).toBe(told.find("model.replied"));
  const [first] = [told.find("model.replied"), told.reply("1").model("", terminal())];
  expect(last()).toBe(told.find("model.replied"));
  expect(last()).not.toBe(first);
});

test("a session remembers the model it was made for, if one was named", () => {
  const creation = { type: "creation", session: "s", cwd: "/", limits: {}, at: 1 } as const;
  expect(fold(decide(newSession(), creation).events).model).toBeNull();
  expect(fold(decide(newSession(), { ...creation, model: "scripted:a" }).events).model).toBe("scripted:a");
});

function changed(told: Story): Story {
  return told.give({ type: "tool-start", call: "t1c1", digest: "of something else" });
}

function nonsense(told: Story): Story {
  for (let attempt = 0; attempt < 4; attempt++) told.reply("");
  return told;
}
