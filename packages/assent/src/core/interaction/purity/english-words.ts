import type { Patterns } from "./grammar.ts";

/** What may stand between the start of a clause and its verb or subject. */
export const openers =
  "and|or|but|so|then|also|please|just|simply|kindly|otherwise|alternatively|additionally|next|meanwhile|afterwards|" +
  "likewise|separately|plus|though|still|now|first|finally|optionally|of course|that said|from there|from here|after that|" +
  "if so|if not|if yes|if no|in that case|in this case|in either case|as a follow-up|as a next step|as an alternative|" +
  "as a bonus|as an option|in the meantime|for example|for now|for that|to do so|to do that|instead|here|there|either way|" +
  "later|when ready|p.s|ps|pps|note|fyi|btw|by the way|again|as always|always|do|anyway|in any case|else|because|since|" +
  "which means|for this _|for the _|on that _|on this _|at that point|at this point|side note|one more thing|until then|" +
  "after which|beyond that|besides|furthermore|moreover|if needed|if necessary|if possible|on top of that|to be safe|" +
  "to go on|to continue|to proceed|to finish|to move on|for completeness|before that|before i _|in return|ideally|perhaps|" +
  "maybe|thus|hence|therefore|apart from that|other than that|once done|when done|as a second step|in a second step|to that end|in parallel|with that";

export const classes: Readonly<Record<string, string>> = {
  // What an agent does.
  does:
    "do add adapt adjust align analyse analyze annotate apply archive arrange assemble attach audit automate backfill backport " +
    "bake batch begin benchmark bisect block book build bump bundle cache change check clean clear clone close collapse combine " +
    "commit compare compile compress compute configure continue convert copy correct cover create cut debug dedupe delete deploy design dig " +
    "disable document draft drop dump edit email enable encrypt enforce estimate evaluate execute expand export expose extend " +
    "extract fetch file fill finish fix flatten flip fold follow force-push fork format gather generate give go group handle harden hide " +
    "hook hunt implement import improve include index initiate inline inspect install instrument integrate introduce investigate keep kick " +
    "label land launch leave lift limit link lint list load lock log look loop lower make map mark measure merge migrate mirror " +
    "mock modernise modernize move name narrow normalise normalize open optimise optimize order organise pack package patch perform pick pin plan " +
    "point port post preload prepare proceed produce profile promote propose prototype provide prune publish pull purge push put raise rebase " +
    "rebuild record recover redo reduce refactor regenerate reindex release remove rename reopen reorder repair repeat replace " +
    "replay report request reset resize restart restore restructure resume retry revert review revisit rewrite reword roll rollback rotate rerun run " +
    "sanitise save scale scan schedule script search secure send separate set setup shave ship shorten show shrink silence simplify sketch skip " +
    "sort split squash stage start stop strip submit summarise summarize supply swap sweep switch sync tackle tag take tune tear test throw " +
    "tidy tighten trace track transfer translate trigger trim try turn tweak undo unify uninstall unpin update upgrade upload validate " +
    "verify walk watch widen wipe wire work wrap write help hold wait finalise finalize polish pursue carry jump investigate spin bring set explore elaborate expand",
  doing: "holding pausing waiting standing stopping leaving keeping paused",
  // What one sees or knows, not what one does for somebody.
  knowing:
    "not confirm see tell say reproduce verify only no report find observe think imagine understand at never hardly barely neither " +
    "access reach read be assure recommend suggest conclude recall explain rule trace locate determine identify detect have narrow " +
    "already attest vouch guarantee infer spot notice hear claim state establish get reliably consistently now connect log build compile load finally know judge safely",
  unable: "not only no confirm see say tell reproduce recommend suggest never hardly have at assure",
  telling: "report say see announce confirm note tell hear share inform find know",
  advise:
    "check look recommend suggest expect say advise avoid consider prefer guess assume argue bet rather hope think call been better not",
  // A clause that hangs on another: "so that I can", "than I could".
  hanging:
    "that where how as than before if until whether all when unless while everything anything why who far so after like what whatever",
  glad:
    "happy glad delighted pleased willing ready prepared keen eager free open game available able up thrilled inclined set all at standing " +
    "flexible capable welcome honoured honored comfortable tempted",
  made: "asked told wanted instructed allowed let lets letting allows expected required forced led helped enabled allowing caused got takes took",
  want:
    "want like wish prefer need care fancy choose decide agree approve confirm accept say tell ask request insist reckon think feel find " +
    "consider believe trust object mind reply respond answer let give grant send share provide interested ok okay fine happy good up " +
    "rather keen curious comfortable ready sign see'd love open sure board onboard desire opt value appreciate consent permit allow okayed signed " +
    "decided confirmed approved agreed chosen answered seen reviewed review know clarify favour favor game cool wanted liked deem",
  fine:
    "ok okay fine useful helpful good right acceptable wanted desired needed interest interesting worth worthwhile better enough important preferred easier alright correct " +
    "welcome intended approved agreed preferable best sounds sound helps help looks look works work suits suit appeals seems sense " +
    "interests matters fits bothers feels priority value valuable strict loose long short much little annoying unwanted wrong problem issue cool handy relevant nicer",
  word:
    "word ok okay go-ahead go approval confirmation signal command say-so permission consent yes nod blessing reply answer decision instruction " +
    "instructions request mark call sign-off signoff agreement leave green response input feedback choice cue authorization authorisation clearance " +
    "thumbs-up buy-in verdict review opinion preference thoughts guidance help clarification judgement judgment direction advice opinion take view wish order",
  asking:
    "confirm clarify specify advise tell send share paste provide give forward attach upload show grant point drop supply reply respond " +
    "answer choose pick decide approve let say name indicate describe explain post email mail state list suggest agree authorize authorise " +
    "resend elaborate help allow permit invite hand report shed fill weigh vote rank order submit transfer include tag ping correct remind " +
    "message dm shoot pass signal select vet acknowledge ack nominate comment sign advise spell dictate relay expand outline",
  // What a person is advised to do with tools; the writer wants nothing of it.
  tool:
    "set use run add edit change pass open see install enable disable delete try export switch remove put start call raise lower restart " +
    "check rerun re-run make replace update upgrade bump rename pull push merge deploy read look note keep avoid wait copy create configure " +
    "adjust increase decrease turn revert reload rebuild mount uncomment append point scale remember ensure follow consult go visit click select pick choose specify",
  told: "asked asks wrote writes said says wondered wonders requested requests wanted wants reported mentioned complained inquired enquired",
  asker:
    "user customer client reviewer author reporter ticket issue team maintainer manager cli tool wizard installer prompt script dialog form bot " +
    "assistant survey task thread question email mail comment users customers people reviewers somebody someone",
  needing:
    "need needs needed require requires required await awaits awaiting pending waiting waits wait expecting hinges depends looking hoping " +
    "subject want wants seeking appreciate welcome missing lacks",
  hear: "know hear see learn get have understand receive",
};

