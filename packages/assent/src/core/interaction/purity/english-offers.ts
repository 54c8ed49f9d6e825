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
      "(?:would|will|'d) be (?:easy|trivial|no trouble|quick|simple|straightforward|a quick \\S+|a small \\S+|possible|next|my next \\S+) (?:to|for me|from here)|(?:can|could) (?:follow|come next|be added|be done|be next)|(?:is|are|it's) (?:easy|quick|simple|a quick \\S+|no trouble) (?:to|for me)",
    ],
    none: ["<wish> (?:\\S+ ){0,3}to do (?:it|this|that) yourself"],
    hits: ["It would be no trouble to turn it into a package if that suits you better."],
    misses: ["If you need more memory, the limit is easy to raise in the unit file, line 4."],
  },
  {
    id: "en/able",
    all: ["<start>(?:i can|i could|we could also|we can also|i may also|i might also) (?:<doing>)"],
    none: [
      "now (?:i|we) can(?! (?:also|do))",
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
      "<start>(?:(?:i'd|i would|i'll|i will|we'd|we would|i) be |i'm |i am |we're |always |more than |very |only too |quite |perfectly )*(?:happy|glad|delighted|willing|pleased) (?:to(?! (?:report|say|see|announce|confirm|note|tell|hear|share|inform|let you know))|if|for)|i(?:'d| would) (?:love|be (?:happy|glad|delighted|honou?red|willing|keen|open)) to(?! (?:report|say))|(?:with|it would be my|it'd be my|my) pleasure to|gladly|i(?:'d| would)(?: be)? (?:gladly|happily)",
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
    none: ["(?:is|are|was|were|now|be|it's) ready", "here (?:is|are|and there)"],
    hits: [
      "Ready to push when you are.",
      "I'm standing by for your approval.",
      "I'm here if you need me.",
      "I am ready to start the migration.",
    ],
    misses: ["The job is ready and runs at 02:00.", "The branch is ready to merge."],
  },
  {
    id: "en/at-your-word",
    all: [
      "<start>(?:just |simply |please )*(?:say (?:so|yes|go|when|the word|if|whether|which|no|¤|and)|give (?:me|us) (?:a|the|your|an) \\S+|give the (?:word|go-ahead|green light|nod|ok|okay|signal|thumbs-up)|ping (?:me|us|¤)|shout|holler|drop (?:me|us) a|hit me|keep (?:me|us) (?:posted|informed)|get back to (?:me|us)|call on me|poke me|nudge me|ask (?:me|away|if|and|for|any|whenever|at any)|reach out|(?:a )?(?:thumbs-up|quick yes|simple yes|yes|nod|word|ok|okay|go-ahead|one-word \\S+)(?: from you)? (?:is|and|will|would|suffices|to))",
    ],
    hits: [
      "Just say the word and I'll fix it too.",
      "Give me a nod and I'll split them.",
      "Ping me if it comes back.",
      "Just ask.",
    ],
    misses: ["Users say so in the survey.", "The hook will ask for a reason.", "Ask your administrator for the role."],
    none: [
      "give (?:me|us) (?:a|the) (?:same|error)",
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
      "<start>(?:(?:it's|it is|that's|that is|this is|the (?:choice|decision|call|rest) is|(?:whether|which|what|how) (?:\\S+ ){1,14}is|entirely|completely|all|totally|both work|fully) )*(?:up to you(?! to (?!decide|choose|pick|say))|your (?:call|choice|decision|move|pick|turn)|yours(?: to (?:make|decide|choose))?|over to you|you decide|you choose|you pick|you tell me|the ball is in your court|at your discretion|as you (?:like|wish|prefer|please)|whatever you prefer|whichever you (?:prefer|like)|dealer's choice)(?= (?:[.!,;:—)?]|whether|which|if|how|$|on|entirely|and|to|now|here|of course|so))",
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
      "<start>(?:(?:do|did|would|might|may) )?(?:you (?:may |might |would |'d |also |still |really )*)?(?:want|need|like|prefer|wish|care) (?:for )?(?:me|us) to(?= )",
    ],
    none: ["^ (?:<you>) (?:wanted|asked)"],
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
    misses: ["Only then could we reproduce it.", "I asked why could you not log in."],
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
    id: "en/offering",
    all: [
      "<start>(?:i|we)(?:'d| would)? (?:also )?(?:offer|volunteer) to|<start>(?:my|the|an|one|this) offer (?:stands|to|still)|i'm offering|<start>(?:can|could|will) (?:also|do|gladly|happily|easily|take care)(?= )(?! not)|<start>(?:i|we)(?:'d| would) (?:gladly|happily|love to)|<start>say (?:¤|so|yes) and|<start>let's (?:discuss|decide|talk)",
    ],
    hits: ["Can also add a test for that.", "I'd gladly do the rest.", "I offer to rewrite the parser."],
    misses: ["The server can also run as a service.", "I added the option that can also be set by hand."],
  },
];
