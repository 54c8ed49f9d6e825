import type { Examples } from "./grammar.ts";

/** What each rule must find, and what no rule may find: run as tests, and kept out of what is shipped. */
export const englishExamples: Examples = {
  "en/wish-and-own-deed": {
    hits: [
      "If you'd like, I can also add a CI step that catches this earlier.",
      "Once you approve, I'll merge it.",
      "Should you need the raw numbers, we can export them.",
      "I can squash these if you prefer a clean history.",
      "I'll hold the release until you tell me otherwise.",
      "With your permission I'll drop the table.",
      "Not fixed, but can do that next if you say so.",
      "Nobody minds, I hope; if nobody objects, I'll turn it off tonight.",
    ],
    misses: [
      "If you want stricter checks, set the flag.",
      "If the build fails again, I can only blame the disk.",
      "If you see this error again, I'd check the disk first.",
    ],
  },
  "en/wish-and-thing": {
    hits: [
      "A patch for the other bug is ready if you want it.",
      "The rollout starts on your word.",
      "I'd start with the parser, provided you agree.",
    ],
    misses: ["If you like, use the old layout.", "I merged it after your approval."],
  },
  "en/until-you": {
    hits: ["I won't touch production until you approve.", "Nothing will be deleted until you confirm."],
    misses: ["The job waits until you confirm the dialog."],
  },
  "en/able": {
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
  "en/glad": {
    hits: [
      "Happy to backport this as well.",
      "I'd be glad to walk you through it.",
      "Always happy to help!",
      "It would be my pleasure to add it.",
      "The rest needs the same, and I'm more than willing.",
    ],
    misses: ["I'm happy to report that all tests pass.", "The happy path is covered by one test."],
  },
  "en/ready": {
    hits: [
      "Ready to push when you are.",
      "I'm standing by for your approval.",
      "I'm here if you need me.",
      "I am ready to go on with the migration if you agree.",
    ],
    misses: ["The job is ready and runs at 02:00.", "The branch is ready to merge."],
  },
  "en/at-your-word": {
    hits: [
      "Just say the word and I'll fix it too.",
      "Give me a nod and I'll split them.",
      "Ping me if it comes back.",
      "Just ask me.",
      "You only have to ask.",
    ],
    misses: ["Users say so in the survey.", "The hook will ask for a reason.", "Ask your administrator for the role."],
  },
  "en/feel-free": {
    hits: ["Feel free to ask if anything is unclear.", "Don't hesitate to reach out.", "You can always ping me here."],
    misses: ["Feel free to delete the branch.", "You can ask the scheduler for a dump with `dump`."],
  },
  "en/yours-to-decide": {
    hits: [
      "Up to you.",
      "Your call.",
      "It's your decision whether I drop it.",
      "Whether to keep the old flag is up to you.",
      "I leave that to you.",
      "The decision is yours.",
    ],
    misses: ["Your choice of database is stored in the profile."],
  },
  "en/want": {
    hits: [
      "Want me to look into them?",
      "Need me to redo it?",
      "Do you want me to go on",
      "Want this turned on for the beta group",
    ],
    misses: ["They want me to fail, the test names suggest."],
  },
  "en/inverted": {
    hits: ["Should I delete the old backups as well.", "Could you paste the full output."],
    misses: ["Only then could we reproduce it.", "I asked the server why."],
  },
  "en/would-help": {
    hits: ["Another option is for me to split the file.", "Maybe I should revert it?"],
    misses: ["Another option is the cache on disk, which is slower."],
  },
  "en/offering": {
    hits: ["Can also add a test for that.", "I offer to rewrite the parser."],
    misses: ["The server can also run as a service.", "I added the option that can also be set by hand."],
  },
  "en/let-me-know": {
    hits: ["Let me know how you'd like to proceed.", "If something looks off, tell me.", "Pick one and let me know."],
    misses: ["The log let me know that the disk was full.", "The new hook lets me know at once."],
  },
  "en/please": {
    hits: ["Please advise.", "Please confirm.", "Please send me the full log.", "Could you please share the trace."],
    misses: [
      "Please restart the service after the upgrade.",
      "Please make sure the disk has room.",
      "Please pass the name via `--name`.",
    ],
  },
  "en/please-me": {
    hits: ["Please add my key to the host."],
    misses: ["Please note that I kept the old file."],
  },
  "en/i-so-please": {
    hits: ["My role lacks it in the audit account, so please add it."],
    misses: ["The cache is warm now, so please note the first figure."],
  },
  "en/give-me": {
    hits: ["Send me the log.", "Give me access to the namespace.", "Forward the mail to me."],
    misses: ["Send the log to the vendor.", "The hooks give us a clean exit."],
  },
  "en/paste-here": {
    hits: [
      'Reply with "ok" and it goes live.',
      "Paste the output here.",
      "Confirm whether you want it.",
      "Pick one and I'll go on.",
      "Share your thoughts.",
    ],
    misses: ["Confirm the dialog with Enter.", "Enter your name below the title."],
  },
  "en/short-imperative": {
    hits: ["Confirm to proceed.", "Thoughts.", "Please."],
    misses: ["Confirm the dialog."],
  },
  "en/need": {
    hits: [
      "I need the credentials for the registry to go on.",
      "I'd only need a yes from you.",
      "I have two questions for you.",
      "I'm waiting for your decision.",
      "I'd like to know which of the two you meant.",
    ],
    misses: [
      "I need to restart the service first.",
      "I am waiting for the build to finish.",
      "I need no further rights.",
    ],
  },
  "en/needs-you": {
    hits: [
      "Awaiting your go-ahead.",
      "What is left needs your approval.",
      "Looking forward to hearing from you.",
      "What remains needs a decision from you.",
    ],
    misses: ["It no longer needs your approval.", "The deploy step requires confirmation in the dialog."],
  },
  "en/your-word-is-wanted": {
    hits: ["Your input is needed on one point.", "Curious what you think."],
    misses: ["Your review was the reason for the change."],
  },
  "en/unsure-about-you": {
    hits: ["I'm not sure whether you want comments preserved.", "I wonder if you still use the old key."],
    misses: ["The user was unsure whether your tool supports it."],
  },
  "en/it-would-help": {
    hits: ["It would help if you could share the config.", "It'd be useful to know which region you use."],
    misses: ["A trace would help you to find the slow call."],
  },
  "en/stuck-without": {
    hits: ["Without the key I can't sign the build."],
    misses: ["I can't build without the cache, so I enabled it."],
  },
  "en/you-hand-over": {
    hits: ["You will need to give me access first.", "I need you to sign it."],
    misses: ["Nothing is needed from you."],
  },
};
