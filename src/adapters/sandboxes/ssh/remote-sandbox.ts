import { fail } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
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
  const refuse = (why: Text, hint: Text) =>
    fail(
      'tool.failed',
      tell(`No sandbox on the other machine: ${why.en}`, `另一台机器上没有沙箱:${why.zh}`),
      hint,
    );
  if (bwrap === '') {
    throw refuse(
      tell('bubblewrap is not installed there.', '那里没有安装 bubblewrap。'),
      tell('Install it there, or take `sandbox` away.', '请在那里安装它,或去掉 `sandbox`。'),
    );
  }
  if (uid === '0') {
    throw refuse(
      tell('the user there is root.', '那里的用户是 root。'),
      tell('Use an ordinary user.', '请使用普通用户。'),
    );
  }
  if (isInside(home, workspace)) {
    throw refuse(
      tell(`${workspace} holds the home of the user.`, `${workspace} 包含该用户的主目录。`),
      tell('Set working_dir to a folder of a project.', '请把 working_dir 设为项目的目录。'),
    );
  }
  const filter = seccompFilter(MACHINES[facts.machine] ?? '');
  if (!filter) {
    throw refuse(
      tell(`no system call filter for ${facts.machine}.`, `没有适用于 ${facts.machine} 的系统调用过滤器。`),
      tell('Use another backend.', '请使用其他后端。'),
    );
  }
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
