# Its child is stopped, and hears nothing until it goes on.
sleep 1000 &
echo $$ $! | tr ' ' '\n' >> pids
kill -STOP $!
: > ready
wait
