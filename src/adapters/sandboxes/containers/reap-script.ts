/**
 * Ends the processes of one command from inside the sandbox, with nothing but what `sh` has built in: a command that
 * used up all processes must not keep them alive. `reap <id> <self> <strays>` spares the process `self`.
 *
 * A command's processes carry `HERMES_COMMAND=<id>.` in their environment. With `strays` the sandbox is a process
 * namespace of ours alone, where every command stands under a root process whose parent is 0: then an orphan that has
 * cleared its environment belongs to nobody and goes too. Process 1 and its sleeping child 2 keep the namespace alive.
 *
 * Where others have many processes besides, `grep` looks through them, if it is one that reads past a zero byte.
 *
 * Everything is stopped before anything is killed, so that nobody is left to start the next one.
 */
export const REAP_SCRIPT = `
slurp() { text=; while IFS= read -r line || [ -n "$line" ]; do text="$text$line"; done 2>/dev/null < "$1"; }
status() {
  state= parent=
  slurp "/proc/$1/stat" 2>/dev/null
  set -- \${text##*)}
  state=\${1-} parent=\${2-}
  [ -n "$parent" ] && [ "$state" != Z ] && [ "$state" != X ]
}
mark() { slurp "/proc/$1/environ" 2>/dev/null; case $text in *HERMES_COMMAND=*) text=\${text#*HERMES_COMMAND=}; owner=\${text%%.*};; *) owner=;; esac; }
is_victim() {
  if [ "$3" != strays ]; then
    [ "$1" != 1 ] || return 1
    [ -z "$quick" ] || return 0
    mark "$1"; [ "$owner" = "$2" ]; return
  fi
  [ "$1" != 1 ] && [ "$1" != 2 ] || return 1
  top=$1
  while [ "$parent" != 0 ] && [ "$parent" != 1 ]; do top=$parent; status "$top" || { unsure=1; return 1; }; done
  mark "$top"
  if [ "$parent" = 0 ]; then [ "$owner" = "$2" ]; return; fi
  [ "$top" != 2 ] || return 1
  case " $live " in *" $owner "*) [ -z "$owner" ];; *) return 0;; esac
}
find_live() {
  live=
  for folder in /proc/[0-9]*; do
    process=\${folder#/proc/}
    status "$process" || continue
    [ "$parent" = 0 ] || continue
    mark "$process"
    [ "$owner" = "$1" ] || live="$live $owner"
  done
}
candidates() {
  folders=
  if [ -n "$quick" ]; then folders=$(HERMES_COMMAND= grep -lsF "HERMES_COMMAND=$1." /proc/[0-9]*/environ); return; fi
  for folder in /proc/[0-9]*; do folders="$folders $folder"; done
}
reap() {
  pass=0 quick=
  if [ "$3" != strays ]; then quick=$(printf 'a\\0b\\n' | grep -c b 2>/dev/null); quick=\${quick#0}; fi
  while [ "$pass" -lt 60 ]; do
    pass=$((pass + 1)) fresh= victims= unsure=
    [ "$3" != strays ] || find_live "$1"
    candidates "$1"
    for folder in $folders; do
      process=\${folder#/proc/} process=\${process%/environ}
      [ "$process" != "$2" ] || continue
      status "$process" || continue
      was=$state
      is_victim "$process" "$1" "$3" || continue
      victims="$victims $process"
      [ "$was" = T ] || { fresh=1; kill -STOP "$process"; }
    done 2>/dev/null
    [ -n "$victims$unsure" ] || return 0
    [ -n "$fresh" ] && [ "$pass" -lt 20 ] || kill -KILL $victims 2>/dev/null
  done
  return 1
}
`;
