import { describe, expect, test } from "vitest";
import { type Lintable, lintQuestion, type Violation } from "./contract.ts";

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");
const labelled = (...labels: readonly string[]) => labels.map((label, index) => ({ id: `o${index + 1}`, label }));

function lint(draft: Partial<Lintable>): readonly Violation[] {
  return lintQuestion({ question: "Which one?", options: labelled("Red", "Blue"), allow_free_text: true, ...draft });
}

describe("the options", () => {
  const six = ["one", "two", "three", "four", "five", "six"];
  test.each<[string, readonly string[], readonly Violation[]]>([
    ["one", ["Go"], []],
    ["none, with free text", [], []],
    ["seven", [...six, "seven"], []],
    ["eight", [...six, "seven", "eight"], ["too-many-options"]],
    ["five words", [words(5), "b"], []],
    ["six words", [words(6), "b"], ["option-too-long"]],
    ["five Chinese words", ["选择数据选择数据选择"], []],
    ["six Chinese words", ["选择数据选择数据选择数据"], ["option-too-long"]],
    ["an empty one", ["a", ""], ["option-empty"]],
    ["a blank one", ["a", " \u3000"], ["option-empty"]],
    ["an invisible one", ["a", "\u200b"], ["option-empty", "option-hidden-characters"]],
    ["a line break", ["a", "b\n2) c"], ["option-not-one-line"]],
    ["a carriage return", ["a", "b\rc"], ["option-not-one-line"]],
    ["a line separator", ["a", "b\u2028c"], ["option-not-one-line"]],
    ["a next-line character", ["a", "b\u0085c"], ["option-not-one-line"]],
    ["a tab", ["a", "b\tc"], ["option-hidden-characters"]],
    ["an escape", ["a", "\x1b[1mb"], ["option-hidden-characters"]],
    ["a lone surrogate", ["a", "b\udc00"], ["option-hidden-characters"]],
    ["a direction mark", ["a", "b\u202ec"], ["option-hidden-characters"]],
    ["joiners inside words", ["می\u200cخواهم", "👩\u200d💻"], []],
    ["nothing but a tab", ["a", "\t"], ["option-empty", "option-hidden-characters"]],
    ["two lines, six words", ["a", `${words(3)}\n${words(3)}`], ["option-not-one-line", "option-too-long"]],
    ["a blank edge", ["a", "b "], ["option-blank-edges"]],
    ["a number", ["1) Red", "Blue"], ["option-numbered"]],
    ["a wide number", ["12） Red", "Blue"], ["option-numbered"]],
    ["Arabic digits", ["١) أحمر", "أزرق"], ["option-numbered"]],
    ["figures that number nothing", ["1 (fast)", "2.5 GB", "3", "f(1) x", "(2) two"], []],
    ["two alike", ["Red", "Red"], ["options-alike"]],
    ["another case", ["Red", "rED"], ["options-alike"]],
    ["sharp s", ["STRASSE", "straße", "x"], ["options-alike"]],
    ["capital sharp s", ["STRAẞE", "strasse"], ["options-alike"]],
    ["final sigma", ["ΟΔΟΣ", "οδοσ"], ["options-alike"]],
    ["dotless i", ["kır", "kir"], []],
    ["another width", ["Red", "Ｒｅｄ"], ["options-alike"]],
    ["another composition", ["Caf\u00e9", "Cafe\u0301"], ["options-alike"]],
    ["more spaces", ["Dark red", "Dark  red", "Dark\u00a0red"], ["options-alike"]],
    ["end punctuation", ["Red", "Red."], ["options-alike"]],
    ["more end punctuation", ["Red!", "red …"], ["options-alike"]],
    ["wide end punctuation", ["红色", "红色。"], ["options-alike"]],
    ["Arabic end punctuation", ["أحمر", "أحمر؟"], ["options-alike"]],
    ["a variation selector", ["❤", "❤\ufe0f"], ["options-alike"]],
    ["a joiner", ["می\u200cخواهم", "میخواهم"], ["options-alike"]],
    ["two empty ones", ["", ""], ["option-empty", "options-alike"]],
    ["nothing but punctuation", ["!", "?"], []],
    ["names that end in a sign", ["C", "C#", "C++", "100", "100%"], []],
    ["related words", ["Red", "Reds", "ещё", "еще"], []],
  ])("%s", (_what, labels, broken) => {
    expect(lint({ options: labelled(...labels) })).toEqual(broken);
  });

  test.each<[string, string, readonly Violation[]]>([
    ["a", "b", []],
    ["a", "A", []],
    ["a", "a", ["ids-alike"]],
    ["", "a", ["id-empty"]],
    ["", "", ["id-empty", "ids-alike"]],
  ])("the ids %j and %j break %j", (red, blue, broken) => {
    const options = [
      { id: red, label: "Red" },
      { id: blue, label: "Blue" },
    ];
    expect(lint({ options })).toEqual(broken);
  });

  test("with none and no free text there is no way to answer", () => {
    expect(lint({ options: [], allow_free_text: false })).toEqual(["no-way-to-answer"]);
    expect(lint({ options: labelled("Go"), allow_free_text: false })).toEqual([]);
  });

  test("descriptions are not counted, and may have lines", () => {
    expect(lint({ options: [{ id: "a", label: "A", description: `${words(50)}\n${words(50)}` }] })).toEqual([]);
  });

  test("a default is one of them", () => {
    expect(lint({ default_option_id: "o2" })).toEqual([]);
    expect(lint({ default_option_id: "o3" })).toEqual(["default-unknown"]);
  });

  test.each<[Partial<Lintable>, boolean]>([
    [{ multi_select: true, min_selected: 0, max_selected: 2 }, true],
    [{ multi_select: true, min_selected: 2 }, true],
    [{ multi_select: true, max_selected: 1 }, true],
    [{ multi_select: true, min_selected: 3 }, false],
    [{ multi_select: true, min_selected: 2, max_selected: 1 }, false],
    [{ multi_select: true, max_selected: 0 }, false],
    [{ multi_select: false, max_selected: 1 }, false],
    [{ min_selected: 1 }, false],
  ])("the bounds %j of a selection make sense: %j", (bounds, sensible) => {
    expect(lint(bounds)).toEqual(sensible ? [] : ["selection-bounds"]);
  });
});

