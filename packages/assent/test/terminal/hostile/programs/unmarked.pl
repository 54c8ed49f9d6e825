# Wipes the environment that the system shows of it, and leaves the group; what started it still runs.
use strict; use warnings; use POSIX ();
$SIG{TERM} = 'IGNORE';
my $child = fork // die "fork: $!";
if (!$child) {
  POSIX::setsid();
  exec '/usr/bin/env', '-i', $^X, '-e', '$SIG{TERM} = "IGNORE"; open my $f, ">", "ready"; close $f; sleep 1000';
}
open my $pids, '>>', 'pids' or die; syswrite $pids, "$child\n"; close $pids;
waitpid $child, 0;
