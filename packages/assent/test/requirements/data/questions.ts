import type { Requirement } from "../requirement.ts";

/** How questions are put: priorities, the wire contract, the text contract. */
export const questions: readonly Requirement[] = [
  {
    id: "PRI-1a",
    line: "Assent's own warnings, refusals and limits are system lines that no rule for texts touches.",
    status: "verified",
  },
  {
    id: "PRI-1b",
    line: "A text that the provider marks as a refusal is shown unchecked.",
    status: "verified",
  },
  {
    id: "PRI-1c",
    line: "Agent text that was withheld can be read with /history.",
    status: "verified",
  },
  {
    id: "INT-1a",
    line: "Request and response carry exactly the listed wire names.",
    status: "verified",
  },
  {
    id: "INT-1b",
    line: "camelCase spellings are accepted on input.",
    status: "verified",
  },
  {
    id: "INT-1c",
    line: "Fields that are not known are kept.",
    status: "verified",
  },
  {
    id: "INT-2a",
    line: "The additions are optional fields, in the schema as in what is read.",
    status: "verified",
  },
  {
    id: "INT-2b",
    line: "Several choices are recorded in option order; selected_option_id only when exactly one was chosen.",
    status: "verified",
  },
  {
    id: "INT-2c",
    line: "A sensitive answer is in the secret store, for its owner alone, before it is recorded; the journal says only set.",
    status: "verified",
  },
  {
    id: "INT-2d",
    line: "A secret goes when its flow ends, answer_id is compared with it, and a step whose secret is lost is asked again.",
    status: "verified",
  },
  {
    id: "INT-2e",
    line: "The subject and the descriptions of options are shown in full before the block.",
    status: "verified",
  },
  {
    id: "INT-3",
    line: "One source yields types, published JSON Schema and validator, so the three agree by construction.",
    status: "verified",
  },
  {
    id: "INT-4a",
    line: "An unknown, settled or past-deadline id is refused as such; already_resolved names the winning answer, its adapter and its time.",
    status: "verified",
  },
  {
    id: "INT-4b",
    line: "Selecting an option that the request does not hold is refused as invalid_option.",
    status: "verified",
  },
  {
    id: "INT-4c",
    line: "Free text where it is off is refused as free_text_not_allowed; blank free text is refused everywhere.",
    status: "verified",
  },
  {
    id: "INT-4d",
    line: "A question refuses `confirmed` as invalid_response.",
    status: "verified",
  },
  {
    id: "INT-4e",
    line: "Cancelling a request whose allow_cancel is false is refused as cancel_not_allowed.",
    status: "verified",
  },
  {
    id: "INT-4f",
    line: "None or several of the four answer forms is invalid_response; confirmed beside an option is fine only if they agree.",
    status: "verified",
  },
  {
    id: "INT-4g",
    line: "A wrong answer by someone entitled uses up an attempt; a malformed one, or one refused not_authorized, uses none.",
    status: "verified",
  },
  {
    id: "INT-5a",
    line: "The request is durable in the journal before any surface shows it.",
    status: "verified",
  },
  {
    id: "INT-5b",
    line: "State holds the request exactly as stored: invalid replies and refolding change no byte, option or order.",
    status: "verified",
  },
  {
    id: "INT-5c",
    line: "All adapters put out the same stored bytes, first time, on retry, after resume and for one who joins late.",
    status: "verified",
  },
  {
    id: "INT-5d",
    line: "Questions and flows built into the system come from constants, identical in any two sessions.",
    status: "verified",
  },
  {
    id: "INT-6a",
    line: "Of racing answers from any processes exactly one resolves; the rest get already_resolved with winner, adapter and time.",
    status: "verified",
  },
  {
    id: "INT-6b",
    line: "The same answer_id with the same body is accepted again without effect; with another body it is already_resolved.",
    status: "verified",
  },
  {
    id: "INT-6c",
    line: "Every other surface that shows the question closes it and says who answered.",
    status: "verified",
  },
  {
    id: "INT-7",
    line: "After kill -9 and restart an open question keeps its id; the answer runs the approved command once and adds no model request.",
    status: "verified",
  },
  {
    id: "INT-8a",
    line: "When timeout_ms has passed on the given clock the interaction is expired, and no option, default included, counts as chosen.",
    status: "verified",
  },
  {
    id: "INT-8b",
    line: "The deadline is reckoned from the recorded opening, so hours during which nothing ran count too.",
    status: "verified",
  },
  {
    id: "INT-8c",
    line: "A live process notices the deadline by itself and records the expiry.",
    status: "verified",
  },
  {
    id: "INT-9a",
    line: "A blank reply to a request that has a default_option_id is invalid and selects nothing.",
    status: "verified",
  },
  {
    id: "INT-9b",
    line: "The page marks the default option as pre-selected and sends no answer because of it.",
    status: "verified",
    needs: "chromium",
  },
  {
    id: "INT-9c",
    line: "Terminals mark the default option of a question, and questions of sessions can have one.",
    status: "planned",
  },
  {
    id: "INT-10a",
    line: "The resolution event names the person, the adapter, the time and the digest of what was displayed.",
    status: "verified",
  },
  {
    id: "INT-10b",
    line: "Each real adapter reports its own name, its true person and the digest of the block it put out.",
    status: "verified",
  },
  {
    id: "INT-11a",
    line: "An interaction leaves `open` once; whatever arrives after a terminal state changes nothing.",
    status: "verified",
  },
  {
    id: "INT-11b",
    line: "Answer, explicit no, cancel, expiry, fourth invalid reply and end of run lead to six different terminal states.",
    status: "verified",
  },
  {
    id: "INT-11c",
    line: "Dismissal is no answer: the interaction is still open and has lost no attempt.",
    status: "verified",
  },
  {
    id: "INT-11d",
    line: "A dialog closed or a connection lost on a real surface submits nothing on the person's behalf.",
    status: "verified",
  },
  {
    id: "INT-12a",
    line: "Who answers is the bearer of the token or the user of the terminal, whatever the answer itself says.",
    status: "verified",
  },
  {
    id: "INT-12b",
    line: "An answer from a wrong audience is refused and costs no attempt.",
    status: "verified",
  },
  {
    id: "INT-12c",
    line: "What a model, an MCP server or a sub-agent starts cannot answer.",
    status: "verified",
  },
  {
    id: "INT-13a",
    line: "Run time and every recorded bound leave out the spans during which an interaction was open.",
    status: "verified",
  },
  {
    id: "INT-13b",
    line: "Running tool and model time-outs stand still while a person is being waited for.",
    status: "verified",
  },
  {
    id: "INT-14a",
    line: "A session has at most one open interaction; later ones queue in the order raised and replace nothing.",
    status: "verified",
  },
  {
    id: "INT-14b",
    line: "A session that waits for its person holds up no other session.",
    status: "verified",
  },
  {
    id: "INT-14c",
    line: "Any adapter can list the open interactions of all sessions.",
    status: "verified",
  },
  {
    id: "TXT-1",
    line: "A block is the instruction, an empty line and numbered options, with nothing around it; without options, the instruction only.",
    status: "verified",
  },
  {
    id: "TXT-2",
    line: "Instruction: one plain line, one sentence, up to 15 words; options: up to 7, distinct, up to 5 words each.",
    status: "verified",
  },
  {
    id: "TXT-3a",
    line: "No catch-all option in a language the lists know.",
    status: "verified",
  },
  {
    id: "TXT-3b",
    line: "The descriptions of ask and flow and the system prompt carry the rules for questions.",
    status: "verified",
  },
  {
    id: "TXT-4a",
    line: "A question that breaks the rules is discarded up to three times; then the exchange ends contract-violation.",
    status: "verified",
  },
  {
    id: "TXT-4b",
    line: "A final text that asks or offers in prose is discarded up to three times; then it is shown with a system line.",
    status: "verified",
  },
  {
    id: "TXT-4c",
    line: "Each discard is journalled and hidden from the history; the model is not told.",
    status: "verified",
  },
  {
    id: "TXT-4d",
    line: "While texts are checked, what a model says is held back, and that it comes stays visible.",
    status: "verified",
  },
  {
    id: "TXT-5a",
    line: "Soft offers are found by data per language, in prose only; measured on unseen texts: precision 0.97, recall 0.90 at least.",
    status: "verified",
  },
  {
    id: "TXT-5b",
    line: "Detection can be set to off, warn or regenerate.",
    status: "verified",
  },
  {
    id: "TXT-6",
    line: "Between a valid answer and the next result, question or end, the agent's commentary is recorded but not displayed.",
    status: "verified",
  },
  {
    id: "TXT-7a",
    line: "Questions of agent, flow, limit and approval keep the contract; a command and a summary are freed from word counts only.",
    status: "verified",
  },
  {
    id: "TXT-7b",
    line: "Questions of bridges keep the contract.",
    status: "planned",
  },
  {
    id: "TXT-8",
    line: "When a response also asks a question, its text goes to the journal and not to the screen.",
    status: "verified",
  },
  {
    id: "TXT-9",
    line: "Word counting, distinctness, sentence ends, barred characters and labels follow the detailed rules; stored requests are not linted.",
    status: "verified",
  },
  {
    id: "TXT-10a",
    line: "A final text that is exactly a block opens an interaction; the answer is the next user message.",
    status: "verified",
  },
  {
    id: "TXT-10b",
    line: "Only final texts and complete.result are checked, before any call of that response is judged.",
    status: "verified",
  },
];
