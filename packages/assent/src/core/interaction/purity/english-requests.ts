import type { Rule } from "./grammar.ts";

/** The writer asks the person for something it needs itself. */
export const englishRequests: readonly Rule[] = [
  {
    id: "en/let-me-know",
    find: `
      ^ let me/us know/hear/have
      please/just/kindly/do/and/or/can/could/you/so/then/simply/also/but/will/would/should/must/always/either let me/us know/hear/have
      ^ tell me/us
      please/just/kindly/do/and/or/you/so/then/simply/but/either tell me/us
      ^ lmk
      ^ report back
      and/then report back
      ^ do tell
      ^ remind/correct/stop/enlighten/fill/update/brief/walk/advise me/us
    `,
    none: ["toldMe"],
  },
  {
    id: "en/please",
    find: `
      please/kindly/pls/plz do/also/just/still/then/briefly/now/first/either/quickly/at? least? @asking
      please/kindly wait/bear/hold/review/correct ~3 for/with/and/it/them/me
      please/kindly ~14 and/then ~1 @asking/back/post/get/write
      please/kindly ~12 you meant/wanted/had/need/expect/intended
    `,
    none: ["elsewhere"],
  },
  {
    id: "en/please-me",
    find: `
      please/kindly !be/note/avoid/see/make/ensure/remember/keep/refer/do/don't/find _ ~10 me/us/my/mine
      i/i'm/my/i've/me ~14 so/, please/kindly !be/note/see _
    `,
  },
  {
    id: "en/i-so-please",
    find: `so/, please/kindly !be/note/see/avoid/make/ensure/remember/keep _`,
    and: ["me"],
    none: ["elsewhere"],
  },
  {
    id: "en/give-me",
    find: `
      ^ !let/: @asking/get/write/give/add/talk/put/leave/text/help/teach/lend/loan/assign/cc/copy/include !the/a/an ~2 me/us
      ^ @asking/get/give/add/put/leave/copy it/that/this/them/one/both/the/your/a/an/¤/any ~5 to/with/for/at/past me/us
      and/then/or send/paste/share/show/forward/tell/post/mail/email/give/drop/attach/upload ~5 me/us/here/back
      so/then/, point/add/invite/give/grant/send me/us
      someone/you/somebody/team/owner has/have/must/needs/need/should/could/would to? ~1 give/grant/add/invite/send/tell/show ~1 me/my/us
    `,
    none: ["giveUs", "machine"],
  },
  {
    id: "en/paste-here",
    find: `
      ^ @asking/put/type/write/enter ~12 here/below $
      ^ @asking/put/type/write/enter ~12 in/into this/your/the/reply chat/reply/answer/session/message/conversation/thread
      ^ @asking/type/write/enter ~12 and/,/so/before/then that/and/then? i/i'll/i'd/we/we'll
      ^ @asking ~8 and/, it goes/will/is/gets/ships/happens/i'm
      ^ reply/respond/answer !: with/¤/yes/no/ok/okay/go/by
      ^ confirm/clarify/advise/approve/specify/indicate/say/decide/tell/explain whether/if/which/what/how/that/when/where/who
      ^ confirm/approve/reply/decide/choose/pick/clarify $$
      ^ confirm/approve/reply/decide/choose/pick/clarify ;/-/,
      ^ confirm/approve/answer/reply ~6 to proceed/continue/go/approve/confirm
      ^ confirm/approve ~8 may/should/can be
      ^ share/send/provide/state/give/post/name your/any !own _
      ^ choose/pick/select ~6 :/-
      ^ choose/pick/select one/between/either/which/your
      ^ type ¤ to/and/if/for ~2 let/me/i/you
      ^ drop/attach/send/share/upload/forward/paste/post/supply it/them/that/those $
      ^ drop it/them/that here
    `,
    none: ["machine", "choosing"],
  },
  {
    id: "en/short-imperative",
    find: `
      ^^ so/then/and/please/just? confirm/advise/approve/proceed/clarify/reply/thoughts/discuss/go/please please/and/asap? $$
      ^^ confirm/approve to proceed/continue
      ^^ your thoughts/move/call $$
      feedback/comments/thoughts/questions/corrections/objections/suggestions/opinions/input/pointers/ideas/preferences/hints ~3 welcome/appreciated
      any objection/objections/preference/preferences/thoughts/concerns/questions/feedback/ideas/opinion/opinions $$
      thanks/thank in/you advance/in
      decision/answer/confirmation/approval/input/clarification/action/sign-off needed/required/wanted/pending $
    `,
  },
  {
    id: "en/need",
    find: `
      <!@hanging i/i'd/i'll/we'd still/only/just/also/do/first/would/will/then/now/therefore/really? still/only/just/also? need/require/lack/await/appreciate/welcome/value !to/no/nothing/not/neither _
      <!@hanging i/i'd/i'll/we/we'd ~2 need/like/want/love/have to @hear !the/a/an/how/it/this/that _ ~12 you/your
      <!@hanging i/i'd/i'll ~2 need/like/want/love to know/hear/ask/learn/clarify
      i'd/i'll ~1 want/like/need your/a/an/you/one/some/more
      i'm/i am ~1 missing/lacking/awaiting/after/short
      i'm/i am ~2 waiting/blocked/stuck for/on/until/without/by your/you/an/approval/confirmation/the
      i'm/am ~1 looking/hoping for/to your/a/an/hear
      all/what/everything/thing i/that's/is need/lack/miss/want/missing/require is/:
      what's/only missing
      could/can/might use your/a/some ~1 help/hand/hint/input/advice/guidance/pointer/second/pair/answer
      i/i'd/we'd/would be ~2 grateful/thankful/obliged if/for
      i'd/would appreciate _
      need/want/could/needs a decision/answer/call/steer
      i have/had/still/got/have a/one/two/three/some/few questions/question/about/for/on/regarding
      questions/question for/to you
      i'm/am/was ~1 waiting for/on your
      i ask/request/invite/urge/beg/encourage you/that
      i'd ask/request/invite/urge you/that/for
      i must/have to? ask/request you/for
    `,
    none: ["needNot", "waitFor"],
  },
  {
    id: "en/needs-you",
    find: `
      @needing ~1 your ~1 @word
      @needing your/you to/for/input/attention/eyes/help
      @needing ~6 from you
      @needing hearing/hear from/back you?
      @needing further/a/the/an/for? instructions/clarification/go-ahead/green/confirmation/approval $
      waiting/waits/wait/hinges/depends/blocked/hold/holding on/for you/your
      looking/look forward to
      until/once/when/after/before i/we have/get/hear/receive ~4 you/your/answer/reply/word/back/that/it
      hoping to hear
      waiting/waits/wait/held/hold/holding/blocked/parked/on for/on/until ~5 from/on your side/end/team
      waiting/waits/wait/held/hold/holding/blocked/parked for/on your
      thumbs up from
    `,
    none: ["negated", "thirdParty", "machine"],
  },
  {
    id: "en/your-word-is-wanted",
    find: `
      your ~1 @word ~5 needed/required/welcome/appreciated/helpful/requested/wanted/necessary/valuable/decides/awaited/invited/missing/outstanding/great/help/useful
      curious/interested/keen/eager ~2 what/how/whether/if/hear/know/see/in ~1 you/your
    `,
    none: ["negated"],
  },
  {
    id: "en/unsure-about-you",
    find: `
      not/n't ~1 sure/certain/clear/obvious ~3 whether/if/which/what/how/where/who/when/why ~9 you/you'd/you're/you've/your/yours/should/to
      unsure/uncertain/unclear/undecided/wondering/wonder/wondered ~4 whether/if/which/what/how/where/who/when ~9 you/you'd/you're/you've/your/yours/should/to
      don't/can't/cannot/couldn't/not know/tell/say ~2 whether/if/which/what/how/where/who/when ~9 you/you'd/you're/you've/your/yours/i/we ~1 should?
      unclear/unsure ~1 to me whether/if/which/what/how
      want/wanted/like/need to ask/check/confirm/know/clarify ~3 whether/if/which/what/how/you
      i wonder/wondered whether/if/what/which/who/how
      question is/: whether/if/which/what ~9 you/you'd/your/i/we/to
      open point/question is/: whether/if/which
    `,
    none: ["othersUnsure", "retold"],
  },
  {
    id: "en/it-would-help",
    find: `
      would/will/'d/it'd/that'd/it'll ~3 help/helpful/great/useful/good/nice/ideal/best/easier/appreciated/welcome ~3 if/to/know/have ~1 you/know/have/see/hear/get/learn
      would/could/will ~1 help me/us/here/a/narrow/if/to/with
      details/detail/example/examples/sample/dump/log/logs/trace/feedback/file/hint/access/information/context/output/screenshot/reproduction/word/answer/pointer/capture/list/number would ~1 help !you _?
      would be ~2 helpful/nice/appreciated/welcome/great/useful/good to have/know/see/get/hear
      details/detail/example/examples/sample/dump/log/logs/trace/feedback/file/hint/access/information/context/output/screenshot/word/answer/pointer would be ~2 helpful/nice/appreciated/welcome/great/useful/good
    `,
    none: ["helpsYou"],
  },
  {
    id: "en/stuck-without",
    find: `
      without ~5 ,? i/we can't/cannot/can/won't/am/couldn't/will
      i/we can't/cannot/won't ~6 without/until/unless your/you/it/that/them/the/an/a
      i/i'm am? unable/not able? to ~5 without/until/unless
      i'm/we're/it's/is stuck/blocked/stalled without/until/on/here
      by sending/giving/telling/showing/granting me
      for me to continue/proceed/finish/go ~1 , someone/you
    `,
    none: ["builtWithout"],
  },
  {
    id: "en/you-hand-over",
    find: `
      you/you'll/you'd/will/would ~3 need/have/must/can/could/should/may/might to? ~1 @asking ~3 me/us
      you/you'll/you'd only/just/first/still/simply/will/would? need/have to confirm/approve/decide/say/agree/choose/pick/reply/answer/sign
      if you ~2 have/find/know/got/remember/still ~8 , @asking
      if i may ask
      only you can/have/know/could
      can/could/may/might i ask/have/get/trouble/assume/see/bother/borrow
      need/want/require/ask you to
      i'll need you/your/someone/somebody
      perhaps/maybe you can/could/know/remember
      and/then/, get/come/write/report/circle back to/with
      we should/need/must/have to? agree/decide/settle/talk/align
      stop/correct me if/now/when/where
      object/protest/speak/yell now/up/if
    `,
    none: ["negated", "mayI"],
  },
];
