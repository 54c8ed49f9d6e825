import type { Rule } from "./grammar.ts";

/** The writer asks the person for something it needs itself. */
export const requests: readonly Rule[] = [
  {
    id: "en/let-me-know",
    all: [
      "(?:<start>|(?:please|just|kindly|do|and|or|to|can|could|you|so|then|simply|also|but|will|would|should|must|always|gladly|either) )(?:let (?:me|us) know|lmk|tell me|let me hear|let me have|do tell|report back|send (?:me )?the word)",
    ],
    none: [
      "(?:logs?|output|it|this|that|which|tests?|tools?|they|numbers|metrics|traces?) (?:\\S+ )?(?:can |will |would |could |should |to )(?:let|tell) me",
      "(?:failed|forgot|forgets|used|seems?|has|had|supposed|meant|going|enough) to (?:let|tell)",
    ],
    hits: ["Let me know how you'd like to proceed.", "If something looks off, tell me.", "Pick one and let me know."],
    misses: ["The log let me know that the disk was full.", "The new hook lets me know at once."],
  },
  {
    id: "en/please",
    all: [
      "<start>(?:(?:could|can|would|will) you )?(?:please|kindly|pls|plz) (?:do |also |just |still |then |briefly |now |at least |first |either |quickly ){0,4}(?:confirm|clarify|specify|advise|tell|send|share|paste|provide|give|forward|attach|upload|show|grant|point|drop|supply|reply|respond|answer|choose|pick|decide|approve|let|say|name|indicate|describe|explain|post|email|mail|state|list|suggest|agree|sign off|authori[sz]e|resend|elaborate|help|allow|permit|invite|hand|write back|get back|review and|review it and|review them and|check and (?:tell|confirm|let)|look (?:it )?over and|have a look and|take a look and|verify and (?:tell|let|reply|confirm)|correct me|bear with|wait|report back|shed|fill me|fill in|complete the|weigh in|vote|fix (?:that|this|it)|order|rank|submit|transfer|copy|include|tag|ping)(?= )|<start>please (?:\\S+ ){1,12}(?:and|then) (?:\\S+ )?(?:approve|confirm|tell|let me|send (?:me|it|us|back|the)|reply|report|share|paste|give me|answer|respond|get back|write)(?= )",
    ],
    none: [
      "please (?:\\S+ )?(?:confirm|verify|check) (?:\\S+ ){0,12}(?:yourself|before (?:merging|deploying|you|upgrading|releasing|running|using|going)|after (?:the|each|every|you)|with ¤|by running|by opening|in the (?:dashboard|browser|console))",
      "please (?:\\S+ )?(?:specify|provide|pass|give|supply|include|list|name|point|submit|copy|choose|pick|post|allow|upload|attach|state) (?:\\S+ ){0,6}(?:via|through the (?:flag|option|form|portal)|with ¤|in ¤|to ¤|as ¤|using ¤|when (?:calling|running|starting|using|you)|at ¤)",
      "please (?:allow|wait|bear) (?:\\S+ ){0,3}(?:minutes?|seconds?|hours?|while|moment)",
    ],
    hits: ["Please advise.", "Please confirm.", "Please send me the full log.", "Could you please share the trace."],
    misses: [
      "Please restart the service after the upgrade.",
      "Please make sure the disk has room.",
      "Please pass the name via `--name`.",
    ],
  },
  {
    id: "en/give-me",
    all: [
      "(?:<start>|(?<= (?:and|then|or) )(?=(?:send|paste|share|show|forward|tell|post|mail|email) ))(?:do )?(?:send|share|paste|provide|give|forward|attach|upload|show|grant|point|drop|supply|hand|get|email|mail|write|message|dm|tell|help|remind|answer|allow|permit|invite|add(?= me to)|walk|talk|shoot|pass|post|put|leave|text|correct|fill) (?:(?:it|that|this|them|one|both|the (?:\\S+ ){1,4}|your (?:\\S+ ){1,4}|a (?:\\S+ ){1,3}|¤) ?)?(?:over |along |back |on ){0,4}(?:to |with |for )?(?:me|us)(?= )",
    ],
    none: ["(?:let|get|give) us (?:a|the|an) (?:clean|clear|idea|more|better|new|much)"],
    hits: ["Send me the log.", "Give me access to the namespace.", "Forward the mail to me."],
    misses: ["Send the log to the vendor.", "The hooks give us a clean exit."],
  },
  {
    id: "en/paste-here",
    all: [
      "<start>(?:send|share|paste|provide|forward|attach|upload|show|drop|supply|post|put|reply|respond|answer|confirm|clarify|advise|pick|choose|specify|name|type|write|enter|approve)(?: (?:\\S+ ){0,12}(?:here|below|in (?:this|your) (?:chat|reply|answer|session|message)|in reply|in the chat|and (?:i|we)(?:'ll| will| can|'d)?|so (?:that )?(?:i|we) can|before i|, (?:and|then|so) (?:i|we)(?:'ll| will| can)?|and it (?:goes|will|is|gets)|to (?:proceed|continue|go on|go ahead|approve|confirm)|(?<=(?:reply|respond|answer|confirm) )with (?:¤|yes|ok|okay|the|your|a|one|go|either|[a-z] or))|(?<=(?:reply|respond|answer)) (?:¤|yes|no|ok|okay|go)|(?<=type) ¤ (?:to let me|and i|if you|for me)|(?<=confirm) (?:that )?(?:\\S+ ){1,8}(?:may|should) be| (?:whether|if|which|what|how) (?:you|i|we|this|that|it|the|to)(?= )| that (?:i|we|you)(?= )| your(?= )| back)",
    ],
    none: [
      "(?:enter|type|specify|provide|name|choose|pick|put|supply|write|show|post|upload|attach|drop) (?:\\S+ ){0,12}(?:with|below|to (?:confirm|continue|proceed)) (?:(?:the|a|your|¤) )?(?!.*(?: i | i'll | me ))",
      "(?:confirm|approve|answer) (?:\\S+ ){0,8}with (?:¤|the|a|your)(?!.*(?: i | i'll | me ))",
      "(?:choose|specify|pick|enter|type|provide|upload|supply|name|put|write|show|attach|drop) your",
      "here (?:is|are)",
      "(?:prompts?|installer|installer's|dialog|wizard)",
    ],
    hits: [
      'Reply with "ok" and it goes live.',
      "Paste the output here.",
      "Confirm whether you want it.",
      "Pick one and I'll go on.",
      "Share your thoughts.",
    ],
    misses: ["Confirm the dialog with Enter.", "Enter your name below the title."],
  },
  {
    id: "en/short-imperative",
    all: [
      "<begin>(?:so |then |and |please |just |: ){0,4}(?:confirm|advise|approve|proceed|clarify|reply|thoughts|discuss|go|feedback welcome|comments welcome|your thoughts|your move|please)(?: (?:please|and|,|if ok|to proceed|to continue|first|asap|below|here|yes or no|so)){0,4}(?= [.!?…]| $)",
    ],
    hits: ["Confirm to proceed.", "Thoughts.", "Please."],
    misses: ["Confirm the dialog."],
  },
  {
    id: "en/need",
    all: [
      "(?:<free>|(?<= (?:what|all|that) ))(?:<i>|i'd|i'll|we'd|we'll|i would|i will|i am|i'm) (?:\\S+ly )?(?:(?:only|just|still|also|do|first|would|will|then|now|therefore|really) ){0,4}(?:need|require|want|missing|lack|await|awaiting|waiting (?:for|on)|waiting|like|appreciate|welcome|ask|blocked on|blocked by|looking for|in need of|after) (?!to(?! (?:know|hear|ask|see|have|check with|learn|confirm with|understand (?:what|which|whether|how|if) (?:you|your)|clarify|get) ))(?:\\S+)",
    ],
    none: [
      "(?:i|we) (?:\\S+ ){0,2}(?:need|require|want|lack) (?:no|nothing|not|only one more|neither)(?= )",
      "(?:i'd|i would) (?:\\S+ )?(?:like|ask|want) (?:to (?:see|have|note|point|mention|check|understand|get)|that|for the)(?! (?:\\S+ ){0,6}(?:you|your))",
      "(?:need|want|wanted|ask|require|like)(?:ed)? (?:two|three|four|a|one|the) (?:\\S+ )?(?:attempts?|tries|runs?|passes|retries|retry|restart)",
      "(?:we need|we want|we require|we lack|we like)(?! (?:\\S+ ){0,8}(?:you|your))",
      "waiting for (?:the|a|it|them|its|¤|all|\\d\\S*|ci|\\S+s to)(?! (?:\\S+ ){0,6}(?:you|your|approval|answer|decision|go-ahead|reply|confirmation))",
      "i (?:would |'d )?(?:like|want) (?:the|this|that|it|how)",
    ],
    hits: [
      "I need the credentials for the registry to go on.",
      "I'd only need a yes from you.",
      "I'm waiting for your decision.",
      "I'd like to know which of the two you meant.",
    ],
    misses: [
      "I need to restart the service first.",
      "I am waiting for the build to finish.",
      "I need no further rights.",
    ],
  },
  {
    id: "en/needs-you",
    all: [
      "(?:need|needs|needed|requires?|required|await|awaits|awaiting|pending|waiting (?:for|on)|waits (?:for|on)|wait (?:for|on)|expecting|blocked on|blocked by|hinges on|depends on|looking for|hoping for|subject to|want|seeking|appreciate|welcome|missing|look forward to|looking forward to|until (?:i|we) (?:have|get|hear|receive)|once (?:i|we) (?:have|get|hear|receive)|come down to|comes down to|is|are|remains) (?:\\S+ly )?(?:from )?(?:your (?:\\S+ )?(?:input|decision|confirmation|approval|answer|reply|response|go-ahead|go|ok|okay|feedback|call|review|opinion|choice|word|sign-off|signoff|permission|thoughts|instructions?|guidance|help|green light|verdict|preference|say|say-so|consent|signal|yes|nod|view|judgment|judgement|blessing|clarification|attention|direction|directions|take|turn|move|advice|hand)|you to|you for|hearing from you|hear from you|hearing back|you before|a (?:\\S+ ){0,3}from you|(?:\\S+ ){1,6}from you(?= [.,;!)])|further instructions|instructions|clarification|a go-ahead|the go-ahead|a green light|confirmation)",
    ],
    none: [
      "(?:does not|doesn't|don't|do not|no|never|nothing|without|didn't|did not|won't|will not|not|no longer|can't) (?:\\S+ )?(?:needs?|requires?|wait|waiting|needed|required|depend|pending|await)",
      "(?:the|a|an|each|every|this|that|¤|it|which|they|users?|jobs?|page|step) (?:\\S+ ){0,2}(?:requires?|needs?|waits|awaits|wait|need|asks) (?:for )?(?:confirmation|instructions|clarification|you to)",
      "(?:in|on|through|via) (?:the (?:\\S+ )?(?:ui|console|dashboard|portal|dialog|browser|app|settings|panel)|github|gitlab)",
      "(?:is|are|remains) (?:your|you|a|instructions|confirmation|clarification|the|further)(?! (?:call|decision|choice|move|turn)(?= [.!]))",
      "(?:depends on|hinges on) (?!your)",
    ],
    hits: [
      "Awaiting your go-ahead.",
      "This step needs your approval.",
      "Looking forward to hearing from you.",
      "What remains needs a decision from you.",
    ],
    misses: ["It no longer needs your approval.", "The deploy step requires confirmation in the dialog."],
  },
  {
    id: "en/your-word-is-wanted",
    all: [
      "your (?:\\S+ )?(?:input|decision|confirmation|approval|answer|reply|response|go-ahead|ok|okay|feedback|review|opinion|thoughts|help|preference|guidance|sign-off|call|comments|take) (?:\\S+ ){0,6}(?:needed|required|welcome|appreciated|helpful|requested|wanted|necessary|valuable|would help|will help|help|decides|awaited|invited|missing|outstanding|great)|(?:feedback|comments|thoughts|questions|corrections|objections|suggestions|opinions|input|pointers|ideas|preferences|hints) (?:\\S+ ){0,4}(?:welcome|appreciated)|any (?:objections?|preferences?|thoughts|concerns|questions)(?= [.?!]| $)|(?:curious|interested|keen|eager) (?:\\S+ )?(?:what|how|whether|if|to (?:hear|know|see)|in) (?:\\S+ )?(?:you|your)",
    ],
    hits: ["Your input is needed on one point.", "Feedback welcome.", "Curious what you think."],
    misses: ["Your review was the reason for the change."],
  },
  {
    id: "en/unsure-about-you",
    all: [
      "(?:(?:i'm|i am|i was|we're|still|was|am|is|it's|it is|remains|left) )?(?:not (?:\\S+ )?(?:sure|certain|clear|obvious)|unsure|uncertain|unclear|undecided|wondering|i wonder|i wondered|don't know|do not know|can't tell|cannot tell|wanted to (?:ask|check|confirm|know)|want to (?:ask|check with|confirm with|know)|to ask|to know|need to know|couldn't tell|could not tell|i ask|i'm asking|question is|open question)(?: [,:—])? (?:\\S+ ){0,3}?(?:whether|if|which|what|how|where|who|when|why)(?: \\S+){0,9}? (?:you|you'd|you're|you've|your|yours|i should|we should|to (?:keep|use|choose|pick|go with|prefer)|should i)(?= )",
    ],
    none: [
      "<begin>(?:<you>|they|he|she|users|the (?:user|client|team|reviewer)) (?:\\S+ ){0,3}(?:were|was|wanted|asked|are|is|wondered|do not|don't)",
      "how your (?:\\S+ ){0,3}(?:works|handles)",
      "(?:it|docs|page|readme|message|error|text) (?:was|were) (?:not clear|unclear)",
    ],
    hits: ["I'm not sure whether you want comments preserved.", "I wonder if you still use the old key."],
    misses: ["The user was unsure whether your tool supports it."],
  },
  {
    id: "en/it-would-help",
    all: [
      "(?:it(?:'d| would| will|'ll)|that(?:'d| would)|would|this would|what would|i(?:'d| would)) (?:\\S+ ){0,3}?(?:help|helps|helpful|great|useful|good|nice|ideal|best|appreciate it|appreciate|grateful|thankful|enough|sufficient|easier)(?: \\S+){0,5}? (?:if you|to (?:know|have|see|hear|get|learn)|you|your|having|knowing|seeing)",
    ],
    none: [
      "(?:help|helps|helpful|useful|enough|good|best) (?:\\S+ )?you(?:r)?(?= (?:to|find|see|with|track|spot|catch|debug|avoid|decide|when|if|know|keep))",
      "if you (?:set|use|run|enable|add|want|need|switch|raise|lower)",
    ],
    hits: ["It would help if you could share the config.", "It'd be useful to know which region you use."],
    misses: ["A trace would help you to find the slow call."],
  },
  {
    id: "en/stuck-without",
    all: [
      "without (?:(?:it|that|this|them|those|these|access|your \\S+|an answer|the \\S+|a \\S+|¤)(?: \\S+){0,4}? ,? ?)(?:i|we) (?:can't|cannot|can not|won't|am unable|couldn't|could not|can only|have to stop|will not)|(?:i|we) (?:can't|cannot|can not|won't be able to|am unable to|am not able to) (?:\\S+ ){1,6}?(?:without|until (?:i|you|someone)|unless you)(?= )|(?:i'm|i am|we're|it is|it's|this is) (?:\\S+ )?(?:stuck|blocked|stalled) (?:without|until|on (?:your|a|the)|here until)(?= )|(?:could|can|might) use (?:your|a|some) (?:\\S+ )?(?:help|hand|hint|input|advice|guidance|pointer|second pair)|(?:i|we)(?:'d| would)? (?:also )?(?:welcome|appreciate|value|be grateful for|be thankful for) (?:\\S+)|(?:would|will) be (?:good|great|useful|helpful|nice|ideal) (?:\\S+ )?(?:to know|to have|to hear|to see|to get|if you)|(?:details?|examples?|sample|dump|logs?|trace|feedback|file|hint|access|information|context|output|screenshots?|reproduction) would (?:\\S+ )?(?:help(?! you)|be (?:\\S+ )?(?:helpful|nice|appreciated|welcome|great|useful|good))|hoping to hear|by (?:sending|giving|telling|showing) me|<start>(?:explain|describe) to me|please (?:\\S+ )?(?:check|look|have a look|take a look|see|verify) (?:\\S+ ){0,10}(?:you (?:meant|wanted|had|need|expect)|and comment|your mind)|<start>(?:thanks|thank you) in advance|(?:over|back) to you(?= [.!])",
    ],
    none: ["(?:run|build|start|compile|work|exist|be) (?:\\S+ )?without"],
    hits: [
      "Without the key I can't sign the build.",
      "I could use your help with the names.",
      "It would be good to know the region.",
    ],
    misses: ["I can't build without the cache, so I enabled it."],
  },
  {
    id: "en/you-hand-over",
    all: [
      "(?:you(?:'ll| will|'d| would|'re)?|if you) (?:\\S+ ){0,3}?(?:need to|have to|must|can|could|may|should|might|going to have to|want to) (?:\\S+ )?(?:tell|give|send|grant|share|show|provide|let|point|forward|hand|get|remind|answer|invite|paste|confirm) (?:(?:it|them|this|that|the \\S+|your \\S+|a \\S+) )?(?:to |with )?(?:me|us)(?= )|you(?:'ll)? (?:just |only |first |still |will |would |simply ){0,4}(?:need|have) (?:only )?to (?:confirm|approve|decide|say|agree|choose|pick|reply|answer|sign off)(?= )|(?:has to|have to|must|needs to|need to|should|could|would|can) (?:\\S+ )?(?:grant|give|send|tell|show|invite|add|forward) me(?= )|(?:can|could|may|might) i (?:ask|have|get|trouble|assume|see|bother) (?:\\S+)|(?:i|we) (?:have|had|still have|'ve got|do have) (?:\\S+ ){0,3}questions?(?= (?:[.:,!?—]|for you|about|before|on|that|regarding|left))|questions? (?:for|to) you|i(?:'d| would| must| have to)? (?:ask|request|beg|urge|invite|encourage)(?: that)? you|from you(?= [.!,;?])(?<=(?:need|want|missing|require|is|get|hear|waiting for|like) (?:\\S+ ){0,8}from you)|(?:stop|correct|object|shout|protest|speak up) (?:me )?(?:if|now|when|where)(?= )",
    ],
    none: [
      "(?:in|on|through|via) (?:the (?:\\S+ )?(?:ui|console|dashboard|portal|dialog|browser|app|settings|panel|tool)|github|gitlab)",
      "(?:logs?|output|it|this|that|which|tests?|tools?) (?:can|could|would|should) (?:\\S+ )?(?:give|tell|show|send) me",
      "(?:nothing|no \\S+|not|no longer) (?:\\S+ ){0,6}from you",
      "(?:can|could|may|might) i (?:\\S+ ){0,20}[.] $",
    ],
    hits: ["You will need to give me access first.", "I have two questions for you.", "I need one thing from you."],
    misses: ["Nothing is needed from you."],
  },
];
