import { describe, expect, test } from "vitest";
import { type Lintable, lintQuestion, lintRequest, type Violation, violations } from "./contract.ts";
import { approvalDraft, approvalRequest, type InteractionRequest, ruleRequest, turnLimitRequest } from "./request.ts";

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");
const labelled = (...labels: readonly string[]) => labels.map((label, index) => ({ id: `o${index + 1}`, label }));

function lint(draft: Partial<Lintable>): readonly Violation[] {
  return lintQuestion({ question: "Which one?", options: labelled("Red", "Blue"), allow_free_text: true, ...draft });
}

describe("the instruction", () => {
  test.each<[string, readonly Violation[]]>([
    ["Which one?", []],
    ["Где хранить данные?", []],
    ["选择一个数据库来存储项目数据？", []],
    ["どのデータベースを使いますか？", []],
    ["เลือกฐานข้อมูลสำหรับโครงการ", []],
    ["أي قاعدة بيانات تريد أن تستخدم؟", []],
    ["کدام پایگاه داده را می\u200cخواهید؟", []],
    ["Deploy as 👩\u200d💻 ❤️?", []],
    [words(15), []],
    [words(16), ["instruction-too-long"]],
    [`${words(15)} — … !`, []],
    [`${words(15)} 7`, ["instruction-too-long"]],
    [`${words(15)}\u00a0more`, ["instruction-too-long"]],
    [words(15, "well-known"), []],
    ["选择数据，".repeat(7), []],
    ["选择数据，".repeat(8), ["instruction-too-long"]],
    ["เลือกฐานข้อมูล".repeat(8), ["instruction-too-long"]],
    ["", ["instruction-empty"]],
    [" \u3000", ["instruction-empty"]],
    ["\u200b", ["instruction-empty", "instruction-hidden-characters"]],
    ["\n", ["instruction-empty", "instruction-not-one-line"]],
    ...["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"].map((end): [string, readonly Violation[]] => [
      `Which${end}one?`,
      ["instruction-not-one-line"],
    ]),
    ...["\t", "\0", "\x1b[1m", "\u00ad", "\u200b", "\u200e", "\u202e", "\ufeff", "\ud800", "\u{e0041}"].map(
      (character): [string, readonly Violation[]] => [`Wh${character}ich?`, ["instruction-hidden-characters"]],
    ),
    ["Which\u200d one?", ["instruction-hidden-characters"]],
    ["Which \u200cone?", ["instruction-hidden-characters"]],
    ["Which one?\u200d", ["instruction-hidden-characters"]],
    ["\u200cWhich one?", ["instruction-hidden-characters"]],
    ["Wh\u200c\u200cich?", ["instruction-hidden-characters"]],
    [" Which one?", ["instruction-blank-edges"]],
    ["Which one?\u3000", ["instruction-blank-edges"]],
    ["Which one?\u2800", ["instruction-blank-edges"]],
    ["Which one?\n", ["instruction-not-one-line", "instruction-blank-edges"]],
    [`${words(9)}\n${words(9)}`, ["instruction-not-one-line", "instruction-too-long"]],
  ])("%j breaks %j", (question, broken) => {
    expect(lint({ question })).toEqual(broken);
  });
});

describe("one sentence", () => {
  test.each([
    "Which one.",
    "Use Node.js or .NET?",
    "Deploy version 1.2. now?",
    "Really?! yes?",
    "Use e.g. Postgres here?",
    "Use a database (e.g. Postgres)?",
    "Deploy to U.S. East?",
    "Meet at 5 p.m. UTC?",
    "Ask Dr. Smith or Mr. Jones?",
    "Node vs. Deno?",
    "Delete logs, caches etc. (safe)?",
    "Выбрать базу, т. е. Postgres?",
    "Выбрать базу, т.е. Postgres?",
    "Удалить логи и т. д. (безопасно)?",
    "Взять напр. Redis?",
    "Nimm z. B. Postgres?",
    "Nimm z.B. Postgres (d. h. Version 5)?",
    "Datenbank inkl. Logs bzw. Caches löschen?",
    "Utiliser p. ex. Postgres ?",
    "¿Usar p. ej. Postgres?",
    "¿Servidor en EE. UU. Este?",
    "続けますか？",
    "「続けますか？」",
    "本当に！？",
    "Fertig? „Ja“",
    "Delete it…",
    "هل تريد المتابعة؟",
  ])("%j is one", (question) => {
    expect(lint({ question })).toEqual([]);
  });

  test.each([
    "Done. Which one?",
    "Done!  Which one?",
    "Ready? Choose.",
    "Ready? (yes/no)",
    "Ready? [Yes]",
    "Готово. Что дальше?",
    "Готово!\u00a0Что дальше?",
    "Wait... What?",
    "Open the MR. Continue?",
    "Take plan B. Continue?",
    "Use xe.g. Postgres?",
    "Use e.g. Postgres. Continue?",
    "Fertig. Öffnen?",
    "完成。选择哪个？",
    "完成！ 选择哪个？",
    "続けますか？（はい）",
    "本当？Yes",
  ])("%j is more", (question) => {
    expect(lint({ question })).toEqual(["instruction-not-one-sentence"]);
  });
});

