# A group of its own whose leader has ended while a member that hears no SIGTERM lives on.
use strict; use warnings;
my $leader = fork // die "fork: $!";
if (!$leader) {
  setpgrp 0, 0;
  $SIG{TERM} = 'IGNORE';
  my $member = fork // die "fork: $!";
  if (!$member) { sleep 1000; exit 0 }
  open my $pids, '>>', 'pids' or die; syswrite $pids, "$member\n"; close $pids;
  exit 0;
}
waitpid $leader, 0;
open my $ready, '>', 'ready' or die; close $ready;
sleep 1000 if (shift // '') eq 'stay';
print "leader gone\n";
