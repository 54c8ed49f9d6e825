import { englishOffers } from "./english-offers.ts";
import { englishQuestions } from "./english-questions.ts";
import { englishRequests } from "./english-requests.ts";
import { classes, openers, wishes } from "./english-words.ts";
import type { Language } from "./grammar.ts";

export const english: Language = {
  classes,
  openers,
  tags: {
    ...englishQuestions,
    wish: wishes,
    // The writer's own deed, real or possible, with the writer as the subject of the clause.
    deed: `
      <!@hanging i/we can/could/may/might/will/shall !@unable _
      i'll/we'll !not _
      i/we won't/wouldn't/cannot/can't ~1 @does
      i'd/we'd !@advise/had _
      i/we would !@advise _
      i/we ~1 @does
      i'm/we're @glad/here/around/game/able/in/on/off/holding/waiting/not/stopping/leaving/keeping/open/*ing
      i'm/we're _ @glad/for/to
      i'm/we're _ _ @glad
      i/we am/are ~2 @glad/here/around/game/able/open
      @glad to !@telling
      ^ can/could/will/would/might also/still/easily/gladly/then? @does
      ^ not ~2 , can/could
      but/and/or/then can/could/will also? @does
      <!@made me to
      let me
      ^ @doing
      my next/pleasure/offer/turn
      so/but/and only on/with/after your
      it's/is/it'd easy/quick/simple/trivial for me
      would/will/'d be easy/trivial/quick/simple/straightforward/possible/next ~2 to/for/from
      be no trouble/problem/bother
      takes/take/costs me
      i've/i have ~6 ready/prepared/drafted/staged/queued
    `,
    advice: `
      ^ @tool ~2 !and/so/then _
      ^ then? @tool ¤/the/a/an/it/your/its/this/that/to/with/both/--*
      you can/could/may/might/must/should/'ll/will !@asking/always/ask/also/let/tell/count/rely _
      you'll have/need/want
    `,
    past: `
      if/unless/until/once/when you/you'd/you've had/have? asked/requested/mentioned/reported/described/named/wanted
      @made me to
      *ed/was/were/did/ran/made/kept/left ~6 with/after/on/upon your
    `,
    symptom: `if/when/whenever/once you see/get/hit/run/encounter/notice/observe/experience ~12 , i'd/i`,
    thirdParty: `
      in/on/through/via the _? ui/console/dashboard/portal/dialog/browser/app/settings/panel/wizard/installer
      in/on/through/via github/gitlab/jira/slack
    `,
    untilSubject: `
      i/i'm/i'll/i've/i'd/we/we'll/my
      ^^ not/holding/nothing/paused/on/stopped/no/none/neither
    `,
    ability: `
      now i/we can/could
      i can ~10 now that
      i could ~2 build/run/start/log/open/load/connect/compile/install/finish/complete ~8 without/again/after/only/yesterday/now/fine/successfully
      i/we can/could ~9 so far
    `,
    giveUs: `give/gives/get/let us/me a/the/an clean/clear/idea/more/better/new/much/same/error`,
    wantRun: `
      want/need the/a/an/to/this ~4 must/should/need/needs/has
      ^ need/want to
    `,
    inverted: `how/why/where/when/what/who/whether/if/that/which/because/then/only/nor/neither/now/not/never/rarely should/shall/may/can/could i/we`,
    optionOnly: `option/possibility/alternative/step/idea ~2 is to _ $`,
    toldMe: `
      users/customers/people/visitors/clients/operators/developers ~8 let/tell us/me
      log/logs/output/it/this/that/which/test/tests/tool/tools/they/numbers/metrics/trace/traces ~1 can/will/would/could/should/to let/tell me
      failed/forgot/forgets/used/seems/has/had/supposed/meant/going/enough to let/tell
    `,
    choosing: `
      in/from the ~1 menu/list/settings/dialog/page/drop-down/dropdown
      your name/password/email/address/key below/in/into
    `,
    needNot: `
      need about/around/roughly/at/exactly/only _ gb/mb/kb/minutes/hours/%/cores/replicas/more/seconds
      need ~3 gb/mb/minutes/hours/seconds of?
      need/require/want/lack no/nothing/not/neither
      need/needs/needed/want/wanted two/three/four/a/one/the ~1 attempts/attempt/tries/runs/passes/retries/retry/restart
      i like/want the/this/that/it/how
    `,
    waitFor: `waiting/wait for the/a/it/them/its/¤/all/ci ~3 to/build/job/pipeline/run`,
    othersUnsure: `
      ^ i/we wanted to know/check/see if/whether/how/why ~12 . $
      ^^ they/he/she/users/user/the/a ~2 were/was/wanted/asked/are/is/wondered/did unsure/not/to
      how your ~3 works/handles
      docs/page/readme/message/error/text was/were not/unclear
    `,
    helpsYou: `
      help/helps/helpful/useful/enough/good/best ~1 you to/find/see/with/track/spot/catch/debug/avoid/decide/when/know/keep
      if you set/use/run/enable/add/want/need/switch/raise/lower
    `,
    builtWithout: `work/run/build/start/compile/exist/be ~1 without`,
    mayI: `can/could i ~9 without/again`,
    me: `me/us/i/i'm/i'll/i've/i'd/my/we'll/here/mine`,
    pureWish: `
      if you/you'd/you're/you've ~4 @want it/that/one/them/so/this/those/to/with/in/too/me/more/first/done/otherwise? it/that/this? $
      if you'd/you would like/prefer/rather
      if you say so
      if ~2 wanted/desired/useful/helpful/welcome/ok/okay/fine/preferred/interest/appetite $
      if that's/that/this ~4 @fine
      if there's/there is/are interest/appetite/demand
      should you ~2 @want
      should ~2 be wanted/desired/needed/welcome/useful/helpful
      were you to
      on/after/upon/with/pending/at/subject your/to ~2 @word
      on request/demand
      whenever suits/works/convenient you/for?
      provided/assuming/supposing that? you/you're/you'd
      as long as you @want
      whenever/when you ~2 @want/ready/free/time
    `,
    soon: `
      it/that/this/they/both can/could/will go/ship/land/follow/run/happen/come/be
      i/i'd/i've/i'm/i'll/my/me/mine
      come/comes/goes/go/is/are next/live/out/ahead
      starts/start/begins/deletes/follows/proceeds/continues/ships/lands/runs
      is/are/sits/lies ~2 ready/prepared/staged/queued/drafted/waiting/easy/possible/available/doable/trivial
      will/can/could start/go/follow/run/be/happen/come/ship/land/do
      takes/needs ~3 minutes/minute/hours/hour/day/moment/seconds
      a/one quick/small/short/matter ~3 $
      within minutes/hours/a/an
    `,
    negated: `
      not/don't/doesn't/didn't/won't/never/nothing/without/can't/no/needn't ~2 need/needs/needed/require/requires/required/wait/waits/waiting/depend/pending/await/expect/expected/from/for
      no longer
    `,
    machine: `
      depends/hinges on your ~1 contract/plan/version/setup/region/config/configuration/needs/environment/machine/network
      the/a/an/each/every/this/that/¤/it/which/they/users/user/jobs/page/step/form/tool/script/operators/people/everyone/anyone/admins ~2 requires/needs/waits/awaits/asks/prompts/wants/offers/expects
      prompts/prompt/installer/dialog/wizard/installer's/wizard's
    `,
    elsewhere: `
      via/through ¤/the/your
      with/in/to/as/using/at/by/into ¤
      when/by calling/running/starting/using/opening/setting
      before/after/while merging/deploying/upgrading/releasing/running/using/going/restarting/rolling/installing/enabling
      yourself
      minutes/seconds/hours/moment
      administrator/admin/team/vendor/manager/support/maintainers/owner
    `,
  },
  rules: [...englishOffers, ...englishRequests],
};