describe("markup", () => {
  test.each([
    "Run `ls` now?",
    "Which ` one?",
    "Which **one** now?",
    "**Which one?**",
    "Delete **all**.",
    "**Note.** which one?",
    "Which *one* now?",
    "Which ***one*** now?",
    "Which ~~one~~ now?",
    "Which __one of these__ now?",
    "请**确认**删除？",
    "Удалить **все данные**?",
    "Read [the docs](https://example.com) first?",
    "Read ![x](y.png) first?",
    "# Which one?",
    "### Which one?",
    "> Which one?",
    "- Which one?",
    "* Which one?",
    "Which <b>one</b> now?",
    'Which <a href="x">one</a> now?',
    "Which<br>one?",
    "Which<BR />one?",
    "Which one? <!-- hm -->",
    "Open <https://example.com> now?",
  ])("%j has some", (question) => {
    expect(lint({ question })).toEqual(["instruction-markup"]);
    expect(lint({ options: [{ id: "a", label: question.split(" ").slice(0, 5).join(" ") }] })).toContain(
      "option-markup",
    );
  });

  test.each([
    "Delete **/*.ts now?",
    "Delete **/*.ts and **/*.js now?",
    "Delete **/node_modules/** now?",
    "Delete src/**/*.ts, test/**/*.ts now?",
    "Delete *.tmp and *.log?",
    "Match *.* or *?",
    'Match "*" or "*"?',
    "Delete foo* and bar*?",
    "Delete *foo*.ts and a**.js?",
    "Pass *args and **kwargs?",
    "Compute 2*3*4 or 2**3**4?",
    "Compute a * b * c?",
    "Rename snake__case to __init__ or __main__?",
    "Rename _id to id_?",
    "Push <branch> to <remote>?",
    "Is a > b or a < b?",
    "Use C# or F#?",
    "Close #123?",
    "Use -x or --yes?",
    "Call handlers[0](event) or matrix[i][j]?",
    "Read [draft] (old)?",
    "Approve ~/bin and ~root?",
    "Is List<string> or Map<a, b> better?",
    "+1?",
  ])("%j has none", (question) => {
    expect(lint({ question })).toEqual([]);
  });

  test.each(["> 100 MB", "< 10 MB", "-5 °C", "C#", "#123", "*.tmp", "**/*.ts", "<branch>", "__init__"])(
    "the option %j has none",
    (label) => {
      expect(lint({ options: labelled(label) })).toEqual([]);
    },
  );
});

