import { danger, type Programs } from "../spec.ts";
import { asksUnless, isIn } from "./calls.ts";

const accounts = danger("system-account", "changes accounts, groups or passwords of this machine");

const names =
  "useradd usermod userdel groupadd groupmod groupdel adduser deluser addgroup delgroup chpasswd chgpasswd chfn gpasswd groupmems vipw vigr newusers pwconv pwunconv grpconv grpunconv luseradd lusermod luserdel lgroupadd lgroupmod lgroupdel lpasswd lchage smbpasswd dseditgroup createhomedir rmuser mkuser chuser";

export const accountTools: Programs = {
  [names]: () => ({ always: accounts }),
  passwd: () => asksUnless(accounts, { options: "-S --status", but: "-d --delete -l --lock -u --unlock -e --expire" }),
  chsh: () => asksUnless(accounts, { options: "-l --list-shells" }),
  chage: () => asksUnless(accounts, { options: "-l --list" }),
  "pwck grpck": () => asksUnless(accounts, { options: "-r --read-only" }),
  "faillock pam_tally2": () =>
    asksUnless(accounts, { bare: true, but: "--reset -r" }, { takes: { "--user -u --dir": "text" } }),
  pdbedit: () => asksUnless(accounts, { options: "-L --list" }),
  realm: () => asksUnless(accounts, { verbs: "list discover", bare: true }),
  pw: () => asksUnless(accounts, { verbs: "show usershow groupshow usernext groupnext", seconds: "show next" }),
  dscl() {
    return {
      style: "none",
      also: ({ words }) =>
        words.some((each) =>
          isIn(
            each,
            "-create create -append append -merge merge -delete delete -change change -changei changei -passwd passwd",
          ),
        )
          ? [{ does: "danger", danger: accounts }]
          : [],
    };
  },
  sysadminctl() {
    return {
      style: "long",
      danger: {
        "-addUser -deleteUser -newPassword -resetPasswordFor -secureTokenOn -secureTokenOff -guestAccount": accounts,
      },
    };
  },
};
