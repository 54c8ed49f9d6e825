# Hears neither TERM nor INT nor HUP, and starts its child anew whenever that dies.
trap : TERM INT HUP
echo $$ >> pids
while :; do
  sleep 1000 &
  child=$!
  echo $child >> pids
  : > ready
  while kill -0 $child 2> /dev/null; do wait $child; done
done
