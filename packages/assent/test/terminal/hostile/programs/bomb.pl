# A fork bomb with a bound: this many processes, and each that dies is born again once.
use strict; use warnings;
my $count = shift // 500;
open my $pids, '>>', 'pids' or die;
syswrite $pids, "$$\n";
sub live {
  my $lives = shift;
  local $SIG{TERM} = sub {
    if ($lives > 0) { my $again = fork; if (defined $again && !$again) { syswrite $pids, "$$\n"; live($lives - 1) } }
    exit 0;
  };
  while (1) { sleep 1000 }
}
for (1 .. $count) {
  my $child = fork // die "fork: $!";
  if (!$child) { syswrite $pids, "$$\n"; live(1) }
}
open my $ready, '>', 'ready' or die; close $ready;
sleep 1000;
