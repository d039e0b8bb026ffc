/** Folders and files that hold credentials, wherever they lie: runs of path segments. */
const CREDENTIALS: readonly (readonly string[])[] = [
  ['.ssh'],
  ['.gnupg'],
  ['.azure'],
  ['.password-store'],
  ['.netrc'],
  ['_netrc'],
  ['.pgpass'],
  ['.pypirc'],
  ['.vault-token'],
  ['.git-credentials'],
  ['.aws', 'credentials'],
  ['.aws', 'sso'],
  ['.aws', 'cli'],
  ['.kube', 'config'],
  ['.docker', 'config.json'],
  ['.config', 'gcloud'],
  ['.config', 'gh', 'hosts.yml'],
  ['.terraform.d', 'credentials.tfrc.json'],
];

/** The same, but only at this place. */
const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/run/secrets',
  '/var/run/secrets',
];
const KERNEL_MEMORY = ['/proc/kcore', '/proc/kmsg', '/proc/kallsyms', '/proc/vmcore'];
const KEY_FILE = /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|ssh_host_.*_key)$/;

/** What `/proc` may tell about a process. The rest is its memory, its variables, and doors to its files. */
const PROCESS_FACTS = new Set(
  'cgroup comm io limits loginuid mountinfo oom_score sched schedstat stat statm status wchan'.split(' '),
);

/** Why nobody may look at an absolute path; undefined when one may. */
export function whyUnreadable(path: string, protectedPaths: readonly string[]): string | undefined {
  const name = comparable(path);
  if (protectedPaths.some((held) => isInside(comparable(held), name))) return 'it is kept from tools';
  if (isInProcess(name)) return 'it would show the inside of a process';
  if (KERNEL_MEMORY.includes(name)) return 'it is the memory of the machine';
  if (holdsCredentials(name)) return 'it holds credentials';
  return undefined;
}

/** Why nothing may be written at an absolute real path; undefined when it may. */
export function whyUnwritable(
  path: string,
  root: string,
  protectedPaths: readonly string[],
): string | undefined {
  if (path === root || !isInside(root, path)) return `it lies outside the workspace ${root}`;
  const unreadable = whyUnreadable(path, protectedPaths);
  if (unreadable) return unreadable;
  const segments = comparable(path.slice(root.length)).split('/');
  if (segments.some((segment) => segment === '.git' || segment === 'git~1')) return 'it belongs to git';
  return undefined;
}

/** Whether a path is the folder or lies in it. */
export function isInside(folder: string, path: string): boolean {
  const inner = path.replaceAll('\\', '/');
  const outer = folder.replaceAll('\\', '/').replace(/\/+$/, '');
  return inner === outer || inner.startsWith(`${outer}/`);
}

/**
 * A path as the most forgiving file system reads it: case, trailing dots and spaces, invisible characters and
 * streams (`name::$DATA`) make no difference there. Only for refusing: two different files may compare equal.
 */
function comparable(path: string): string {
  const plain = path
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}|[\u202a-\u202e]/gu, '')
    .toLowerCase()
    .replaceAll('\\', '/');
  return plain
    .split('/')
    .map((segment, index) => {
      const base = index > 0 ? segment.replace(/:.*$/, '') : segment;
      return /^\.{1,2}$/.test(base) ? base : base.replace(/[. ]+$/, '');
    })
    .join('/');
}

function isInProcess(name: string): boolean {
  const [, who, what, ...deeper] = /^\/proc\/([^/]+)\/([^/]+)(\/.*)?$/.exec(name) ?? [];
  if (who === undefined || what === undefined) return false;
  if (!/^(?:\d+|self|thread-self)$/.test(who)) return false;
  return !PROCESS_FACTS.has(what) || deeper.some((rest) => rest !== undefined);
}

function holdsCredentials(name: string): boolean {
  if (SYSTEM_SECRETS.some((secret) => isInside(secret, name))) return true;
  const segments = name.split('/');
  if (KEY_FILE.test(segments.at(-1) ?? '')) return true;
  return CREDENTIALS.some((run) =>
    segments.some((_, at) => run.every((segment, offset) => segments[at + offset] === segment)),
  );
}
