# Notes that it was told to end, and goes on.
trap ': > told' TERM
echo $$ >> pids
: > ready
while :; do sleep 0.05; done