const others = `Other|other|OTHER|Ｏther|Other…|Other...|Other:|"Other"|✏️ Other|Others|Another|Other option|Something else
  |Other (please specify)|Other: specify|Other - specify|Other — specify|None of the above|None of the above.
  |None of these|Free text|Type your own|Другое|Другое…|Другое (указать)|Другой вариант|Свой вариант|Что-то ещё
  |Ничего из перечисленного|Інше|Свій варіант|Andere|Sonstiges|Keine der genannten|Etwas anderes|Autre|Autre (préciser)
  |Quelque chose d’autre|Aucune de ces réponses|Otro|Otra opción|Ninguna de las anteriores|Outro|Nenhuma das anteriores
  |Altro|Nessuna delle precedenti|Inne|Żadne z powyższych|其他|其它|其他（请注明）|以上都不是|その他|その他（自由記述）
  |上記のいずれでもない|기타|직접 입력|أخرى|سایر|هیچ\u200cکدام از موارد بالا|อื่นๆ|คำตอบอื่น`;
test.each(others.split("|").map((label) => label.trim()))("%j is an Other", (label) => {
  expect(lint({ options: labelled(label, "Red") }).filter((broken) => broken !== "option-too-long")).toEqual([
    "option-other",
  ]);
});

const own = `Other branch|Another region|Not now|None|Neither|Skip|Mother|Otherwise stop|other/file.ts|other:latest|#other
  |Custom|All of the above|Both|Другая ветка|Нет|Ничего|Не сейчас|Andere Region|Autre branche|Otra rama|其他分支|别的分支
  |その他のブランチ名|無し|다른 브랜치|فرع آخر|شاخه دیگر|สาขาอื่น`;
test.each(own.split("|").map((label) => label.trim()))("%j is an option like any other", (label) => {
  expect(lint({ options: labelled(label) })).toEqual([]);
});
