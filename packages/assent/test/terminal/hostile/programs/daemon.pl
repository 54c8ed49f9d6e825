# Becomes a daemon by the book: two forks, a session of its own, nothing open. With "bare" its environment is empty, too.
use strict; use warnings; use POSIX ();
my $bare = (shift // '') eq 'bare';
unlink 'daemon-ready';
my $first = fork // die "fork: $!";
if ($first) {
  waitpid $first, 0;
  select undef, undef, undef, 0.01 until -e 'daemon-ready';
  print "daemon started\n";
  exit 0;
}
POSIX::setsid();
exit 0 if fork // die "fork: $!";
$SIG{HUP} = 'IGNORE';
POSIX::close($_) for 0 .. 255;
open my $null, '+<', '/dev/null' or die;
open my $pids, '>>', 'pids' or die;
syswrite $pids, "$$\n";
close $pids;
%ENV = () if $bare;
exec 'perl', '-e', 'open my $f, ">", "daemon-ready"; close $f; sleep 1000' unless $bare;
exec '/usr/bin/env', '-i', $^X, '-e', 'open my $f, ">", "daemon-ready"; close $f; sleep 1000';
