# Closes its own output and goes on.
exec >&- 2>&-
echo $$ >> pids
: > ready
sleep 1000 &
echo $! >> pids
wait
