import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Programs that some tests drive, and the Debian packages that bring them. */
const PROGRAMS: readonly { readonly program: string; readonly package: string }[] = [
  { program: 'tmux', package: 'tmux' },
  { program: 'git', package: 'git' },
  { program: 'bwrap', package: 'bubblewrap' },
  { program: 'sshd', package: 'openssh-server' },
  { program: 'podman', package: 'podman' },
  { program: 'chromium', package: 'chromium' },
  { program: 'prometheus', package: 'prometheus' },
  { program: 'prometheus-alertmanager', package: 'prometheus-alertmanager' },
];

const isThere = (program: string): boolean =>
  spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status === 0;

/** Installs what is missing where that is allowed. What stays missing is skipped by its tests, and said so here. */
export function ensureTestTools(): void {
  const missing = PROGRAMS.filter(({ program }) => !isThere(program));
  if (!missing.length) return;
  const names = missing.map(({ package: name }) => name);
  const allowed = process.getuid?.() === 0 && isThere('apt-get');
  if (allowed) {
    console.log(`installing ${names.join(', ')} for the tests`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], {
      stdio: 'ignore',
      env,
    });
  }
  for (const { program } of missing) {
    if (!isThere(program))
      console.log(`SKIPPED: ${program} is not here, so the tests that need it do not run`);
  }
}

/** Installs the clients and servers of others that Hermes is tested against; they are no part of the product. */
export function ensureInterop(root: string): void {
  const folder = join(root, 'interop');
  const stamp = join(folder, 'node_modules', '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('installing the clients and servers of others for the tests');
  const { status, stderr } = spawnSync('npm', ['ci', '--loglevel=error'], { cwd: folder, encoding: 'utf8' });
  if (status === 0) writeFileSync(stamp, wanted);
  else console.log(`SKIPPED: interop could not be installed, so its tests do not run\n${stderr}`);
}
