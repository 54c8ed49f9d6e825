# Many children at once that hear no SIGTERM.
use strict; use warnings;
my $count = shift // 300;
$SIG{TERM} = 'IGNORE';
open my $pids, '>>', 'pids' or die;
syswrite $pids, "$$\n";
for (1 .. $count) {
  my $child = fork // die "fork: $!";
  if (!$child) { sleep 1000; exit 0 }
  syswrite $pids, "$child\n";
}
open my $ready, '>', 'ready' or die; close $ready;
sleep 1000;
