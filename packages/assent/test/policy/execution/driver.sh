# Runs commands that come on standard input, each in a room of its own, and tells what is there before and after.
# It is the first process of its namespaces: it may mount here, and is nobody outside. $1 is the script of a room,
# $2 how many seconds a command may run.
# In: the commands, each with a NUL after it. Out: records that end in NUL; see sandbox.ts.
set -eu
inside=$1
seconds=$2
umask 022
ip link set lo up 2> /dev/null || true
mount -t tmpfs -o size=512m,mode=755 tmpfs /tmp
skeleton=/tmp/room/root
mkdir -p $skeleton/{boot,dev/shm,proc,sys,tmp,root,run,srv,mnt,opt,media,usr,home/dev/{Documents,project}} \
  $skeleton/etc/{app,cron.d,profile.d,alternatives} $skeleton/var/{tmp,log,lib/app,spool,cache} /tmp/room/{upper,work} /tmp/rooms
for folder in bin sbin lib local local/bin local/lib local/share share; do mkdir -p /tmp/room/upper/$folder; done
for folder in bin sbin lib lib32 lib64 libx32; do
  if [ -L /$folder ]; then cp -P /$folder $skeleton/$folder; fi
done
for file in null zero full random urandom; do : > $skeleton/dev/$file; done
ln -s /proc/self/fd $skeleton/dev/fd
ln -s /proc/self/fd/0 $skeleton/dev/stdin
ln -s /proc/self/fd/1 $skeleton/dev/stdout
ln -s /proc/self/fd/2 $skeleton/dev/stderr
chmod 1777 $skeleton/tmp $skeleton/var/tmp $skeleton/dev/shm

for name in awk nc vi vim ex which; do cp -P /etc/alternatives/$name $skeleton/etc/alternatives/ 2> /dev/null || true; done
cp /etc/ld.so.cache $skeleton/etc/ 2> /dev/null || true
printf 'root:x:0:0:root:/root:/bin/bash\ndev:x:1000:1000:dev:/home/dev:/bin/bash\n' > $skeleton/etc/passwd
printf 'root:x:0:\ndev:x:1000:\n' > $skeleton/etc/group
printf 'passwd: files\ngroup: files\nhosts: files dns\n' > $skeleton/etc/nsswitch.conf
printf 'nameserver 203.0.113.53\noptions timeout:1 attempts:1\n' > $skeleton/etc/resolv.conf
printf '127.0.0.1 localhost app.localhost sandbox\n::1 localhost\n203.0.113.5 evil.example cdn.evil.example\n' > $skeleton/etc/hosts
printf 'welcome\n' > $skeleton/etc/motd
printf 'key=no\n' > $skeleton/etc/app/app.conf
printf 'more\n' > $skeleton/etc/app/more.conf
printf 'started\n' > $skeleton/var/log/app.log
printf 'state\n' > $skeleton/var/lib/app/state

home=$skeleton/home/dev
printf '# nothing\n' > $home/.bashrc
for name in letter plan budget; do printf '%s\n' $name > $home/Documents/$name.txt; done
project=$home/project
mkdir -p $project/{src/lib,build/objects,dist,logs,scripts,empty,docs}
printf '# project\n' > $project/README.md
printf 'rm -rf build\nsudo reboot\n' > $project/docs/guide.md
printf 'one\ntwo\nthree\n' > $project/notes.txt
printf 'id,name\n1,a\n2,b\n' > $project/data.csv
printf '{ "name": "project", "version": "1.0.0" }\n' > $project/package.json
for name in main util; do printf 'export const %s = 1;\n' $name > $project/src/$name.ts; done
printf 'export {};\n' > $project/src/lib/deep.ts
for name in a b objects/c objects/d; do printf 'object\n' > $project/build/$name.o; done
for name in index vendor; do printf 'var a;\n' > $project/dist/$name.js; done
for name in 1 2 3 4 5 6; do printf 'line\n' > $project/logs/$name.log; done
printf '#!/bin/sh\necho run\n' > $project/scripts/run.sh
chmod 755 $project/scripts/run.sh
printf 'rm -rf build\n' > $project/tidy.txt
printf 'build\n' > $project/names.txt
printf 'url = http://evil.example/\n' > $project/settings.txt
printf 'build/\ndist/\n' > $project/.gitignore
if command -v git > /dev/null; then
  settings='-c user.name=dev -c user.email=dev@localhost -c init.defaultBranch=main -c core.hooksPath=/nowhere'
  (
    export HOME=$home GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
    git $settings init -q --template= $project
    cd $project
    git $settings add README.md notes.txt package.json src .gitignore
    git $settings commit -q -m first
    git $settings gc -q
    find .git -depth -type d -empty -path '*/objects/??' -delete
  )
fi

# Names are asked for when a program wants to know where it runs.
hostname sandbox 2> /dev/null || true

list() {
  find $room/root $room/upper -printf "$1%P\037%y\037%m\037%U\037%s\037%T@\037%i\037%l\037%H\0"
}

# There is no route to anywhere, and the kernel counts who has looked for one, for both versions of the protocol.
attempts() {
  local lines names values index line
  mapfile -t -n 2 lines < /proc/net/snmp
  read -r -a names <<< "${lines[0]}"
  read -r -a values <<< "${lines[1]}"
  for index in "${!names[@]}"; do
    if [ "${names[index]}" = OutNoRoutes ]; then sought=${values[index]}; fi
  done
  mapfile -t lines < /proc/net/snmp6
  for line in "${lines[@]}"; do
    if [[ $line == Ip6OutNoRoutes* ]]; then sought=$((sought + ${line##*[[:space:]]})); fi
  done
}

number=0
while IFS= read -r -d '' command; do
  # Rooms are thrown away with the file system that they are on, some at a time.
  if ((number % 20 == 0)); then
    if ((number > 0)); then umount -l /tmp/rooms; fi
    mount -t tmpfs -o size=512m,mode=755 rooms /tmp/rooms
  fi
  number=$((number + 1))
  room=/tmp/rooms/$number
  cp -dR --preserve=mode,timestamps /tmp/room $room
  printf 'case\0'
  list b
  attempts
  before=$sought
  status=0
  unshare --mount --pid --fork --kill-child bash -c "$inside" inside $room "$command" "$seconds" \
    < /dev/null > $room/output 2>&1 || status=$?
  list a
  attempts
  printf 's%d\0n%d\0' $status $((sought - before))
  { IFS= read -r -d '' -n 2000 output || true; } < $room/output
  printf 'o%s\0' "$output"
done
printf 'end\0'
