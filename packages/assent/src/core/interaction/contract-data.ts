/** What the contract's rules know of each language; a new language is a line in each list. */

type PerLanguage = Readonly<Record<string, readonly string[]>>;

/**
 * One or two of these and a colon are a label and no instruction (TXT-1). In a script without spaces an entry is a whole
 * label.
 */
export const labelWords: PerLanguage = {
  en: list(`answer answers your my choose chosen choice choices select selection pick option options one please question
    instruction instructions prompt input reply response respond single multiple confirm confirmation the`),
  ru: list(`ответ ответы ваш твой ответьте ответь выбери выберите выбор варианты вариант ответа один одно одну
    пожалуйста вопрос инструкция ввод подтвердите подтверди подтверждение одиночный единственный множественный`),
  uk: list(`відповідь відповіді ваша твоя ваш обери оберіть вибери виберіть вибір варіант варіанти один одне одну
    питання запитання інструкція підтвердьте підтвердження`),
  de: list(`antwort antworten ihre deine bitte auswahl auswählen wähle wählen sie eine eins option optionen frage
    anweisung eingabe bestätigen bestätigung einfachauswahl mehrfachauswahl`),
  fr: list(`réponse réponses votre ta répondez choisir choisissez choisis choix sélectionnez sélection option options un
    une question instruction saisie confirmez confirmation unique multiple`),
  es: list(`respuesta respuestas su tu responda responde elegir elija elige elección escoge seleccione selecciona
    selección opción opciones uno una pregunta instrucción entrada confirme confirma confirmación única múltiple`),
  pt: list(`resposta respostas sua responda escolher escolha escolhe selecione seleção opção opções um uma pergunta
    instrução entrada confirme confirmação única múltipla`),
  it: list(`risposta risposte tua rispondi scegli scegliere scelta seleziona selezione opzione opzioni uno una domanda
    istruzione conferma singola multipla`),
  pl: list(`odpowiedź odpowiedzi twoja wybierz wybór opcja opcje jedną jeden jedno pytanie instrukcja potwierdź
    potwierdzenie pojedynczy wielokrotny`),
  zh: list(`答案 回答 答 您的回答 你的回答 您的选择 你的选择 选择 请选择 请选 请选择一个 请选择一项 选择一个 选择一项
    选项 问题 提问 请回答 单选 单选题 多选 多选题 請選擇 選擇 選項 問題 單選 多選 确认 確認`),
  ja: list(`回答 答え 解答 あなたの回答 選択 選択肢 選んでください 選択してください お選びください 一つ選択 1つ選択
    一つ選んでください 1つ選んでください 質問 設問 単一選択 単一回答 複数選択 複数回答 確認`),
  ko: list(
    "답 답변 응답 대답 선택 선택하세요 선택해주세요 하나 하나를 하나만 고르세요 옵션 선택지 질문 단일 복수 확인",
  ),
  ar: list(
    "الإجابة إجابة الجواب جواب إجابتك جوابك اختر اختيار الاختيار اختيارك واحدا واحدًا الخيارات السؤال سؤال تأكيد",
  ),
  fa: list("پاسخ جواب شما انتخاب کنید گزینه گزینه‌ها سؤال سوال پرسش تأیید تایید"),
  th: list("คำตอบ คำตอบของคุณ ตอบ เลือก กรุณาเลือก โปรดเลือก เลือกหนึ่งข้อ ตัวเลือก คำถาม ยืนยัน"),
};

