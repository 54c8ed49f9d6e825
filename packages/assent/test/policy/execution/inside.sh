# Makes the room of one case the whole file system, gives up everything and runs the command. $1: the room, $2: the command,
# $3: how long it may run.
set -eu
root=$1/root
command=$2
seconds=$3
{
  printf '%s %s none bind 0 0\n' "$root" "$root"
  printf 'overlay %s/usr overlay lowerdir=/usr,upperdir=%s/upper,workdir=%s/work,userxattr 0 0\n' "$root" "$1" "$1"
  printf 'proc %s/proc proc nosuid,nodev,noexec 0 0\n' "$root"
  for device in null zero full random urandom; do printf '/dev/%s %s/dev/%s none bind 0 0\n' $device "$root" $device; done
} > "$1/mounts"
mount --all --fstab "$1/mounts"
cd "$root"
pivot_root . .
umount -l .
cd /home/dev/project
export HOME=/home/dev USER=dev LOGNAME=dev SHELL=/bin/bash TERM=dumb
unset OLDPWD SHLVL
ulimit -d 1048576 -f 65536 -u 100 -c 0 -t "$seconds"
# The first process of this namespace: when it ends, so does whatever the command has left running.
exec timeout --foreground -s KILL "$seconds" unshare --user --map-user=1000 --map-group=1000 \
  bash --norc --noprofile -c "$command"
