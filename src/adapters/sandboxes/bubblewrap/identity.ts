import { stat } from 'node:fs/promises';
import { fail } from '#kit/app-error';
import { tell } from '#kit/text';
import type { SandboxPlace } from '#spec/ports';

/** As whom commands run, and how they come to be that. */
export interface Identity {
  /** The owner, on this machine, of what commands make. */
  readonly owner: { readonly uid: number; readonly gid: number };
  /** What stands before `bwrap` on the command line. */
  readonly launcher: readonly string[];
  /** Options for `bwrap` itself. */
  readonly options: readonly string[];
  /** Owner root on this machine: what only root may read has to be covered up. */
  readonly ownsSystem: boolean;
}

const NOBODY = '65534';

/**
 * An ordinary user stays who they are. Root becomes the owner of the workspace. Where root owns that too, commands run
 * under an unprivileged id of a user namespace, without any capability; on disk it still is root, so all of `/proc`
 * and the system is read-only there, and files that are not for everybody are covered.
 */
export async function identityFor(workspace: string, place: SandboxPlace): Promise<Identity> {
  const { uid, gid } = await stat(workspace);
  const me = process.getuid?.() ?? -1;
  if (me !== 0) {
    const owner = { uid: me, gid: process.getgid?.() ?? -1 };
    return { owner, launcher: [], options: [], ownsSystem: false };
  }
  if (uid === 0) {
    return {
      owner: { uid, gid },
      launcher: [],
      options: ['--uid', NOBODY, '--gid', NOBODY],
      ownsSystem: true,
    };
  }
  const setpriv = place.program('setpriv');
  if (!setpriv) {
    throw fail(
      'tool.failed',
      tell(
        'Running as root needs setpriv to become the owner of the workspace.',
        '以 root 运行时需要 setpriv 来切换为工作目录的属主。',
      ),
      tell('Install util-linux.', '请安装 util-linux。'),
    );
  }
  const become = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  const shed = ['--inh-caps=-all', '--bounding-set=-all', '--no-new-privs'];
  return {
    owner: { uid, gid },
    launcher: [setpriv, ...become, ...shed, '--'],
    options: [],
    ownsSystem: false,
  };
}
