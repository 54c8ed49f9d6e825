import { expect, test } from "vitest";
import { said } from "./spelled.fixture.ts";
import { wrappers } from "./wrappers.ts";

const same = (commands: string): readonly (readonly [string, readonly string[]])[] =>
  commands.split("|").map((each) => [`${each} rm -rf build`, ["run rm -rf build"]]);

const cases: readonly (readonly [string, readonly string[]])[] = [
  ...same(
    "env|timeout 10|timeout -k 5 -s KILL 10|nice|nice -n 19|nice -19|ionice -c 3|nohup|setsid -w|stdbuf -oL|time -p|chrt -f 99|taskset -c 0|numactl --cpunodebind=0|numactl -l|prlimit --nofile=9|faketime 2020|fakeroot -u|fakeroot|unbuffer -p|chronic|torsocks -i|proxychains -q|dbus-run-session --|xvfb-run -a|caffeinate -i|command|command -p|builtin|exec -a x|busybox|toybox|ld-linux-x86-64.so.2|dotenv --|dotenv -e .env --|dotenvx run --|doppler run --|op run --env-file x --|aws-vault exec p --|aws-vault exec p|chpst -v|softlimit -m 9|cgexec -g x|firejail --quiet|bwrap --ro-bind / / --dev /dev|entr -r|setarch x86_64 -R",
  ),
  ["env -i rm -rf build", ["forget all", "run rm -rf build"]],
  ["env - rm -rf build", ["forget all", "run rm -rf build"]],
  ["env -u HOME rm -rf build", ["forget HOME", "run rm -rf build"]],
  ["env A=1 B=2 ls", ["A=1", "B=2", "run ls"]],
  ["env BASH_FUNC_x%%=() ls", ["BASH FUNC x%%=()", "run ls"]],
  ["env -S rm_-rf build", ["shell env rm -rf build"]],
  ["env -C /etc tee x", ["shell cd -- /etc\ntee x"]],
  ["env $N=1 ls", ["exec-injected", "run $N=1 ls"]],
  ["flock /tmp/l rm -rf build", ["run rm -rf build", "write /tmp/l"]],
  ["flock /tmp/l -c rm_-rf_build", ["shell rm -rf build", "write /tmp/l"]],
  ["flock -n 9", ["write 9"]],
  ["script -qc rm_-rf_build /dev/null", ["shell rm -rf build", "write /dev/null"]],
  ["script /dev/null -c npm_test", ["shell npm test", "write /dev/null"]],
  ["script -q /dev/null rm -rf build", ["write /dev/null", "run rm -rf build"]],
  ["watch -n 2 rm -rf build", ["shell rm -rf build"]],
  ["watch -x rm -rf build", ["run rm -rf build"]],
  ["command -v sudo", []],
  ["xargs rm -rf", ["run-with-input rm -rf at the end"]],
  ["xargs -0 -n 1 -P4 rm", ["run-with-input rm at the end, lines"]],
  ["xargs -I{} rm -rf {}", ["run-with-input rm -rf {} at {}, lines"]],
  ["xargs -I% sh -c wc_%", ["run-with-input sh -c wc % at %, lines"]],
  ["xargs -i rm {}", ["run-with-input rm {} at {}, lines"]],
  ["xargs -a list rm", ["read list", "run rm …"]],
  ["xargs -a list -I{} rm {}", ["read list", "run rm …"]],
  ["xargs", []],
  ["parallel rm -rf ::: a b", ["shell rm -rf a", "shell rm -rf b"]],
  ["parallel --tag gzip_{} ::: a", ["shell gzip a"]],
  ["parallel echo_{2}_{1} ::: a ::: b", ["shell echo b a"]],
  ["parallel ::: ls rm_-rf_x", ["shell ls", "shell rm -rf x"]],
  ["parallel -j4", ["run-input shell"]],
  ["parallel gzip", ['run-with-input sh -c gzip "$1" sh {} at {}, lines']],
  ["parallel -S web1 uptime ::: a", ["connect web1", "shell uptime a"]],
  ["sem -j 2 rm -rf x", ["shell rm -rf x"]],
  ["nodemon --exec npm_start", ["shell npm start"]],
  ["nodemon app.js", ["script:javascript app.js"]],
  ["busybox --list", []],
  ["start-stop-daemon --start --exec /bin/rm -- -rf x", ["run /bin/rm -rf x"]],
  ["tmux new-session -d -s x rm_-rf_y", ["shell rm -rf y"]],
  ["tmux send-keys -t x rm_-rf_y Enter", ["shell rm -rf y\n"]],
  ["tmux split-window -b rm_-rf_y", ["shell rm -rf y"]],
  ["tmux ls", []],
  ["tmux new -s a ; send-keys id Enter", ["shell id\n"]],
  ["screen -dmS x rm -rf y", ["run rm -rf y"]],
  ["screen -S x -X stuff id^M", ["shell id\n"]],
  ["xterm -e rm -rf x", ["run rm -rf x", "shell rm -rf x"]],
  ["hyperfine -w 3 npm_test rm_-rf_x", ["shell npm test", "shell rm -rf x"]],
  ["concurrently -k npm:dev rm_-rf_x", ["shell rm -rf x"]],
  ["npm-run-all clean build", []],
  ["cross-env A=1 rm -rf x", ["A=1", "run rm -rf x"]],
  ["chpst -u root id", ["privilege-escalation", "run id"]],
  ["sops exec-env f rm_-rf_y", ["shell rm -rf y"]],
  ["setsid", []],
];

test.each(cases)("%s", (command, deeds) => {
  expect(said(wrappers, command)).toEqual(deeds);
});
