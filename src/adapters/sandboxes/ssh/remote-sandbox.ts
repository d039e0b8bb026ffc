import { fail } from '#kit/app-error';
import { seccompFilter } from '../bubblewrap/seccomp-filter.ts';
import { isInside } from '../bubblewrap/covered-paths.ts';

export interface RemoteFacts {
  readonly run: string;
  readonly workspace: string;
  readonly home: string;
  readonly uid: string;
  readonly machine: string;
  readonly shell: string;
  readonly bwrap: string;
}

const MACHINES: Readonly<Record<string, string>> = { x86_64: 'x64', aarch64: 'arm64' };

interface RemoteBarrier {
  /** To be put into the folder for notes, as `filter`. */
  readonly filter: Uint8Array;
  /** What stands before the words of a command. */
  readonly words: readonly string[];
}

/** Bubblewrap on the other machine: its system read-only, its home and its temporary folders empty, no capabilities. */
export function remoteBarrier(facts: RemoteFacts, network: boolean): RemoteBarrier {
  const { bwrap, uid, workspace, home, run } = facts;
  const refuse = (why: string, hint: string) =>
    fail('tool.failed', `No sandbox on the other machine: ${why}`, hint);
  if (bwrap === '')
    throw refuse('bubblewrap is not installed there.', 'Install it there, or take `sandbox` away.');
  if (uid === '0') throw refuse('the user there is root.', 'Use an ordinary user.');
  if (isInside(home, workspace)) {
    throw refuse(`${workspace} holds the home of the user.`, 'Set working_dir to a folder of a project.');
  }
  const filter = seccompFilter(MACHINES[facts.machine] ?? '');
  if (!filter) throw refuse(`no system call filter for ${facts.machine}.`, 'Use another backend.');
  const empty = ['/tmp', '/var/tmp', '/run', home].flatMap((path) => ['--tmpfs', path]);
  const options = [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', ...empty],
    ...['--bind', workspace, workspace, '--chdir', '/', '--seccomp', '9', '--setenv', 'HOME', '/tmp', '--'],
  ];
  const open = 'filter=$1; shift; exec "$@" 9< "$filter"';
  return { filter, words: ['sh', '-c', open, 'barrier', `${run}/filter`, bwrap, ...options] };
}