/** Kinds of question, which nobody needs to be told: labels also without a colon, alone or in brackets. */
export const choiceNotes: PerLanguage = {
  en: lines(`single choice | single-choice | single select | single-select | single selection | one choice
    | multiple choice | multiple-choice | multi choice | multi-choice | multi select | multi-select | multiple select
    | multiselect | one answer | single answer`),
  ru: lines(`одиночный выбор | единственный выбор | единичный выбор | один выбор | один вариант | один ответ
    | одиночный ответ | множественный выбор | несколько вариантов`),
  uk: lines("одиночний вибір | єдиний вибір | один варіант | одна відповідь | множинний вибір"),
  de: lines(`einfachauswahl | einzelauswahl | einzelne auswahl | eine auswahl | eine antwort | mehrfachauswahl
    | single choice | multiple choice`),
  fr: lines("choix unique | choix simple | un seul choix | une seule réponse | réponse unique | choix multiple"),
  es: lines("opción única | selección única | elección única | respuesta única | una sola opción | opción múltiple"),
  pt: lines("escolha única | seleção única | opção única | resposta única | múltipla escolha | escolha múltipla"),
  it: lines("scelta singola | selezione singola | scelta unica | risposta singola | scelta multipla"),
  pl: lines("pojedynczy wybór | jednokrotny wybór | wybór pojedynczy | jedna odpowiedź | wielokrotny wybór"),
  zh: lines("单选 | 单选题 | 单项选择 | 多选 | 多选题 | 多项选择 | 單選 | 單選題 | 多選 | 多選題"),
  ja: lines("単一選択 | 単一回答 | 択一 | 一つ選択 | 1つ選択 | 複数選択 | 複数回答 | 複数選択可"),
  ko: lines("단일 선택 | 단일선택 | 하나만 선택 | 복수 선택 | 복수선택 | 객관식"),
  ar: lines("اختيار واحد | خيار واحد | اختيار فردي | إجابة واحدة | اختيار متعدد"),
  fa: lines("تک انتخابی | تک‌انتخابی | یک گزینه | انتخاب تکی | چند انتخابی | چندانتخابی"),
  th: lines("เลือกได้ข้อเดียว | ตัวเลือกเดียว | เลือกข้อเดียว | เลือกได้หลายข้อ"),
};