/** The person's wish, need or leave, from which the writer's deed hangs. */
export const wishes: Patterns = `
      if you/you'd/you'll/you're/you've/ya/u/y'all/your
      if anyone/anybody/someone/somebody/people/the team/we ~2 @want
      if either/any/one/both/that/this/it/these/those/something/anything ~5 @fine
      if that's/it's/this'd/that'd ~3 @fine/not/what/your
      if there/there's is/are? ~2 anything/something/any/interest/appetite/need/demand/more/other/objections/reason
      if @fine/needed/required/necessary/wished/requested/so/not/yes/no/asked/appropriate/confirmed/permitted/allowed/given
      if i may/should/am/get/have/hear/'m
      if nobody/no one? objects/minds/disagrees
      if no objections/objection
      should you/this/that/it/these/anything/anyone
      were you to
      had you rather
      when/whenever you're/you've/you'd
      when/whenever you are/want/wish/say/give/need/tell/like/feel/decide/have/get/confirm/approve/'re
      when/once/whenever it/that suits/works/fits
      whenever suits/works/convenient/you
      whenever $
      when/once that's/it's confirmed/approved/agreed/fine/settled
      once/after/until/till/unless/before you/you've/you're/you'd
      once/until/till/unless/when/after i/we have/hear/get/receive/know
      once/until/when that/this/it/that's/it's ~1 confirmed/approved/clear/agreed/decided/settled
      until/till/unless/before i/we/someone/somebody/told/instructed/advised
      unless told/instructed/advised/otherwise/there/that/someone/anyone
      as soon as you/you've/i/i've/we/that/that's/there's
      the moment/minute/second you
      provided/assuming/supposing/given that? you/you're/your/you'd/this/that/that's/it's/nobody
      as/so long as you/that's/nobody
      on/upon/at/by/after/with/pending/given/to/under/without/for/following your ~2 @word/convenience/discretion/time
      only on/with/after your
      on/upon request/demand/confirmation/approval/command
      with a/an/the ~1 @word from/by you
      with/after approval/permission/confirmation
      say so/yes/go/when/¤/the
      as you wish/like/prefer/see
      whichever/whatever/however/wherever you
      you only/just/simply have/need to
      you'd/you'll/you need/have/only/just to/need/have
      in case you/that's/you'd
      only if/with/on/after/when you/your
      if ~14 , i/we can/could/will/might
      if ~14 , i'll/we'll/i'm/happy/glad
      i/we can/could/will ~14 if the/it/they/this/that/there/any/anyone/someone
      i'll/we'll ~14 if the/it/they/this/that/there/any/anyone/someone
      if only you
      subject to your
      for your @word
      a/one/your ~2 @word and/is/from/suffices/will
    `;
