# A chain of processes, each the child of the one before.
use strict; use warnings;
my $depth = shift // 200;
sub note { open my $file, '>>', 'pids' or die; syswrite $file, "$$\n"; close $file }
note();
for (1 .. $depth) {
  my $child = fork // die "fork: $!";
  if ($child) { waitpid $child, 0; exit 0 }
  note();
}
open my $ready, '>', 'ready' or die; close $ready;
sleep 1000;