/** Options that say the list is not complete, or offer the free text that is always there (TXT-3). */
export const otherOptions: PerLanguage = {
  en: lines(`other | others | another | other option | other options | another option | other answer
    | another answer | other choice | other value | other reason | something else | anything else | someone else
    | somewhere else | something different | something other | none of the above | none of above | none of these
    | none of those | none of them | neither of the above | neither of these | not listed | not listed here
    | not in the list | custom answer | custom option | custom response | custom input | own answer | own option
    | my own | my own answer | my own option | your own | your own answer | enter my own | enter your own
    | type my own | type your own | type your answer | write my own | write your own | enter custom answer
    | type something else | type something | free text | free-text | free form | free-form answer | free text answer
    | specify | please specify | specify other | specify your own | let me specify | let me type`),
  ru: lines(`другое | другой | другая | другие | иное | иной | иная | прочее | другой вариант | другие варианты
    | другой ответ | иной вариант | иной ответ | что-то другое | что-то еще | что-нибудь другое | что-то иное
    | нечто другое | кое-что другое | свой вариант | свой ответ | свое | мой вариант | ваш вариант | твой вариант
    | собственный вариант | указать свой вариант | указать свое | указать другое | указать другой вариант
    | ввести свой вариант | ввести свое | введу сам | напишу сам | написать свой вариант | свободный ответ
    | свободный текст | произвольный ответ | ничего из перечисленного | ничто из перечисленного
    | ни один из перечисленных | ни одно из перечисленного | ни одного из перечисленных | ни один из вариантов
    | ни один из вышеперечисленных | ничего из вышеперечисленного | ничего из этого | ничего из списка
    | нет в списке | нет подходящего варианта | нет правильного варианта`),
  uk: lines(`інше | інший | інша | інші | інший варіант | інші варіанти | інша відповідь | щось інше | щось ще
    | свій варіант | своя відповідь | мій варіант | ваш варіант | власний варіант | власна відповідь
    | вказати інше | довільна відповідь | нічого з переліченого | нічого з перерахованого | жоден з перелічених
    | жоден із перелічених | жоден з варіантів | жоден із варіантів | нічого з цього | немає у списку`),
  de: lines(`andere | anderes | anderer | anderen | sonstige | sonstiges | etwas anderes | was anderes | andere option
    | andere optionen | andere antwort | eine andere option | eine andere | ein anderer | ein anderes
    | andere angabe | eigene antwort | eigene angabe | eigene eingabe | eigener vorschlag | freitext | freie eingabe
    | keine davon | keines davon | keiner davon | keins davon | nichts davon | keine der genannten
    | keines der genannten | keiner der genannten | keine der obigen | keines der obigen | nichts von alledem
    | keine der obigen optionen | keine der genannten optionen | nichts von den genannten`),
  fr: lines(`autre | autres | un autre | une autre | autre option | autres options | autre choix | autre réponse
    | une autre option | autre chose | quelque chose d'autre | quelqu'un d'autre | réponse libre | texte libre
    | saisie libre | ma propre réponse | votre réponse | à préciser | aucun de ces choix | aucune de ces réponses
    | aucune de ces options | aucun des choix ci-dessus | aucune des réponses ci-dessus | aucun des deux ci-dessus
    | aucune des options ci-dessus | aucun de ceux-ci | aucune de celles-ci | rien de tout cela
    | rien de tout ça | aucun des éléments ci-dessus | aucun d'entre eux | aucune d'entre elles`),
  es: lines(`otro | otra | otros | otras | otra opción | otras opciones | otra respuesta | otra cosa | algo más
    | algo diferente | algo distinto | alguna otra | algún otro | respuesta libre | texto libre | mi propia respuesta
    | respuesta propia | opción propia | ninguna de las anteriores | ninguno de los anteriores | ninguna de estas
    | ninguno de estos | ninguna de ellas | ninguno de ellos | nada de lo anterior | ninguna de las opciones
    | ninguna de las opciones anteriores | ninguna de estas opciones`),
  pt: lines(`outro | outra | outros | outras | outra opção | outras opções | outra resposta | outra coisa | algo mais
    | algo diferente | resposta livre | texto livre | minha própria resposta | resposta própria | opção própria
    | nenhuma das anteriores | nenhum dos anteriores | nenhuma das opções acima | nenhuma das alternativas
    | nenhuma das alternativas acima | nenhuma das acima | nenhum dos acima | nenhuma destas | nenhuma dessas
    | nenhum destes | nenhum desses | nada disso | nenhuma das opções | nenhuma das respostas acima`),
  it: lines(`altro | altra | altri | altre | altra opzione | altre opzioni | un'altra opzione | un altro | un'altra
    | altra risposta | altra scelta | qualcos'altro | qualcosa di diverso | qualche altra cosa | altra cosa
    | risposta libera | testo libero | risposta personalizzata | nessuna delle precedenti | nessuno dei precedenti
    | nessuna di queste | nessuno di questi | nessuna delle opzioni | nessuna delle opzioni precedenti
    | niente di tutto ciò | niente di questo | nessuna delle risposte precedenti`),
  pl: lines(`inne | inny | inna | inna opcja | inne opcje | inna odpowiedź | coś innego | coś jeszcze | własna odpowiedź
    | własna opcja | własny wariant | dowolna odpowiedź | dowolny tekst | żadne z powyższych | żadna z powyższych
    | żaden z powyższych | żadne z tych | żadna z tych | żaden z tych | żadna z opcji | żadne z wymienionych
    | żadna z powyższych opcji | nic z powyższych | nic z tego`),
  zh: lines(`其他 | 其它 | 其他选项 | 其它选项 | 其他答案 | 其他方案 | 其他的 | 别的 | 別的 | 另外的 | 其他選項 | 其它選項
    | 以上都不是 | 以上皆非 | 以上均不是 | 以上都不对 | 都不是 | 均不是 | 以上都不選 | 以上都不 | 没有合适的
    | 自定义回答 | 自定义答案 | 自定义选项 | 自行输入 | 自己输入 | 自由输入 | 自行填写 | 請註明 | 请注明 | 请说明`),
  ja: lines(`その他 | そのた | その他の選択肢 | その他の回答 | 他 | ほか | 別の選択肢 | 別の回答 | 別のもの | 他のもの
    | 他の選択肢 | ほかの選択肢 | それ以外 | 上記以外 | 上記のいずれでもない | 上記のどれでもない | どれでもない
    | いずれでもない | どれも当てはまらない | いずれも該当しない | 自由入力 | 自由記述 | 自由回答
    | 自分で入力 | 自分で入力する`),
  ko: lines(`기타 | 그 외 | 그외 | 다른 것 | 다른것 | 다른 옵션 | 다른 선택지 | 다른 답변 | 그 밖의 것 | 그밖에
    | 위에 없음 | 모두 아님 | 위의 것 모두 아님 | 위 항목 중 없음 | 이 중에 없음 | 이 중 없음
    | 직접 입력 | 직접입력 | 자유 입력 | 자유입력`),
  ar: lines(`أخرى | اخرى | آخر | غير ذلك | خيار آخر | خيارات أخرى | إجابة أخرى | شيء آخر | لا شيء مما سبق
    | ليس أي مما سبق | لا شيء من هذه | لا شيء منها | إجابة حرة | نص حر`),
  fa: lines(`سایر | دیگر | موارد دیگر | گزینه دیگر | گزینه‌ دیگر | گزینه‌ای دیگر | چیز دیگر | چیز دیگری | غیره
    | هیچ‌کدام از موارد بالا | هیچکدام از موارد بالا | هیچ یک از موارد بالا | هیچ‌یک از موارد بالا | پاسخ دلخواه`),
  th: lines("อื่นๆ | อื่น ๆ | อื่น | ตัวเลือกอื่น | คำตอบอื่น | อย่างอื่น | ไม่มีข้อใดถูก | ไม่ใช่ทั้งหมดข้างต้น | ระบุเอง"),
};

