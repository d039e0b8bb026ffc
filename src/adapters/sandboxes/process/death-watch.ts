import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Ends the commands of a Hermes that was killed. */
export interface DeathWatch {
  /** Before a command is started. */
  add(mark: number): void;
  /** After everything of it has ended. */
  remove(mark: number): void;
  close(): void;
}

/**
 * A shell that reads which commands run. Its input ends with whoever writes it, however that ended: then it kills every
 * process that has one of these marks on it, until there is none. It has a session of its own and hears no polite signal,
 * so that what ends Hermes does not end it first.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM
marks=
while read -r sign mark; do
  case $sign in
    +) marks="$marks $mark" ;;
    -) rest=; for one in $marks; do [ "$one" = "$mark" ] || rest="$rest $one"; done; marks=$rest ;;
  esac
done
round=0
while [ -n "$marks" ] && [ $round -lt 100 ]; do
  found=
  for one in $marks; do
    for file in $(grep -ls "^Max file locks  *[^ ]*  *$one " /proc/[0-9]*/limits 2>/dev/null); do
      pid=\${file#/proc/}; pid=\${pid%/limits}
      case $(cat "/proc/$pid/stat" 2>/dev/null) in *') Z '*) ;; *) kill -9 "$pid" 2>/dev/null && found=1 ;; esac
    done
  done
  [ -n "$found" ] || [ $round -lt 3 ] || exit 0
  round=$((round + 1)); sleep 0.05
done`;

export function openDeathWatch(shell: string): DeathWatch {
  let watcher: ChildProcess | undefined;
  const running = new Set<number>();
  const tell = (line: string) => watcher?.stdin?.write(`${line}\n`);
  const start = () => {
    watcher = spawn(shell, ['-c', SCRIPT], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const started = watcher;
    const gone = () => {
      if (watcher === started) watcher = undefined;
    };
    started.once('error', gone);
    started.once('exit', gone);
    started.stdin?.on('error', () => started.stdin?.destroy());
    // Neither of them keeps Hermes from ending.
    started.unref();
    const pipe: unknown = started.stdin;
    if (pipe instanceof Socket) pipe.unref();
    for (const mark of running) tell(`+ ${mark}`);
  };
  return {
    add(mark) {
      running.add(mark);
      if (watcher) tell(`+ ${mark}`);
      else start();
    },
    remove(mark) {
      running.delete(mark);
      tell(`- ${mark}`);
    },
    close: () => void watcher?.stdin?.end(),
  };
}
