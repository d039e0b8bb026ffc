import { posix } from 'node:path';

/** Where the words of a command are to be understood. */
export interface Ground {
  /** Absolute; writes below it are the agent's own business. */
  readonly workspace: string;
  /** Absolute; undefined when the command went somewhere that cannot be told. */
  readonly cwd: string | undefined;
}

/** Stands for a working folder that nobody named: deep enough for `..` to leave it visibly. */
export const SOME_FOLDER = '/@/@/@work';
/** Stands for the home of whoever runs the command. */
const HOME = '/~';

export type Zone =
  | 'work'
  | 'temp'
  | 'null'
  | 'socket'
  | 'device'
  | 'top'
  | 'system'
  | 'home'
  | 'outside'
  | 'unknown';

const PROC_ROOT = /^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/root(?=\/|$)/;
const PROC_CWD = /^\/proc\/(?:self|thread-self)\/cwd(?=\/|$)/;

/** The absolute, normalised form. Undefined when it depends on a folder that is not known. */
export function resolvePath(path: string, ground: Ground): string | undefined {
  if (path.length > 4_096) return undefined;
  let full: string;
  if (path.startsWith('~')) full = path === '~' || path.startsWith('~/') ? HOME + path.slice(1) : `/${path}`;
  else if (path.startsWith('/')) full = path;
  else if (ground.cwd === undefined) return undefined;
  else full = `${ground.cwd}/${path}`;
  let normal = posix.normalize(full);
  for (let turns = 0; turns < 4 && PROC_ROOT.test(normal); turns++) {
    normal = posix.normalize(normal.replace(PROC_ROOT, '') || '/');
  }
  if (PROC_CWD.test(normal)) {
    if (ground.cwd === undefined) return undefined;
    normal = posix.normalize(ground.cwd + normal.replace(PROC_CWD, ''));
  }
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

const inside = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const NULLS =
  /^\/dev\/(?:null|stdin|stdout|stderr|tty|full|fd(?:\/\d+)?|ptmx|pts\/\d+)$|^\/proc\/self\/fd\/\d+$/;
const TOPS =
  /^\/(?:~[^/]*|\*|\.\*|bin|boot|dev|etc|home|lib|lib32|lib64|libx32|media|mnt|opt|proc|root|run|sbin|snap|srv|sys|tmp|usr|var|Users|System|Library|Applications|home\/[^/]+|Users\/[^/]+|usr\/(?:bin|lib|local|sbin|share)|var\/(?:lib|log|spool|www)|boot\/efi)?$/;
const SYSTEM =
  /^\/(?:bin|boot|etc|lib|lib32|lib64|libx32|proc|run|sbin|snap|sys|usr|System|Library|Applications|var\/(?:lib|spool|run|cache|log|db))(?:\/|$)/;

export function zoneOf(full: string | undefined, ground: Ground): Zone {
  if (full === undefined) return 'unknown';
  if (NULLS.test(full)) return 'null';
  if (/^\/dev\/(?:tcp|udp)\//.test(full)) return 'socket';
  if (inside(full, '/dev/shm')) return 'temp';
  if (inside(full, '/dev') && full !== '/dev') return 'device';
  if (ground.workspace !== '/' && inside(full, ground.workspace)) return 'work';
  if (/^\/(?:private\/)?(?:var\/)?tmp\/./.test(full)) return 'temp';
  // A pattern for everything in a folder is that folder.
  if (TOPS.test(full.replace(/\/(?:\*|\.\*|\{\*\}|\.\[!\.\]\*)$/, '') || '/')) return 'top';
  if (SYSTEM.test(full)) return 'system';
  if (/^\/(?:~[^/]*|root|home\/[^/]+|Users\/[^/]+)\//.test(full)) return 'home';
  return 'outside';
}

/** Zones in which listed programs may write without being asked about. */
export const isOwnZone = (zone: Zone): boolean => zone === 'work' || zone === 'temp' || zone === 'null';

const GUARD = /(?:^|\/)\.hermes(?:\/|$)|\/hermes(?:-agent|-gateway)?\.service$/;
/** Files of Hermes itself: its home, its settings, its unit. */
export const isGuardPath = (full: string): boolean => GUARD.test(full);

const STARTUP = new RegExp(
  [
    String.raw`/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|zlogout|kshrc|cshrc|tcshrc|inputrc|xinitrc|xprofile|xsession|xsessionrc|pam_environment|vimrc|gvimrc|exrc|emacs|nanorc|screenrc|tmux\.conf|gitconfig|npmrc|yarnrc|pypirc|envrc|pythonrc|irbrc|gdbinit|lldbinit|wgetrc|curlrc|lesskey|rhosts|forward|netrc|hgrc|perldb|Rprofile|psqlrc|mylogin\.cnf|direnvrc)$`,
    String.raw`/\.ssh(?:/|$)`,
    String.raw`/\.config/(?:autostart|systemd|fish|environment\.d|git|plasma-workspace|nvim|direnv|pip)(?:/|$)`,
    String.raw`/\.local/share/(?:applications|systemd|dbus-1)(?:/|$)`,
    String.raw`/\.git/(?:hooks(?:/|$)|config$|config\.worktree$|info/attributes$|modules/)`,
    String.raw`/\.(?:vim|emacs\.d|gnupg|bash_completion\.d|oh-my-zsh|kube|aws|azure|docker|gem|m2)(?:/|$)`,
    String.raw`/Library/(?:LaunchAgents|LaunchDaemons|StartupItems)(?:/|$)`,
    String.raw`^/etc/(?:cron|profile|bash|zsh|init|rc|systemd|ld\.so|pam|sudoers|ssh|xdg|environment|apt|udev|security|passwd|shadow|group|gshadow|crontab|at\.)`,
    String.raw`^/(?:usr/)?(?:local/)?lib(?:64)?/systemd(?:/|$)`,
    String.raw`^/var/spool/(?:cron|at)`,
    String.raw`/(?:sitecustomize|usercustomize)\.py$`,
    String.raw`/site-packages/[^/]+\.pth$`,
    String.raw`/\.(?:husky|devcontainer|circleci|buildkite)(?:/|$)`,
    String.raw`/\.(?:github|gitea|forgejo)/(?:workflows|actions)(?:/|$)`,
    String.raw`/\.(?:vscode/(?:tasks|launch|settings|extensions)\.json|idea/(?:runConfigurations|workspace\.xml)(?:/|$)|gitlab-ci\.ya?ml|pre-commit-config\.ya?ml|mcp\.json|lefthook\.ya?ml)$`,
    String.raw`/(?:Jenkinsfile|azure-pipelines\.ya?ml|bitbucket-pipelines\.ya?ml|lefthook\.ya?ml|[^/]+\.code-workspace)$`,
  ].join('|'),
);
/** Files that make something run later without being asked: shell start-up, keys, schedules, units, hooks. */
export const isStartupPath = (full: string): boolean => STARTUP.test(full);

const PRIVATE = new RegExp(
  [
    String.raw`/\.ssh(?:/(?!known_hosts|config$|[^/]*\.pub$)|$)`,
    String.raw`/(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?)$`,
    String.raw`/\.aws(?:/|$)`,
    String.raw`/\.(?:azure|gnupg|password-store|vault-token|netrc|pgpass|git-credentials|pypirc|npmrc|my\.cnf|mylogin\.cnf|s3cfg|boto|htpasswd|hermes|electrum|bitcoin)(?:/|$)`,
    String.raw`/\.config/(?:gcloud|gh|hub|op|rclone|doctl|heroku|sops)(?:/|$)`,
    String.raw`/\.(?:kube/config|docker/config\.json|terraform\.d/credentials\.tfrc\.json|cargo/credentials(?:\.toml)?|gem/credentials|m2/settings\.xml)$`,
    String.raw`/\.env(?:rc)?(?:\.(?!example$|sample$|template$|dist$|defaults?$|schema$)[\w.-]+)?$`,
    String.raw`/\.?[\w.-]*_history$`,
    String.raw`/[^/]*(?:priv|key)[^/]*\.pem$`,
    String.raw`/(?!.*\.pub$)[^/]+\.(?:key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$`,
    String.raw`^/etc/(?:shadow|gshadow|sudoers|master\.passwd|ssl/private|ssh/ssh_host_|krb5\.keytab|kubernetes/)`,
    String.raw`^/proc/(?:self|thread-self|\d+|\*)/(?:task/[^/]+/)?(?:environ|mem|maps|auxv|cmdline\*)$`,
    String.raw`^/(?:var/)?run/secrets(?:/|$)`,
    String.raw`/(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|env))?$`,
    String.raw`/service[-_]?account[\w-]*\.json$`,
    String.raw`/(?:Login Data|Cookies|cookies\.sqlite|logins\.json|key[34]\.db|wallet\.dat|[^/]*\.tfstate(?:\.backup)?)$`,
    String.raw`/Keychains(?:/|$)`,
  ].join('|'),
);

const KNOWN_PRIVATE = [
  '/~/.ssh/id_rsa',
  '/~/.ssh/id_ed25519',
  '/~/.aws/credentials',
  '/~/.kube/config',
  '/~/.netrc',
  '/~/.pgpass',
  '/~/.git-credentials',
  '/~/.config/gh/hosts.yml',
  '/~/.bash_history',
  '/~/.hermes/.env',
  '/etc/shadow',
  '/proc/self/environ',
];

/** Keys, credentials, histories, environments. With `glob`, also patterns that such a file would match. */
export function isPrivatePath(full: string, glob: boolean): boolean {
  if (PRIVATE.test(full)) return true;
  if (!glob) return false;
  const candidates = [...KNOWN_PRIVATE, posix.join(posix.dirname(full), '.env')];
  const anyHome = full.replace(/^\/(?:root|home\/[^/]+|Users\/[^/]+)(?=\/)/, HOME);
  return candidates.some((known) => globMatches(anyHome, known));
}

/** Whether a pattern of the shell matches a path. Too intricate a pattern counts as matching. */
export function globMatches(pattern: string, path: string): boolean {
  if (!/[*?[]/.test(pattern)) return pattern === path;
  if (pattern.length > 200 || (pattern.match(/\*/g)?.length ?? 0) > 8) return true;
  const source = pattern
    .replace(/[.+^${}()|\\]/g, String.raw`\$&`)
    .replace(/\*+/g, '\u0000')
    .replace(/\?/g, '[^/]')
    .replace(/\[!/g, '[^');
  try {
    return new RegExp(`^${source.replaceAll('\u0000', '[^/]*')}$`).test(path) && !hiddenByStar(pattern, path);
  } catch {
    // Not a valid class: whoever wrote it may have meant anything.
    return true;
  }
}

/** A leading star does not match a leading dot. */
function hiddenByStar(pattern: string, path: string): boolean {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  return given.some((part, at) => part.startsWith('.') && /^[*?[]/.test(wanted[at] ?? ''));
}

/** Devices that hold data or the machine's memory, as against terminals, sound and the like. */
export const isDiskDevice = (full: string): boolean =>
  /^\/dev\/(?:sd|hd|vd|xvd|nvme|mmcblk|dm-|md|loop|sr|nbd|zd|ram|zram|pmem|rbd|drbd|bcache|mapper\/|disk\/|mem$|kmem$|port$|mtd|nvram|rdisk|disk\d|block\/|[*?[])/.test(
    full,
  );
