import type { Rule } from "./grammar.ts";

/** The writer would do something if the person wishes. */
export const englishOffers: readonly Rule[] = [
  {
    id: "en/wish-and-own-deed",
    find: ``,
    and: ["wish", "deed"],
    none: ["past", "symptom"],
  },
  {
    id: "en/wish-and-thing",
    find: ``,
    and: ["pureWish", "soon"],
    none: ["past", "advice", "thirdParty"],
  },
  {
    id: "en/until-you",
    find: `
      until/till/unless/before you ~2 approve/confirm/say/tell/decide/give/agree/answer/reply/respond/ask/want/object/prefer/sign/choose/clarify/review
      until/till/unless/before you've ~1 approved/confirmed/decided/answered/seen/reviewed/signed/agreed/said/looked/replied/chosen/given
      until/till/unless/before i/we hear/get/have ~5 you/your/answer/confirmation/approval/ok/okay
    `,
    and: ["untilSubject"],
    none: ["past"],
  },
  {
    id: "en/able",
    find: `
      ^ i can also/then/still/easily/quickly/gladly/certainly/happily/even/instead/either/just/simply/always? !@knowing/also @does
      ^ i/we could/might/may also/then/still/easily/quickly/even/instead/either/just/simply? @does
      ^ we can also/then @does
      thing/things/something/else/what i can/could @does
      which i can/could @does
      there's/is ~6 i could/can @does
      anything/something else i can/could
      i can/could @does ~12 for you
      ^ i can/could @does ~6 next $
    `,
    none: ["ability"],
  },
  {
    id: "en/glad",
    find: `
      ^ always/more/very/only/quite/perfectly/too/than/as? than/too/happy? happy/glad/delighted/willing/pleased to/if/for !@telling
      ^ i/we'd/would/'ll/will/am be? ~3 happy/glad/delighted/willing/pleased/keen/eager/thrilled/honoured/honored to/if/for !@telling
      i'd/we'd/i'll/we'll/i'm/we're be? ~3 happy/glad/delighted/willing/pleased/keen/eager/thrilled/honoured/honored/game/inclined to/if/for/and !@telling
      i'd/i'm/i'll be? ~3 happy/glad/delighted/willing/pleased/keen/game/eager $
      i'd/we'd/would love to
      would/it'd/it'll/is be? my pleasure
      with pleasure
      gladly/happily @does
      i'd/i'll/we'd gladly/happily
      i would/will gladly/happily
      up for it/that/this/doing/*ing
      i'm open to *ing
      i am open to *ing
    `,
  },
  {
    id: "en/ready",
    find: `
      i'm/we're ~3 ready/available/around/prepared/here/set to/for/if/when/whenever/should/until/in/once/as/on/and
      i/we am/are/stand/stay/remain ~2 ready/available/around/prepared/here/by to/for/if/when/whenever/should/until/in/once/as/on/and
      ^ ready/available/prepared/all/good/set set/to/when/whenever/for/on/if/once !be/use/production/merge/review/deploy/release @does/you/your/go
      standing by
      i'm/i am? free/available to @does
      at your disposal/service
      on standby/hand
      i'm/i am/remain/stay/be around/reachable/available/flexible/curious $
      ^ ready when/whenever
      ^ ready for the? next/new/more/further/another
      just a message away
    `,
  },
  {
    id: "en/at-your-word",
    find: `
      ^ say so/yes/go/when/the/if/whether/which/what/where/how/no/¤/and
      ^ flag it/them/that/this/anything/me ~4 if/to/and/when
      ^ object if/now
      ^ name/pick/choose/mention/call/point/mark/list/select/decide ~9 and/, i/i'll/we/we'll/that/it
      ^ give me/us/the/it a/the/your/an/word/go-ahead/green/nod/ok/okay/signal/thumbs-up
      ^ ping/poke/nudge/hit/drop/catch/find/call/tag me/us/¤
      ^ shout/holler/whistle/yell
      ^ keep me/us posted/updated/informed/abreast/in !the/¤
      keep me/us in the loop
      ^ get back to me/us
      ^ ask me/away/if/and/whenever/any/at
      ^ ask for !help/your/a/an/the _
      ^ just? ask $
      ^ reach out
      say the word
      a/one/your quick/simple/short/single/plain? ¤ is/will/and/suffices ~1 all/enough/do/i'll/i
      or have me @does
      either/both is/are/works/work fine/ok/okay/for? $
      you only/just/simply have/need to ask/say/tell/nod/reply
      a/one/your/quick/simple yes/nod/thumbs-up/go-ahead/ok/okay/word/one-liner from/is/will/suffices/and ~1 you/enough/all/do/i/i'll
      thumbs-up/nod/yes/word/ok/reply is/suffices ~1 enough/all/fine
    `,
    none: ["giveUs"],
  },
  {
    id: "en/feel-free",
    find: `
      feel free to just/simply? ask/reach/ping/let/tell/share/send/reply/respond/contact/write/message/shout/give/call/paste/come/correct/object/answer/say/request/get/point/drop/follow/stop/bring/hand/comment/push
      don't/not/never/to/without hesitate to/if/, ?
      don't/not/never hesitate
      you're/are very/always? welcome/free to ask/reach/ping/let/tell/share/send/reply/contact/write/message/correct/object/request
      you can always ask/reach/ping/tell/contact/write/message/come/call/let
      you can just? tell/ping/message/let/contact me/us
      be sure to tell/let me
    `,
  },
  {
    id: "en/yours-to-decide",
    find: `
      up to you $
      up to you whether/which/if/how/to !run/set/use _
      your call/choice/decision/move/pick/turn $
      your call/choice/decision/move/pick/turn whether/which/if/how/to/on/and/here/now
      ^ ~3 yours to make/decide/choose/call
      is/remains/stays/are ~1 yours $
      over/back to you $
      you decide/choose/pick/tell $
      you tell me
      ball is? in your
      ball's in your
      at your discretion
      ^ as you like/wish/prefer/please $
      whatever/whichever you prefer/like/want $
      dealer's choice
      leave/leaving/left ~6 to/for/in you/your/with $
      leave/leaving/left ~6 to/up you/to ~1 to? decide/choose/pick/judge/you
      decision/choice/call/judgement/judgment/verdict ~3 rests/lies/is/sits with you
      decided by you
    `,
  },
  {
    id: "en/want",
    find: `
      ^ want/need/wanna/fancy/care/prefer/interested/mind me/us/this/that/it/the/these/those/a/an/to/in/for/if/some/help
      ^ do/did/would/might/may/could you ~3 want/need/like/prefer/wish/care/rather for? me/us
      you may/might/'d/would ~1 want/like/prefer me
      ^ you want/need/like/wish me to
    `,
    none: ["wantRun", "retold"],
  },
  {
    id: "en/inverted",
    find: `
      ^ should/shall/may/can/could i/we
      ^ would you like/prefer/want/mind/rather/be/care/object/consider
      ^ do/don't you want/need/prefer/mind/think/have/mean/know/agree/like/expect/see/still/consider/use
      ^ can/could/will/would you please/kindly/also/maybe/perhaps/quickly/then? @asking/take/check/upload/run/make/have/look/test/verify/open/add/create/rerun/try/grant/get/put/review/live
      ^ are you ok/okay/happy/fine/sure/ready/comfortable/planning/using/able/aware/still
      ^ is it ok/okay/fine/alright/all if/to/for/with/right
      ^ how/what about i/we
      what do you say
      ^ why not let me
      ^ why don't i/we
      ^ what if i/we
    `,
    none: ["inverted"],
  },
  {
    id: "en/would-help",
    find: `
      ^ perhaps/maybe/shall i/we should/could/can/shall/might
      ^ maybe/perhaps i/we @does
      ^ would/will/does it/that/this help/be/make
      option/possibility/alternative/offer/suggestion/follow-up/step/idea ~4 for/have me
      option/possibility/alternative/offer/suggestion/follow-up/step/idea ~4 i could/can/would/might
      option/possibility/alternative/offer/suggestion/follow-up/step/idea ~4 i'd _
      ^ shall/should i/we
      ^ allow me to
      ^ let me @does ~12 if/once/when/unless you
      ^ let me take/handle/tackle/do that/this/it/those/care
    `,
    none: ["optionOnly"],
  },
  {
    id: "en/offering",
    find: `
      ^ i/we/i'd/i'll also/would/happily? offer/volunteer to
      ^ my/the/this/that offer stands/to/still
      i'm offering/volunteering
      ^^ can/could also/gladly/happily/easily/do @does/that/this/it
      ^^ can/could/will @does ~10 too/next/also/well/instead/afterwards/later/tomorrow/then $
      ^ let's discuss/decide/talk
      ^ open to suggestions/ideas/input/feedback/alternatives/corrections/other
      i'm all ears
      what i can do ~2 :
      could use a/the same love/treatment/pass
    `,
  },
];
