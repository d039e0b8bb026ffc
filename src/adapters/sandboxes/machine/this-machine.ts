import { access, readFile } from 'node:fs/promises';

/** What may be asked about a machine; a root of its own lets a test play another one. */
interface MachineFiles {
  readonly root?: string;
}

/** Where readings are taken and bare commands run: this machine, and that it is itself a container where it can be told. */
export async function thisMachine({ root = '' }: MachineFiles = {}): Promise<string> {
  const kind = await containerKind(root);
  return kind ? `on this machine, which is itself a container (${kind})` : 'on this machine';
}

async function containerKind(root: string): Promise<string | undefined> {
  const told = (await textOf(`${root}/run/systemd/container`)).trim();
  if (told) return told;
  if (await isThere(`${root}/.dockerenv`)) return 'docker';
  if (await isThere(`${root}/run/.containerenv`)) return 'podman';
  const first = await textOf(`${root}/proc/1/comm`);
  if (first.trim() === 'bwrap') return 'bubblewrap';
  const named = /(?:^|\0)container=([\w.-]+)/.exec(await textOf(`${root}/proc/1/environ`))?.[1];
  if (named) return named;
  const groups = await textOf(`${root}/proc/1/cgroup`);
  const group = /\b(kubepods|docker|containerd|lxc|libpod|crio)\b/.exec(groups)?.[1];
  return group === 'kubepods' ? 'kubernetes' : group;
}

/** Empty for what is not there, and for what may not be read. */
const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
