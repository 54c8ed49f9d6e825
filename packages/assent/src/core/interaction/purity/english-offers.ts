import type { Rule } from "./grammar.ts";

/** The writer would do something if the person wishes. */
export const offers: readonly Rule[] = [
  {
    id: "en/wish-and-own-deed",
    all: [
      "<wish>",
      "(?:<free>)(?:<ill>|<can>)(?! (?:<unable>) )|(?:<free>)i (?:continue|go|proceed|start|merge|push|deploy|keep|leave|remove|delete|do|run|switch|take|stop|add|move|make|apply|publish|close|open|finish|roll|drop|begin|ship|send)(?= )|(?:happy|glad|delighted|willing|ready|pleased) to|me to|let me|i'm (?:\\S+ )?(?:<glad>|here)|i am (?:\\S+ )?(?:<glad>|here)|(?:i|we)(?:'d| would) (?:be|gladly|happily|love|then|need|do|add|make|start by)",
    ],
    none: [
      "(?:asked|told|wanted|instructed|allowed|lets?|letting|allows|expected|required|forced|led|helped|enabled) me to",
      "(?:if|unless|until|once) you(?:'d| would| had)? (?:asked|requested|mentioned|reported|described|named)(?= )",
    ],
    hits: [
      "If you'd like, I can also add a CI step that catches this earlier.",
      "Once you approve, I'll merge it.",
      "Should you need the raw numbers, we can export them.",
      "I can squash these if you prefer a clean history.",
      "I'll hold the release until you tell me otherwise.",
      "With your permission I'll drop the table.",
    ],
    misses: [
      "If you want stricter checks, set the flag.",
      "If the build fails again, I can only blame the disk.",
      "If you see this error again, I'd check the disk first.",
    ],
  },
  {
    id: "en/wish-and-easy",
    all: [
      "<wish>",
      "(?:would|will|'d) be (?:easy|trivial|no trouble|quick|simple|straightforward|a quick \\S+|a small \\S+|possible|next|my next \\S+) (?:to|for me|from here)|(?:can|could) (?:follow|come next|be added|be done|be next)|(?:is|are|it's) (?:easy|quick|simple|a quick \\S+|no trouble) for me",
    ],
    none: ["<wish> (?:\\S+ ){0,3}to do (?:it|this|that) yourself"],
    hits: ["It would be no trouble to turn it into a package if that suits you better."],
    misses: ["If you need more memory, the limit is easy to raise in the unit file, line 4."],
  },
  {
    id: "en/wish-and-thing",
    all: [
      "if (?:you|you'd|you're|you are|you would) (?:(?:\\S+ ){0,2}?)(?:want|like|wish|prefer|interested|ok|okay|fine|up for|agree|happy|need|rather)(?: (?:it|that|one|them|so|this|with (?:it|that|this)|in (?:it|that)|applied|done|me|too|as well|first|more|any|otherwise)){0,2}(?= [.,;!)—])|if (?:wanted|desired|that's fine|that is fine|that's ok|that works|so desired|there's interest|there is interest)|should you (?:want|be interested|like|wish|need|prefer)|(?:on|after|upon|with|pending|at) your (?:word|ok|okay|go-ahead|approval|confirmation|signal|command|say-so|permission|consent|yes|nod|blessing|reply|answer|decision|instruction)|provided (?:that )?you|as long as you (?:agree|approve|want|like)|assuming you (?:agree|approve|want|like|are)",
      "i|i'd|i've|i'm|i'll|my|me|comes? next|(?:is|are) next|starts?|deletes|(?:is|are) ready|will (?:start|go|follow|run|be)|goes|follows|proceeds|continues|begins|within (?:minutes|an hour)|takes (?:me )?(?:\\S+ ){0,3}(?:minutes?|hours?|day|moment)",
    ],
    none: [
      "(?:, |; )(?:then )?(?:set|use|run|add|edit|change|pass|open|see|install|enable|delete|try|export|switch|remove|put|start|call|raise|lower|restart|check)(?= )",
      "(?:\\S+ed|was|were|did|ran|made|kept|left) (?:\\S+ ){0,6}(?:with|after|on|upon) your",
      "you can",
      "in case you",
      "(?:in|on|through|via) (?:the (?:\\S+ )?(?:ui|console|dashboard|portal|dialog|browser|app|settings|panel)|github|gitlab)",
    ],
    hits: [
      "A patch for the other bug is ready if you want it.",
      "The rollout starts on your word.",
      "I'd start with the parser, provided you agree.",
    ],
    misses: ["If you like, use the old layout.", "I merged it after your approval."],
  },
  {
    id: "en/until-you",
    all: [
      "(?:until|till|unless|before) (?:you (?:\\S+ )?(?:approve|confirm|say|tell|decide|give|agree|answer|reply|respond|ask|want|object|prefer|sign|choose|clarify|know|have (?:approved|confirmed|decided|answered|seen|reviewed)|review)|i (?:hear|get|have) (?:\\S+ ){0,5}(?:you|your|answer|confirmation|approval|ok|okay))(?= )",
      "i|i'm|i'll|i've|i'd|i'm|we|we'll|my|<begin>(?:not|holding|nothing|paused|on hold|stopped|no)",
    ],
    hits: ["I won't touch production until you approve.", "Nothing will be deleted until you confirm."],
    misses: ["The job waits until you confirm the dialog."],
  },
  {
    id: "en/able",
    all: [
      "(?:there's|there is|there are|that is|this is|that's|which is|is) (?:\\S+ ){0,6}?i could (?:<doing>)|(?:thing|things|something|else) i can (?:<doing>)|<start>(?:i can|i could|we could also|we can also|i may also|i might also) (?:<doing>)",
    ],
    none: [
      "now (?:i|we) can(?! (?:also|do))",
      "i can (?:\\S+ ){0,10}now that",
      "i could (?:\\S+ )?(?:then )?(?:build|run|start|log|open|load|connect|compile|install|finish|complete)(?= (?:\\S+ ){0,8}(?:without|again|after|with no|only after|yesterday|now|fine|successfully))",
      "i (?:can|could) (?:\\S+ ){0,9}(?:so far|right now because|at the moment because)",
    ],
    hits: [
      "I can also port the fix to the older branch.",
      "The rest is easy, and I can do it next.",
      "I could split the module further.",
    ],
    misses: [
      "I can confirm that the leak is gone.",
      "I could not reproduce the crash.",
      "As far as I can tell, nothing else reads the file.",
      "I could reproduce it on two hosts.",
    ],
  },
  {
    id: "en/glad",
    all: [
      "<start>(?:(?:i'd|i would|i'll|i will|we'd|we would|i) be |i'm |i am |we're |always |more than |very |only too |quite |perfectly ){0,4}(?:happy|glad|delighted|willing|pleased) (?:to(?! (?:report|say|see|announce|confirm|note|tell|hear|share|inform|let you know))|if|for)|i(?:'d| would) (?:love|be (?:happy|glad|delighted|honou?red|willing|keen|open)) to(?! (?:report|say))|(?:with|it would be my|it'd be my|my) pleasure to|gladly|i(?:'d| would)(?: be)? (?:gladly|happily)",
    ],
    none: ["(?:path|users|client|server|parser|linter|compiler|scheduler) (?:is|are) (?:happy|glad)"],
    hits: [
      "Happy to backport this as well.",
      "I'd be glad to walk you through it.",
      "Always happy to help!",
      "It would be my pleasure to add it.",
    ],
    misses: ["I'm happy to report that all tests pass.", "The happy path is covered by one test."],
  },
  {
    id: "en/ready",
    all: [
      "<start>(?:i'm|i am|we're|we are|i stand|i'm all set and|all set and)? ?(?:\\S+ )?(?:ready|standing by|available|at your (?:disposal|service)|on standby|on hand|around|prepared|here)(?: (?:to|for|if|when|whenever|should|until|in case|once|as soon as|on|and))(?! (?:review|production|use|merge|the next|deployment|users|release|testing|any|be (?:merged|deployed|used|reviewed|released|shipped|published|run|tested|installed|rolled|consumed|copied|pasted))(?= ))",
      "when(?:ever)? you|on your|if you|for your|should you|once you|your (?:approval|word|go-ahead|signal|decision|call|input|answer|reply)|<start>(?:i'm|i am|we're|we are|i stand) |standing by|at your (?:disposal|service)|<start>(?:ready|available|prepared) to (?!be )\\S+",
    ],
    none: ["(?<!i am )(?<!we are )(?:(?<!i )(?<= )(?:is|was|were|now|be|it's)) ready", "here (?:is|are|and there)"],
    hits: [
      "Ready to push when you are.",
      "I'm standing by for your approval.",
      "I'm here if you need me.",
      "I am ready to go on with the migration if you agree.",
    ],
    misses: ["The job is ready and runs at 02:00.", "The branch is ready to merge."],
  },
  {
    id: "en/at-your-word",
    all: [
      "<start>(?:just |simply |please ){0,4}(?:say (?:so|yes|go|when|the word|if|whether|which|what|where|how|no|¤|and)|flag (?:it|them|that|this|anything|me)(?= (?:if|to me|and i|when))|object (?:if|now)|(?:name|pick|choose|mention|call out|point out|mark|list) (?:\\S+ ){1,8}and (?:i|i'll|we|we'll)(?= )|ask me|give (?:me|us) (?:a|the|your|an) \\S+|give the (?:word|go-ahead|green light|nod|ok|okay|signal|thumbs-up)|ping (?:me|us|¤)|shout|holler|drop (?:me|us) a|hit me|keep (?:me|us) (?:posted|informed)|get back to (?:me|us)|call on me|poke me|nudge me|ask (?:me|away|if|and|for|any|whenever|at any)|reach out|(?:a )?(?:thumbs-up|quick yes|simple yes|nod|go-ahead|one-word \\S+)(?: from you)? (?:is|and|will|would|suffices|to))",
    ],
    hits: [
      "Just say the word and I'll fix it too.",
      "Give me a nod and I'll split them.",
      "Ping me if it comes back.",
      "Just ask me.",
    ],
    misses: ["Users say so in the survey.", "The hook will ask for a reason.", "Ask your administrator for the role."],
    none: [
      "give (?:me|us) (?:a|the) (?:same|error)",
      "ask for (?:help|it) with",
      "ask (?:for|if|any) (?:your|the|an) (?:admin|administrator|team|manager|owner|vendor)",
    ],
  },
  {
    id: "en/feel-free",
    all: [
      "(?:feel free|don't hesitate|do not hesitate|please don't hesitate|you(?:'re| are) (?:very |always )?(?:welcome|free)|be sure|no need to hesitate|never hesitate|you can always|you can (?:just )?) ?(?:to )?(?:just |simply )?(?:ask|reach|ping|let (?:me|us)|tell (?:me|us)|share|send (?:me|us|it|them|over|along|the \\S+ (?:to me|here))|reply|respond|contact (?:me|us)|write (?:me|us|to me|back)|message (?:me|us)|shout|give me|call on|paste|come back|correct me|object|answer|say so|say (?:the word|yes|no)|request|get in touch|point me|drop (?:me|us)|follow up|stop me|bring|hand)",
    ],
    hits: ["Feel free to ask if anything is unclear.", "Don't hesitate to reach out.", "You can always ping me here."],
    misses: ["Feel free to delete the branch.", "You can ask the scheduler for a dump with `dump`."],
    none: [
      "you can (?:just )?(?:ask|request|reach|share|reply|respond|bring|hand|request|answer|drop|follow|paste|object|contact|send (?:it|them|the))",
    ],
  },
  {
    id: "en/yours-to-decide",
    all: [
      "<start>(?:(?:it's|it is|that's|that is|this is|the (?:choice|decision|call|rest) is|(?:whether|which|what|how) (?:\\S+ ){1,14}is|entirely|completely|all|totally|both work|fully) ){0,4}(?:up to you(?! to (?!decide|choose|pick|say))|your (?:call|choice|decision|move|pick|turn)|yours(?: to (?:make|decide|choose))?|over to you|you decide|you choose|you pick|you tell me|the ball is in your court|at your discretion|as you (?:like|wish|prefer|please)|whatever you prefer|whichever you (?:prefer|like)|dealer's choice)(?= (?:[.!,;:—)?]|whether|which|if|how|$|on|entirely|and|to|now|here|of course|so))",
    ],
    hits: [
      "Up to you.",
      "Your call.",
      "It's your decision whether I drop it.",
      "Whether to keep the old flag is up to you.",
    ],
    misses: ["Your choice of database is stored in the profile."],
  },
  {
    id: "en/want",
    all: [
      "<start>(?:(?:do|did|would|might|may) )?(?:you (?:may |might |would |'d |also |still |really ){0,4})?(?:want|need|like|prefer|wish|care) (?:for )?(?:me|us) to(?= )",
    ],
    none: ["<begin>(?:<you>) (?:wanted|asked)"],
    hits: ["Want me to look into them?", "Need me to redo it?", "Do you want me to go on"],
    misses: ["They want me to fail, the test names suggest."],
  },
  {
    id: "en/inverted",
    all: [
      "(?<=(?:^ | [,;:.—()!?…] )(?:\\S+ ){0,3})(?:(?:should|shall|may|can|could) (?:i|we)|would you (?:like|prefer|want|mind|rather|be)|do you (?:want|need|prefer|mind|think|have|mean|know|agree|like|expect|see)|(?:can|could|will|would) you (?:please |kindly )?(?:\\S+)|are you (?:ok|okay|happy|fine|sure|ready|comfortable|planning|using|able)|is it (?:ok|okay|fine|alright|all right) (?:if|to|for|with))(?= (?:\\S+ ){1,60}[.!]? $)",
    ],
    none: [
      "(?:how|why|where|when|what|who|whom|whether|if|that|which|because|so|then|only|nor|neither|now|here|there|thus|not|before|until|as|never|rarely) (?:should|shall|may|can|could) (?:i|we)",
      "\\?",
      "should (?:i|we) (?:\\S+ ){0,8}, ",
    ],
    hits: ["Should I delete the old backups as well.", "Could you paste the full output."],
    misses: ["Only then could we reproduce it.", "I asked the server why."],
  },
  {
    id: "en/would-help",
    all: [
      "<start>(?:perhaps|maybe|shall|how about|what about|what if|why don't) (?:i|we|you)(?= )|<start>(?:would|will|does|do) (?:it|that|this) (?:help|be (?:useful|helpful|ok|okay|fine|worth))|<start>(?:(?:another|one|a further|the other|a second|an|a|one more|a possible|a natural|a sensible|the next|a next|the obvious|the natural|possible) )?(?:option|possibility|alternative|offer|suggestion|follow-up|next step)(?: \\S+){0,4} (?:for me to|that i|me to|i'd|i could|i can|to have me)",
      "\\S+",
    ],
    hits: ["Another option is for me to split the file.", "Maybe I should revert it?"],
    misses: ["Another option is the cache on disk, which is slower."],
  },
  {
    id: "en/word-is-enough",
    all: [
      "(?:yes|word|nod|ok|okay|go-ahead|green light|thumbs-up|confirmation|reply|answer|hint|pointer|line|message) from you (?:is|will|would|and|suffices|starts)|(?:yes|word|nod|ok|okay|go-ahead|green light|thumbs-up) (?:is (?:all|enough)|suffices|will do|would do|and (?:i|i'll|it|we))(?= )|(?:hint|pointer|answer|reply|confirmation|message|line|word) (?:would help|would be enough|is all i|suffices|and i'll|and i will)(?= )|(?:all it takes|all i (?:need|lack)|all (?:that is|that's) missing|the only thing (?:i need|missing) is|what i (?:need|lack|miss)|what's missing|only missing)(?= )|(?:leave|leaving|left) (?:\\S+ ){0,6}?(?:to you|up to you|for you to (?:decide|choose|pick|judge)|in your hands|your call)(?= )|(?:decision|choice|call|judgement|judgment) (?:\\S+ ){0,3}?(?:is|remains|rests|lies) (?:\\S+ )?(?:yours|with you|up to you|your)(?= )|(?:open to|all ears|welcome) (?:\\S+ )?(?:suggestions|ideas|input|feedback|other names|alternatives|corrections)|<start>at your (?:service|disposal)|say the \\S+ word|(?:decision|answer|confirmation|approval|input|clarification) (?:needed|required|wanted)(?= [.:!—])|(?:to be|is) decided by you|(?:could use|need|want) a decision|we (?:should|need to|have to|must|still need to) (?:first )?(?:agree|decide|settle|talk|align)(?= )|what i can do(?: \\S+){0,2} :|<start>(?:pick|choose|select) (?:one|between|either)(?: \\S+){0,4}?(?= [:.])|<start>(?:would you like|do you want|shall i|should i|i can|we can)(?: \\S+){0,6}? :(?= $)|<start>(?:i'm|i am|i remain|i stay|i'll be|i will be)(?: \\S+)? (?:available|reachable|around|on call)(?= )|<start>(?:i'm|i am) (?:all ears|open to (?:\\S+)|flexible|curious|reachable|just a message away|a message away|only a message away)",
    ],
    none: ["all (?:that is|that's) needed was"],
    hits: ["A yes from you is enough.", "All I need is the key.", "I leave that to you.", "The decision is yours."],
    misses: ["The confirmation is sent once.", "A word is a run without white space."],
  },
  {
    id: "en/offering",
    all: [
      "<start>(?:i|we)(?:'d| would)? (?:also )?(?:offer|volunteer) to|<start>(?:my|the|an|one|this) offer (?:stands|to|still)|i'm offering|<begin>(?:can|could|will) (?:also|do|gladly|happily|easily|take care)(?= )(?! not)|<start>(?:i|we)(?:'d| would) (?:gladly|happily|love to)|<start>say (?:¤|so|yes) and|<start>let's (?:discuss|decide|talk)",
    ],
    hits: ["Can also add a test for that.", "I'd gladly do the rest.", "I offer to rewrite the parser."],
    misses: ["The server can also run as a service.", "I added the option that can also be set by hand."],
  },
];
