import { offers } from "./english-offers.ts";
import { requests } from "./english-requests.ts";
import type { Language } from "./grammar.ts";

/** Words that may stand between the start of a clause and its verb or subject. */
const openers =
  "and|or|but|so|then|also|please|just|simply|kindly|otherwise|alternatively|additionally|next|meanwhile|afterwards|" +
  "likewise|separately|plus|though|still|now|first|finally|optionally|of course|that said|from (?:there|here)|after that|" +
  "if (?:so|not|yes|no)|in (?:that|this|either|the former|the latter) case|as (?:a|the|an) (?:\\S+ ){0,2}(?:step|follow-up|followup|alternative|option)|" +
  "in the meantime|for (?:example|instance|now)|for that|to do (?:so|that)|instead|here|there|either way|" +
  "later|afterward|when ready|p\\.?s|p\\.s|note|fyi|btw|by the way|again|as always|always|do|anyway|in any case|" +
  "else|because|since|which means|for (?:this|the) \\S+|on (?:that|this) \\S+|at (?:that|this) point";

export const english: Language = {
  name: "english",
  script: "[a-z]{2}| i ",
  vocabulary: {
    // The place where a clause begins: nobody but the writer is the subject of what follows.
    start: `(?<=(?:^ | [,;:.—()!?…] )(?:(?:${openers}|,) ){0,4})`,
    // Not inside a clause that hangs on another: "so that I can", "than I could".
    free: "(?<! (?:that|where|how|as|than|before|if|until|whether|all|when|unless|while|everything|anything|why|who|far|so|after|like|what) )",
    unable: "not|only|no longer|confirm|see|say|tell|reproduce|recommend|suggest|never|hardly|have|at least|assure",
    begin: "(?<=^ )",
    i: "i|we",
    ill: "i'll|we'll|i will|we will|i shall|we shall",
    can: "i can|we can|i could|we could|i may|i might|we might",
    glad: "happy|glad|delighted|pleased|more than happy|very happy|quite happy|perfectly happy|willing|ready|able|available|prepared|keen|eager|free|open|game|around|at your (?:disposal|service)",
    you: "you|ya|u|y'all",
    // What I can see, not what I can do for somebody.
    knowing:
      "not|confirm|see|tell|say|reproduce|verify|only|no longer|report|find|observe|think|imagine|understand|at least|never|hardly|barely|neither|access|reach|read|be|assure|recommend|suggest|conclude|recall|explain|rule|trace|locate|determine|identify|detect|identify|have|now (?:see|confirm|reproduce|read|access|reach|connect|run|build)|narrow|still (?:see|reproduce)|already|attest|vouch|guarantee|infer|spot|notice|hear|claim|state|establish|get|reliably|consistently",
    doing:
      "(?!(?:<knowing>) )(?:also |then |still |easily |quickly |gladly |certainly |of course |next |now |happily |well |definitely |even |instead |always |either |just |simply |later |at any time |absolutely |further ){0,4}(?!(?:<knowing>) )\\S+",
    // The person's wish, need or leave.
    wish:
      "if (?:<you>)(?:'d|'ll|'re|'ve)?|should you|if (?:that|this|it|either|any|one|both|these|those|something|anything)(?: of (?:this|these|that|those|them|it))?(?:(?:'s| is| are| were|'d be| would be| will be)(?: (?:not|too|also|all|still|really|more|of)){0,2} (?:ok|okay|fine|useful|helpful|good|right|acceptable|a problem|an issue|wanted|desired|needed|interest|what you\\S*|worth|better|enough|important|preferred|easier|alright|correct|wrong|welcome|interesting|annoying|unwanted|strict|loose|long|short|much|little|intended|something|confirmed|approved|agreed|your|preferable|best)| sounds?| helps?| looks?| works?| suits?| appeals?| seems?| makes? sense| interests?| matters?| fits?| bothers?| feels?| turns? out| has (?:priority|value))|if there(?:'s| is| are) (?:anything|something|any|interest|appetite|a need|demand|more|other)|" +
      "if (?:needed|desired|required|wanted|useful|helpful|preferred|necessary|wished|requested|so desired|asked|welcome|appropriate|of interest|of use|ok|okay|approved|agreed|confirmed|we want|we agree|we'd like|we need|so|not|yes|no|people|the team|anyone)|" +
      "when(?:ever)? (?:<you>)(?:'re| are| want| wish| say| give| need| tell| like| feel| decide| have| get| confirm| approve)|once (?:<you>)\\S*|once (?:i|we) (?:have|get|hear|receive) \\S+|once (?:that|this|it)(?:'s| is) (?:confirmed|approved|clear|agreed|decided)|as soon as (?:<you>|i have|i get|i hear|i receive)|after (?:<you>) (?:confirm|approve|decide|choose|review|sign)|until (?:<you>)|unless (?:<you>)\\S*|provided you|assuming (?:<you>)\\S*|" +
      "on (?:request|demand|your (?:word|signal|go-ahead|command|mark|call|say-so|approval|ok|okay))|upon (?:request|your \\S+|confirmation|approval)|(?:at|on|by) your (?:request|signal|convenience|word|discretion)|with (?:your|a) (?:ok|okay|permission|approval|go-ahead|blessing|consent|agreement|yes|confirmation|leave|nod)|say (?:so|yes|go|the word|when|¤)|pending your|given your \\S+|should (?:this|that|it|these) (?:not|turn|prove|be)|should anything|after your \\S+|subject to your|as you (?:wish|like|prefer|see fit)|whichever you|whatever you|however you|wherever you",
  },
  rules: [...offers, ...requests],
  directed: [
    "(?:should|shall|may|might) (?:i|we|it|this|that|they|these|those|the|he|she|both|there|\\S+s|¤|a|an|any|all|every|each|new|old|such)",
    "should",
    "(?:want|need|like|expect|prefer|care for) me to",
    "(?:do|does|did|would|will|could|can|are|were|have|had|is|was|won't|don't|didn't|wouldn't|couldn't|can't|aren't|haven't|may i have) (?:you|your|yours|y'all|u)",
    "(?:you|your|yours|you'd|you've|you're|you'll)",
    "<start>(?:ok|okay|fine|good|safe|alright|ready|happy|good to go|all good|clear|agreed|sound good|sounds good|sound|make sense|makes sense|deal|proceed|continue|go ahead|thoughts|any thoughts|any|anything|objections|want|wanna|need|care|mind|prefer|interested|feedback|comments|concerns|opinions|preferences?|yes|no|right|correct|merge|ship|deploy|push|commit|delete|keep|next steps?|which one|what next|what now|what else|worth|still|more|another|or)",
    "<start>(?:is|are|was|were|would|does|do) (?:that|this|it|these|those|either|one|both|there|everything|any)(?: (?:\\S+ ){0,4}(?:ok|okay|fine|right|correct|intentional|intended|intend|deliberate|expected|acceptable|enough|work|works|suit|help|useful|helpful|good|alright|all right|better|preferred|needed|wanted|desired|sufficient|still|really|on purpose|sense|anything|something|any|worth|meant|supposed|a reason|known|answer|preference|deadline))",
    "(?:ok|okay|fine|alright|cool|safe|free|good|permission|leave) (?:with you|by you|for you|to \\S+|if i|for me|that i)",
    "(?:can|could|may|do|am|might|must|would|will|did) (?:i|we)",
    "(?:intentional|intended|on purpose|deliberate|deliberately|as expected|by design|acceptable|negotiable|still (?:needed|used|in use|relevant|required|valid))(?= \\?)",
    "what do (?:we|i)|who (?:should|can|will|decides|would|do)|when (?:should|would|can)|<start>(?:so )?which (?:\\S+ ){0,4}?(?:should|do|to|would|shall|are (?:we|you)|can|may|must|is (?:right|correct|preferred|the right))|<start>which(?: one| of (?:these|those|them|the two))?(?= \\?)|<start>(?:to|in|on|for|from|under|at|with) (?:which|what|whom)",
  ],
  rhetorical: [
    "<begin>(?:(?:so|and|but|then) ){0,2}(?:why|how (?:does|did|is|was|come|were|has)|what (?:changed|happened|caused|went|does|did|was|were|makes|made|is (?:new|different|left)|has)|where (?:does|did|do|was|were)|who (?:wrote|did|uses|broke))(?! (?:did you|do you|are you|don't))(?! .* (?:you|your|should) )",
    "<begin>(?:\\S+ )?why(?! (?:don't|not|did you|do you|are you)(?= ))",
    "(?:how|what|where|when|why) (?:do|does|did|can|could|would|should) (?:you|one)(?! (?:want|like|prefer|feel|think|need|plan|mean|intend|expect|wish|say|handle|have in|see|do with|call|store|keep|go|proceed|usually|currently|use|put|target|rather|suggest|recommend|propose|imagine)(?= ))",
    "<begin>(?:should|must|do|can|could|will|would|did) (?:you|we|one) (?:worry|care|have to|need to|be worried|notice|lose|still need to)(?= )",
    "what (?:can|could|might|would) (?:go wrong|happen)",
  ],
  answers: [
    "<begin>(?:yes|no|yep|yeah|nope|because|since|it depends|depends|not (?!sure|certain|clear|yet)\\S+|none|nothing|never|neither|both|a|q|answer|the answer|short answer|in short|run|set|use|delete|clear|open|add|try|install|pass|edit|restart|remove|read|look (?:at|in|for)|there (?:is|are|was|were) (?:none|no|only)|simply|easy|simple|partly|mostly|almost|only|probably|certainly|of course|absolutely|definitely|correct|indeed|exactly|sadly|unfortunately|turns out|it turns out|as it turns out|hardly|to some extent|sort of|kind of|in a word|in practice|due to|thanks to|by|through|(?:it|they|this|that|these|those|he|she|there|i|we|you|all|each|everything|one|some) (?:is|are|was|were|does|do|did|can|could|will|would|has|have|had|may|cannot|can't|doesn't|don't|isn't|aren't|didn't|won't|should|must|remains?|still|stays?|holds?|works?)(?: not)?(?= [.,:;—]))(?= [,.:;—!]| \\S)",
  ],
  evasions: [
    "<begin>(?:no (?:rush|hurry|pressure|worries|problem|strong|preference|need)|yes (?:or|and|/)|yes/no|if (?:yes|no|so|not|you)|because (?:if|i|otherwise|the answer|that|it decides|this)|both (?:\\S+ ){0,3}(?:work|are possible|options|are fine|would|have|look|seem|exist|approaches|variants)|either|since (?:i|that|this|you)|only (?:then|you|with)|the answer (?:decides|determines|affects|changes|matters|will|would|is needed)|(?:nothing|none) (?:\\S+ ){0,5}(?:says|tells|mentions|explains|in the|yet|until)|by default|through|a (?!:)|a$)",
    "<begin>(?:i (?:couldn't|could not|can't|cannot|don't|do not|didn't|did not|haven't|wasn't|am not|found no|see no|see both|see two|found (?:two|both|three)|left|assumed|need|ask|have not|wanted|only (?:see|found|have)|went with|kept|used|chose|picked|set|took|have|guess|would|think|assume|can|could|see|suggest|saw)|i'd|i'll|i've|my (?:guess|assumption)|currently|at the moment|for now|right now|so far|at present|until then|as of now|i'm (?:not|asking|unsure|assuming|happy)|(?:it|this|that)(?:'s| is| was) (?:not clear|unclear|not obvious|ambiguous|the only|the last|what|not documented|not stated|your)|neither|nothing in|the (?:\\S+ ){1,3}(?:does not|doesn't|don't|do not|did not|didn't) (?:say|specify|mention|state|tell|cover))",
  ],
  saying: [
    "(?:fails? with|failed with|says?|said|saying|reads?|reading|asks?|asked|asking|shows?|showed|shown|showing|prints?|printed|printing|displays?|displayed|prompts|prompted|prompting|states?|stated|writes|wrote|written|outputs?|logs|logged|returns?|returned|answers|answered|replies|replied|responds|responded|contains?|contained|titled|named|called|labell?ed|entitled|worded|phrased|quotes?|quoted|greets|announces|warns|covers|covered|checked|verified|explains?|discusses|these questions|following questions|questions)(?: (?:now|\\S+ly|as follows|as|the following(?: \\S+)?|this|users?|people|them|me|is|with|in|on|for|the user|the text|the message|¤|these|three|two|four|five|questions?|one|like this|it|to)){0,4}(?= $)",
  ],
  yesNo: [
    "<begin>(?:(?:so|and|but|or|also|then|,) ){0,2}(?:is|are|does|do|can|could|will|would|may|might|shall|should|isn't|aren't|doesn't|don't|can't|won't|wouldn't)(?! (?:it|this|that|they))(?= )",
  ],
  reporting: [
    "(?:fails? with|failed with|says?|said|saying|reads?|reading|asks?|asked|asking|shows?|showed|shown|showing|prints?|printed|printing|displays?|displayed|prompts|prompted|prompting|states?|stated|writes|wrote|written|outputs?|logs|logged|returns?|returned|answers|answered|replies|replied|responds|responded|ends?|ended|begins?|starts?|contains?|contained|titled|named|called|labell?ed|entitled|worded|phrased|quotes?|quoted|used to be|was|becomes|became|greets|announces|warns|covers|covered|lists|listed|checked|verified|reviewed|explains?|discusses|now)(?: (?:now|\\S+ly|as follows|as|the following(?: \\S+)?|this|users?|people|them|me|is|with|in|on|for|the user|the text|the message|¤|these|three|two|four|five|questions?|one|like this|it|to)){0,4}(?= $)",
    "(?:buttons?|dialogu?e?s?|prompts?|messages?|labels?|titles?|texts?|banners?|errors?|warnings?|log|logs|lines?|outputs?|headings?|headlines?|headers?|placeholders?|tooltips?|hints?|modals?|popups?|screens?|pages?|forms?|fields?|wizards?|installers?|scripts?|templates?|emails?|mails?|subjects?|readmes?|docs|documentation|comments?|issues?|tickets?|faq|faqs|sections?|surveys?|wording|copy|strings?|sentences?|phrases?|notices?|notes?|snippets?|excerpts?|entry|entries|questions?|captions?|checkbox|links?|footers?|paragraphs?|commits?|todo|reply|response|notification|toast|alert|confirmation|instruction|instructions|check|checklist|menu|description|chapters?|topics?|steps?|translations?|keys?|tests?|cases?|slogan|body|commit message|pull request|pr|bot|assistant|user|customer|reviewer|author|client)(?: (?:is|are|was|were|to|now|reads|in \\S+|of \\S+|on \\S+|for \\S+|at \\S+|from \\S+|below|above|the \\S+|as|with|that follows?|¤|too|again|here|changed|updated|fixed|added|renamed|became)){0,5}(?= $)",
    "(?:renamed|changed|replaced|rewrote|reworded|shortened|translated|set|switched|updated|fixed|corrected|added|quoting|verbatim|e\\.g|i\\.e|for example|such as|example|from|to|reported|original|old|new|before|after|then|said)(?: (?:it|them|to|with|by|as|from|text|wording|¤|now|one)){0,3}(?= $)",
  ],
  own: [
    "<begin>(?:(?:one|two|three|four|five|a|an|my|last|final|open|another|quick|some|only|the|next|remaining|few|other|small|single|short|brief|outstanding|unresolved|pending|main|more|also|so|and|still|just|\\d) ){0,4}(?:questions?|things?|checks?|decisions?|points?|ask|request|favou?r|step|steps|detail|details|item|items|caveat|clarifications?|unknowns?|choice)(?: (?:left|though|before \\S+|for you|from me|remains?|open|first|to settle|to clarify|remaining|i have|about \\S+|on \\S+|is|here|to you|needed|only|to decide|i have left|that remains?|on my side|for now|regarding \\S+)){0,3}(?= $)",
    "(?:questions? for you|open questions?|need(?:s|ed)? (?:your|from you|to know|an answer|answers|input|clarification|clarity|a decision|the following|you|you to \\S+)|your (?:input|decision|call|answer|opinion|choice)|(?:please|could you|can you|would you)(?: \\S+){0,4}|tell me|i wondered|i wonder|wondering|i'm asking|i ask|i'd ask|i'd like to (?:ask|know|check|clarify)|before i (?:\\S+)(?: \\S+){0,6}|unsure|not sure|unclear|undecided|you|you to|i (?:have|had|still have)(?: \\S+){0,3}|clarify|confirm|let me know)(?: \\S+){0,4}(?= $)",
    "<begin>(?:p\\.?s|p\\.s|question|questions|also|decision|next|btw|heads-up|tl;dr|note|done|result|summary|next steps?|follow-ups?|open|blocker|blocked|blocking|status|update)(?= $)",
  ],
  retold: [
    "<begin>(?:as )?(?:<you>|the (?:user|customer|client|reviewer|author|reporter|ticket|issue|team|maintainers?|manager|cli|tool|wizard|installer|prompt|script|dialog|form|bot|assistant|survey|task|thread|question|email|mail|comment)|he|she|they|someone|somebody|users|customers|people|reviewers?) (?:\\S+ ){0,2}(?:asked|asks|wrote|writes|said|says|wondered|requested|wanted|reported|mentioned|complained|inquired|enquired|used to ask|is asked|are asked|were asked|was asked|will ask|would ask|will be asked)(?= (?!for you))(?! (?:\\S+ ){0,40}(?:—|;|\\.) (?:want|should|shall|do you|let me))",
  ],
};
