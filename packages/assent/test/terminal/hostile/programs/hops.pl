# A moving target: every few milliseconds it is a child of what it was. Ends by itself after some thousand hops.
use strict; use warnings; use POSIX ();
$SIG{TERM} = $SIG{HUP} = $SIG{INT} = 'IGNORE';
my $first = fork // die "fork: $!";
if ($first) { sleep 1000; exit 0 }
POSIX::setsid();
open my $pids, '>>', 'pids' or die;
for my $hop (1 .. 4000) {
  my $next = fork // die "fork: $!";
  if ($next) { POSIX::_exit(0) }
  syswrite $pids, "$$\n";
  if ($hop == 20) { open my $ready, '>', 'ready' or die; close $ready }
  select undef, undef, undef, 0.005;
}
