# Told to end, it first says ten megabytes, and does not end.
use strict; use warnings;
$SIG{TERM} = sub { open my $told, '>', 'told' or die; close $told; print 'last words ' x 1_000_000 };
open my $pids, '>>', 'pids' or die; syswrite $pids, "$$\n"; close $pids;
open my $ready, '>', 'ready' or die; close $ready;
while (1) { sleep 1000 }
