/**
 * What the spawner does: it takes a request, starts what that says, tells its pid, waits for its end, tells its status, and takes
 * the next, until nobody can ask any more. In Perl without any module: that is on nearly every machine, small, there within
 * milliseconds, and hands an environment on as it got it. It is told the numbers of two calls of the system that it has no
 * names for: setsid, and prctl, by which the system ends it together with whoever started it, also while it waits.
 */
export const spawnerText = String.raw`
my ($setsid, $prctl) = map { $_ + 0 } @ARGV;
syscall($setsid) > 0 && syscall($prctl, 1, 9) == 0 or exit 1;
open(my $asked, "<&", STDIN) && open(my $told, ">&", STDOUT) && open(STDIN, "<", "/dev/null") or exit 1;
open(my $nowhere, ">", "/dev/null") or exit 1;
outputs($nowhere, $nowhere) or exit 1;
$0 = "assent-spawner";
sub word { syswrite($told, pack("l", $_[0])) == 4 or exit 1 }
sub taken {
  my ($size, $got) = ($_[0], "");
  while (length $got < $size) { sysread($asked, $got, $size - length $got, length $got) or exit 0 }
  $got
}
sub outputs { open(STDOUT, ">&", $_[0]) && open(STDERR, ">&", $_[1]) }
sub environment {
  %ENV = ();
  for (@_) { my ($name, $value) = split /=/, $_, 2; $ENV{$name} = $value }
}
# All that can be done before is: the child works on copies, page by page. Outputs are opened before the pid is told, for who
# hears that lets go of them.
sub started {
  my ($cwd, $stdout, $stderr, @argv) = @_;
  my ($out, $err, $failed, $fail, $pid);
  chdir($cwd) && sysopen($out, $stdout, 1) && sysopen($err, $stderr, 1) && outputs($out, $err) or return 0;
  pipe($failed, $fail) && defined($pid = fork) or return 0;
  if ($pid == 0) {
    syscall($setsid) > 0 && exec { $argv[0] } @argv;
    syswrite $fail, "1";
    kill 9, $$;
  }
  close $fail;
  # The child's end is closed by its becoming another program.
  sysread($failed, my $said, 1) or return $pid;
  waitpid $pid, 0;
  0
}
# A moment later the system shows what it carries: who hears its pid must find it by its marker. Whether it has ended by then.
sub ended {
  my $pid = $_[0];
  open(my $carried, "<", "/proc/$pid/environ") or return 0;
  until (sysread $carried, my $byte, 1) {
    return 1 if waitpid($pid, 1) == $pid;
    select undef, undef, undef, 0.0001;
  }
  0
}
word(0);
while (1) {
  my ($name, $marker, $count, @rest) = split /\0/, taken(unpack "L", taken(4)), -1;
  environment(splice @rest, 0, $count) if $count ne "";
  $ENV{$name} = $marker;
  my $pid = started(@rest);
  outputs($nowhere, $nowhere) && chdir "/" or exit 1;
  my $ended = $pid == 0 || ended($pid);
  word($pid);
  next if $pid == 0;
  waitpid $pid, 0 unless $ended;
  word($?);
}
`;
