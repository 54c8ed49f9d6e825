/**
 * What the spawner does: it is given an environment, makes a child that waits for a request and becomes what that says, tells the
 * pid of that, waits for its end, tells its status, and makes the next, until nobody can ask any more. A child that is there
 * before it is wanted takes the time to make one out of every command. In Perl without any module: that is on nearly every
 * machine, small, there within milliseconds, and hands an environment on as it got it. It is told the numbers of two calls of the
 * system that it has no names for: setsid, and prctl, by which the system ends it together with whoever started it, also while it
 * waits.
 */
export const spawnerText = String.raw`
my ($setsid, $prctl) = map { $_ + 0 } @ARGV;
syscall($setsid) > 0 && syscall($prctl, 1, 9) == 0 or exit 1;
open(my $asked, "<&", STDIN) && open(my $told, ">&", STDOUT) && open(STDIN, "<", "/dev/null") or exit 1;
open(STDOUT, ">", "/dev/null") && open(STDERR, ">", "/dev/null") or exit 1;
my $spawner = $$;
$0 = "assent-spawner";
sub word { syswrite($told, pack("l", $_[0])) == 4 or exit 1 }
sub taken {
  my ($size, $got) = ($_[0], "");
  while (length $got < $size) { sysread($asked, $got, $size - length $got, length $got) or return "" }
  $got
}
sub request {
  my $size = taken(4);
  $size eq "" ? () : split /\0/, taken(unpack "L", $size), -1
}
my ($marker, @given) = request() or exit 0;
%ENV = ();
for (@given) { my ($name, $value) = split /=/, $_, 2; $ENV{$name} = $value }
# Until it becomes another program it ends with the spawner; and whoever hears that all of these are gone knows that it has.
sub become {
  my $says = $_[0];
  syscall($prctl, 1, 9) == 0 && getppid == $spawner && syscall($setsid) > 0 or return;
  ($ENV{$marker}, my ($cwd, $stdout, $stderr, @argv)) = request() or return;
  syswrite($says, "1") or return;
  close STDOUT;
  close STDERR;
  chdir($cwd) && sysopen(STDOUT, $stdout, 1) && sysopen(STDERR, $stderr, 1) && syscall($prctl, 1, 0) == 0
    && exec { $argv[0] } @argv;
  syswrite $says, "0";
}
# A moment later the system shows what it carries: who hears its pid must find it by its marker. Whether it has ended by then. It is
# opened each time: a shell becomes what it runs, and what was opened of it before shows nothing any more.
sub ended {
  my $pid = $_[0];
  while (1) {
    open(my $carried, "<", "/proc/$pid/environ") or return 0;
    return 0 if sysread $carried, my $byte, 1;
    return 1 if waitpid($pid, 1) == $pid;
    select undef, undef, undef, 0.0001;
  }
}
word(0);
while (1) {
  pipe(my $heard, my $says) && pipe(my $going, my $stays) && defined(my $pid = fork) or exit 1;
  if ($pid == 0) {
    close $going;
    become($says);
    kill 9, $$;
  }
  close $says;
  close $stays;
  # It closes its ends by becoming another program, or by dying; what it says before wakes nobody, for its program needs the time.
  1 while sysread $going, my $nothing, 1;
  # Whether it has taken the request, and could not become what that says.
  my $said = "";
  1 while sysread $heard, $said, 1, length $said;
  if ($said ne "1") {
    waitpid $pid, 0;
    # Without a word of it the request may still be there, and is nobody's: the next child would run what is told as not run.
    word(0) unless $said eq "";
    exit 1;
  }
  my $ended = ended($pid);
  word($pid);
  waitpid $pid, 0 unless $ended;
  word($?);
  # By then it has been seen that the command has left nothing: what is made meanwhile would have to be looked at.
  select undef, undef, undef, 0.0005;
}
`;
