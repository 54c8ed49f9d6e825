import type { QuestionTags } from "./grammar.ts";

/** How questions look, who answers them, and whose they are. */
export const englishQuestions: QuestionTags = {
  self: `i/me/my/we/us/i'm/i'd/i'll/i've`,
  directed: `
      should/shall
      may/might i/we/it/this/that/they/the/¤
      want/need/like/expect/prefer/care/for me/us to
      you/your/yours/you'd/you've/you're/you'll/u/y'all
      ^ ok/okay/fine/good/safe/alright/ready/happy/all/clear/agreed/sound/sounds/make/makes/deal/proceed/continue/go/thoughts/any/anything/objections/want/wanna/need/care/mind/prefer/interested/feedback/comments/concerns/opinions/preference/preferences/yes/no/right/correct/merge/ship/deploy/push/commit/delete/keep/next/worth/still/more/another/or/acceptable/cool/enough/reasonable/agree/approve/approved/sensible/shipping/up
      ^ what next/now/else
      ^ is/are/was/were/would/does/do that/this/it/these/those/either/one/both/there/everything/any ~4 work/ok/okay/fine/right/correct/intentional/intended/intend/deliberate/expected/acceptable/enough/works/suit/help/useful/helpful/good/alright/better/preferred/needed/wanted/desired/sufficient/still/really/purpose/sense/anything/something/any/worth/meant/supposed/reason/known/answer/preference/deadline/reasonable/welcome
      ok/okay/fine/alright/cool/good/permission/leave with/by/for/to/if/that you/i/me/_
      can/could/do/am/must/would/will/did/are/have i/we
      intentional/intended/purpose/deliberate/deliberately/expected/design/acceptable/negotiable/needed/required/wanted/desired ?
      still ~2 used/use/relevant/valid/needed/true ?
      i assume/presume/suppose/guess/take
      who ~1 should/can/will/decides/would/do/owns/approves/signs/reviews/maintains
      when should/would/can/is/will/does ~3 @want/good/time/window/deadline/suit
      which _? _? should/do/to/would/shall/can/may/must/wins/applies/counts/drives/takes
      which are/is we/right/correct/preferred/wanted/intended/meant
      which one/ones? ?
      ^ to/in/on/for/from/under/at/with/by/until which/what/whom/when
      anyone/someone/anybody/somebody on/in/from your
      ^^ any/anything/anyone
      or not/both/neither/either/leave/keep/is/should ~6 ?
    `,
  rhetorical: `
      ^^ so/and/but/then? why !not/don't/did/do ~12 ?
      ^^ so/and/but/then? how does/did/is/was/come/were/has
      ^^ so/and/but/then? what changed/happened/caused/went/does/did/was/were/makes/made/has/remains/fixed/about/broke
      ^^ so/and/but/then? what is/'s new/different/left/the
      ^^ so/and/but/then? what's new/different/left
      ^^ so/and/but/then? where does/did/was/were
      ^^ so/and/but/then? who wrote/did/uses/broke/calls/reads/owns
      how/what/where/when/why do/does/did/can/could/would/should you/one !want/like/prefer/feel/think/need/plan/mean/intend/expect/wish/say/handle/have/see/do/call/store/keep/go/proceed/usually/currently/use/put/target/rather/suggest/recommend/propose/imagine/run/deploy/get/consider/take/make _
      ^^ should/must/do/can/could/will/would/did you/we/one worry/care/have/need/be/notice/lose/still
      what can/could/might/would go/happen/possibly
    `,
  answers: `
      ^^ yes/no/yep/yeah/nope/because/depends/none/nothing/never/neither/both/a/q/answer/simply/easy/simple/partly/mostly/almost/only/probably/certainly/absolutely/definitely/correct/indeed/exactly/sadly/unfortunately/hardly/apparently/surprisingly/luckily/fortunately
      ^^ not !sure/certain/clear/yet/urgent/critical _
      ^^ it depends/turns/isn't/wasn't/doesn't/didn't/can't/won't
      ^^ the answer is/was/:/,/turned
      ^^ the? short answer
      ^^ in short/practice/theory/principle/a word
      ^^ of course
      ^^ turns out
      ^^ as it turns
      ^^ to some extent
      ^^ sort/kind of
      ^^ due/thanks to
      ^^ by/through _
      ^^ run/set/use/delete/clear/open/add/try/install/pass/edit/restart/remove/read/look
      ^^ there is/are/was/were none/no/only
      ^^ on/in average/most/practice/theory/part/general/principle/some _? _? yes/no
      ^^ ~4 , yes/no $
      ^^ ~4 yes/no ,/:/;/.
      ^^ it/they/this/that/these/those/he/she/there/i/we/you/all/each/everything/one/some is/are/was/were/does/do/did/can/could/will/would/has/have/had/may/cannot/can't/doesn't/don't/isn't/aren't/didn't/won't/should/must/remains/still/stays/holds/works not? ,/./:/;/-
    `,
  evades: `
      ^^ no rush/hurry/pressure/worries/problem/strong/preference/need
      ^^ yes or/and
      ^^ if yes/no/so/not/you/it
      ^^ because if/i/otherwise
      ^^ both ~3 work/possible/options/fine/would/have/look/seem/exist/approaches/variants/pass/are
      ^^ either
      ^^ since i/that/this/you
      ^^ only then/you
      ^^ the answer decides/determines/affects/changes/matters/will/would/shifts/depends/moves/drives/sets
      ^^ nothing/none ~5 says/tells/mentions/explains/yet/until
      ^^ by default
      ^^ otherwise
      ^^ i couldn't/could/can't/cannot/don't/do/didn't/did/haven't/wasn't/am/found/see/left/assumed/need/ask/have/wanted/only/went/kept/used/chose/picked/set/took/guess/would/think/assume/can/suggest/saw/lean/made
      ^^ i'd/i'll/i've/i'm
      ^^ my guess/assumption/default
      ^^ currently/right/present/until/as/for/at/so the? now/moment/far/present/time
      ^^ currently/presently
      ^^ it/this/that's/it's/that not? is/was? not/unclear/ambiguous/the/what/your/only clear/obvious/last/only/documented/stated/specified
      ^^ nothing in/says/tells
      ^^ the ~3 does/doesn't/don't/do/did/didn't not? say/specify/mention/state/tell/cover
    `,
  says: `
      says/say/said/saying/reads/read/reading/asks/ask/asked/asking/shows/showed/shown/showing/prints/printed/printing/displays/displayed/prompts/prompted/prompting/states/stated/writes/wrote/written/outputs/logs/logged/returns/returned/answers/answered/replies/replied/responds/responded/contains/contained/titled/named/called/labelled/labeled/entitled/worded/phrased/quotes/quoted/greets/announces/warns/covers/covered/checked/verified/explains/discusses/wants/wondered ~4 $$
      fails/failed with ~2 $$
      these/following/such/user's/customer's/support questions ~3 $$
    `,
  reports: `
      ends/ended/begins/starts/was/becomes/became/lists/listed/reviewed/now/being/includes/included ~4 $$
      button/buttons/dialog/dialogue/dialogs/prompt/prompts/message/messages/label/labels/title/titles/text/texts/banner/error/errors/warning/warnings/log/logs/line/lines/output/heading/headings/headline/header/placeholder/tooltip/hint/modal/popup/screen/page/form/field/fields/wizard/installer/script/template/email/mail/subject/readme/docs/documentation/comment/comments/issue/issues/ticket/faq/faqs/section/sections/survey/wording/copy/string/strings/sentence/phrase/notice/note/snippet/excerpt/entry/entries/question/questions/caption/checkbox/link/footer/paragraph/commit/commits/todo/reply/response/notification/toast/alert/confirmation/instruction/instructions/checklist/menu/description/chapter/topic/topics/translation/key/keys/case/cases/slogan/body/pr/bot/assistant/user/customer/reviewer/author/client ~5 $$
      renamed/changed/replaced/rewrote/reworded/shortened/translated/set/switched/updated/fixed/corrected/added/quoting/verbatim/e.g/i.e/example/as/from/to/reported/original/old/new/before/after/then/said ~3 $$
    `,
  own: `
      ^^ ~4 question/questions/thing/things/check/decision/decisions/point/points/items/blockers/unknowns/choices/requests/clarifications/ends/leftovers/remains/left/open/ask/request/favour/favor/step/steps/detail/details/item/caveat/clarification/unknown/choice/blocker ~3 $$
      question/questions for you ~3 $$
      open/remaining/outstanding question/questions ~3 $$
      need/needs/needed your/from/to/an/answers/input/clarification/clarity/a/the/you ~4 $$
      your input/decision/call/answer/opinion/choice ~4 $$
      please/could/can/would you? ~6 $$
      tell me ~4 $$
      i wondered/wonder/ask ~4 $$
      wondering/unsure/unclear/undecided/clarify/confirm/you ~4 $$
      i'd like to ask/know/check/clarify ~4 $$
      before i ~7 $$
      not sure ~4 $$
      i have/had/still/'ve ~4 $$
      let me know ~4 $$
      ^^ p.s/ps/question/questions/also/decision/next/btw/heads-up/note/done/result/summary/next/follow-ups/open/blocker/blocked/blocking/status/update/todo steps? $$
    `,
  retold: `
      ^^ as/like? you/he/she/they/someone/somebody/users/customers/people/reviewers/reviewer ~2 @told
      ^^ as/like? the/a/our/my/one ~3 @told
      ^^ ~2 @asker ~2 @told
    `,
};