describe("a label", () => {
  test.each([
    "Answer: which one?",
    "ANSWER : which one?",
    "Your answer: which one?",
    "Question: which one?",
    "Choose:",
    "Choose: red or blue?",
    "Select one:",
    "Please choose:",
    "Which one? answer:",
    "Which one — answer:",
    "Single choice",
    "Single choice.",
    "single choice: which one?",
    "(single choice) which one?",
    "[Single choice] which one?",
    "Which one (single choice)?",
    "Which one (multi-select)",
    "Ответ: какой из них?",
    "Выберите:",
    "Ваш ответ:",
    "Какой (одиночный выбор)?",
    "Antwort: welche?",
    "Einfachauswahl",
    "Réponse : laquelle ?",
    "¿Cuál (opción única)?",
    "答案：选择哪个？",
    "请选择：",
    "【单选】哪个数据库？",
    "回答：どれ？",
    "どれ（単一選択）",
    "답변: 어느 것?",
    "الإجابة: أيهما؟",
    "پاسخ شما: کدام؟",
    "คำตอบ: อันไหน",
  ])("%j has one", (question) => {
    expect(lint({ question }).filter((violation) => violation !== "instruction-not-one-sentence")).toEqual([
      "instruction-label",
    ]);
  });

  test("after a question mark is a second sentence too", () => {
    expect(lint({ question: "Which one? Answer:" })).toEqual(["instruction-not-one-sentence", "instruction-label"]);
    expect(lint({ question: "选哪个？答案：" })).toEqual(["instruction-not-one-sentence", "instruction-label"]);
  });

  test.each([
    "Choose a database:",
    "Choose an answer:",
    "To continue, choose one:",
    "Type your answer:",
    "Choose one option:",
    "Choose one",
    "Option::None or a default?",
    "Database: keep or drop?",
    "Question type: multiple choice?",
    "Use single choice or text?",
    "Which answer: red or blue?",
    "Выберите базу данных:",
    "Напишите ваш ответ:",
    "Gib eine Antwort:",
    "请选择一个数据库：",
    "データベースを選んでください：",
    "به کدام پایگاه داده:",
  ])("%j has none", (question) => {
    expect(lint({ question })).toEqual([]);
  });
});

describe("a request of the program", () => {
  const approval = (command: string) =>
    lintRequest(approvalRequest("i1", approvalDraft({ tool: "shell", cwd: "/", command }), "digest"));
  const summary = (question: string, more: Partial<InteractionRequest> = {}) =>
    lintRequest({ ...turnLimitRequest("i1"), continuation_id: "flow", question, ...more });

  test("shows a command of any length and form in one line", () => {
    expect(approval(`echo "Done. Now" **x** \`id\` ${words(40)}`)).toEqual([]);
    expect(approval("a\nb\t\x1b\u202e")).toEqual([]);
    const rule = { question: `Save this rule: always allow ${words(40)}. Now in this project? (yes/no)`, subject: {} };
    expect(lintRequest(ruleRequest("i1", rule, "d"))).toEqual([]);
    const { subject: _, ...bare } = approvalRequest("i1", approvalDraft({ tool: "t", cwd: "/", command: "ls" }), "d");
    expect(lintRequest(bare)).toEqual(["instruction-not-one-sentence"]);
    const request = approvalRequest("i1", { question: "Approve command: a\nb\tc? (yes/no)", subject: {} }, "d");
    expect(lintRequest(request)).toEqual(["instruction-not-one-line", "instruction-hidden-characters"]);
    expect(lintRequest({ ...request, question: "Approve **this**?" })).toEqual(["instruction-markup"]);
    expect(lintRequest({ ...request, options: labelled("Other") })).toContain("option-other");
  });

  test("sums up a flow in as many lines as it has steps", () => {
    expect(summary(`Summary:\n- db: Postgres. **Yes**\n- why: ${words(40)}`)).toEqual([]);
    expect(summary("Summary:\n- db: a\tb")).toEqual(["instruction-hidden-characters"]);
    expect(summary("Summary:\n- db: a\n")).toContain("instruction-not-one-line");
    expect(summary("Summary:\n- db: a\nWhich one?")).toEqual(["instruction-not-one-line"]);
    expect(summary("Summary:\n- db: a\u0085b")).toEqual(["instruction-not-one-line"]);
    expect(summary("Summary:\n- db: a", { kind: "question" })).toEqual(["instruction-not-one-line"]);
  });

  test("keeps the contract otherwise", () => {
    expect(lintRequest(turnLimitRequest("i1"))).toEqual([]);
  });
});

test("everything wrong is named, each once, in a fixed order", () => {
  const label = ` **Bold**\n\t${words(5)}`;
  const options = [...Array.from({ length: 8 }, () => ({ id: "same", label })), ...labelled("", "1) x", "Other")];
  const question = `Answer: **${words(16)}**. Now\t\n`;
  const draft = { question, options: [...options, { id: "", label: "x" }], default_option_id: "?", max_selected: 0 };
  expect(lint(draft)).toEqual(
    violations.filter((violation) => violation !== "instruction-empty" && violation !== "no-way-to-answer"),
  );
  expect(lint({ question: "", options: [], allow_free_text: false })).toEqual([
    "instruction-empty",
    "no-way-to-answer",
  ]);
});