/** Their full stops end no sentence (TXT-9); a space inside one may be there or not. */
export const abbreviations: PerLanguage = {
  en: lines(`e.g. | eg. | i.e. | ie. | etc. | vs. | cf. | approx. | est. | incl. | excl. | resp. | max. | min. | avg.
    | mr. | mrs. | ms. | dr. | prof. | sr. | jr. | st. | mt. | ft. | inc. | ltd. | co. | corp. | dept. | univ. | gov.
    | a.m. | p.m. | u.s. | u.s.a. | u.k. | e.u. | u.n. | d.c. | a.k.a. | ph.d. | b.sc. | m.sc. | et al. | viz. | ca.
    | fig. | figs. | vol. | ver. | rev. | ed. | eds. | ext. | sec. | ch. | pp. | p.s. | n.b. | q.v. | w.r.t. | misc.
    | jan. | feb. | apr. | jun. | jul. | aug. | sep. | sept. | oct. | nov. | dec. | mon. | tue. | wed. | thu. | fri.`),
  ru: lines(`т. е. | т. к. | т. н. | т. о. | т. д. | т. п. | др. | пр. | напр. | см.
    | ср. | им. | г. | гг. | в. | вв. | н. э. | ул. | д. | стр. | рис. | табл. | гл. | п. | пп. | ст. | разд. | тов.
    | гос. | акад. | проф. | доц. | тыс. | млн. | млрд. | руб. | коп. | мин. | макс. | прибл. | обл. | р-н. | оз. | о.
    | англ. | рус. | нем. | сокр. | т. ч. | ред. | изд. | вер. | верс. | просп. | пер. | корп. | кв. | янв.
    | февр. | фев. | апр. | авг. | сент. | сен. | окт. | нояб. | ноя. | дек.`),
  de: lines(`z. b. | d. h. | u. a. | u. ä. | o. ä. | usw. | bzw. | ca. | ggf. | evtl. | inkl. | exkl. | zzgl. | vgl.
    | s. o. | s. u. | i. d. r. | v. a. | z. t. | z. z. | u. u. | sog. | bspw. | etc. | nr. | abs. | abb.
    | bd. | hr. | hrn. | fr. | dr. | prof. | dipl. | ing. | st. | mio. | mrd. | max. | min. | mind. | tel. | geb.
    | jh. | allg. | einschl. | entspr. | dt. | engl. | jan. | feb. | apr. | aug. | sept. | okt. | nov. | dez.`),
  fr: lines(`p. ex. | c.-à-d. | càd. | etc. | cf. | env. | max. | min. | m. | mme. | mlle. | dr. | st. | ste.
    | n. b. | p. s. | av. | bd. | chap. | éd. | ex. | fig. | vol. | réf. | tél. | resp. | incl. | excl. | j.-c.
    | janv. | févr. | avr. | juil. | sept. | oct. | nov. | déc.`),
  es: lines(`p. ej. | p. e. | ej. | etc. | aprox. | máx. | mín. | sr. | sra. | srta. | dr. | dra. | prof. | ud. | uds.
    | vd. | vds. | ee. uu. | s. a. | s. l. | av. | avda. | cía. | ed. | fig. | núm. | pág. | págs. | tel.
    | vol. | v. gr. | a. c. | d. c. | p. d. | incl. | excl. | ene. | abr. | ago. | sept. | oct. | nov. | dic.`),
};

function list(entries: string): readonly string[] {
  return entries.trim().split(/\s+/u);
}

function lines(entries: string): readonly string[] {
  return entries.split("|").map((entry) => entry.trim().replace(/\s+/gu, " "));
}
