import { spawnSync } from 'node:child_process';

/** Programs that some tests drive, and the Debian packages that bring them. */
const PROGRAMS: readonly { readonly program: string; readonly package: string }[] = [
  { program: 'tmux', package: 'tmux' },
  { program: 'git', package: 'git' },
];

const isThere = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

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
