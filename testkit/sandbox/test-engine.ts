import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Podman with a store of its own and an image made of programs of this machine; for tests. */
export interface TestEngine {
  /** To be found as `podman`. */
  readonly program: string;
  readonly image: string;
  removeContainers(): void;
  close(): void;
}

const PROGRAMS =
  'bash sh cat ls sleep env id mkdir rm ln head tail ps kill setsid timeout stat chmod touch mv cp tr wc grep sed awk seq yes dd true mount unshare';
const NOBODY = 65_534;
const FIRST_NUMBER = 200_000;
const HYBRID = '/sys/fs/cgroup/unified';

const run = (program: string, ...args: string[]): string =>
  // The monitor of a container that runs out of memory leaves an empty file in the folder that it was started in.
  execFileSync(program, args, { cwd: tmpdir(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Why podman cannot be tested here, or an engine to test it with: one of root, or one of an ordinary user. */
export function openTestEngine(who: 'root' | 'ordinary' = 'root'): TestEngine | string {
  if (!existsSync('/usr/bin/podman')) return 'podman is not installed';
  if (process.getuid?.() !== 0) return 'the test makes its image as root';
  const folder = mkdtempSync(join(tmpdir(), 'hermes-engine-'));
  const engine: TestEngine = {
    program: join(folder, 'podman'),
    image: 'localhost/hermes-test:latest',
    removeContainers: () => void run(engine.program, 'rm', '--all', '--force'),
    close: () => {
      engine.removeContainers();
      // Ends the process that keeps the namespaces of an engine without root.
      if (who === 'ordinary') run(engine.program, 'system', 'migrate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    writeFileSync(engine.program, clientScript(folder, who), { mode: 0o755 });
    makeImage(join(folder, 'image'));
    run('tar', '-C', join(folder, 'image'), '-cf', join(folder, 'image.tar'), '.');
    run(engine.program, 'import', join(folder, 'image.tar'), engine.image);
    run(
      engine.program,
      'run',
      '--rm',
      '--network=none',
      '--ulimit=nofile=64:64',
      '--ulimit=nproc=64:64',
      engine.image,
      'true',
    );
    return engine;
  } catch (thrown) {
    rmSync(folder, { recursive: true, force: true });
    return `podman cannot run a container here: ${(thrown as Error).message.split('\n').at(-2) ?? String(thrown)}`;
  }
}

/**
 * The runtime refuses machines that mount both generations of control groups; a mount namespace without the second one
 * is enough for it. There, too, the ordinary user gets the numbers that an administrator would give them.
 */
function clientScript(folder: string, who: 'root' | 'ordinary'): string {
  const podman = `podman --root ${folder}/root --runroot ${folder}/run "$@"`;
  const steps = [`umount ${HYBRID} 2>/dev/null || true`];
  if (who === 'ordinary') {
    writeFileSync(join(folder, 'numbers'), `nobody:${FIRST_NUMBER}:65536\n`);
    chownSync(folder, NOBODY, NOBODY);
    steps.push(`mount --bind ${folder}/numbers /etc/subuid`, `mount --bind ${folder}/numbers /etc/subgid`);
    steps.push(`cd ${folder}`, `mkdir -p -m 700 xdg`, `chown ${NOBODY} xdg`);
    steps.push(`export HOME=${folder} XDG_RUNTIME_DIR=${folder}/xdg`);
    steps.push(`exec setpriv --reuid ${NOBODY} --regid ${NOBODY} --clear-groups ${podman}`);
  } else steps.push(`exec ${podman}`);
  return `#!/bin/sh\nexec unshare --mount sh -c '${steps.join('; ')}' podman "$@"\n`;
}

function makeImage(root: string): void {
  for (const name of ['usr/bin', 'etc', 'tmp', 'proc', 'dev', 'sys', 'workspace']) {
    mkdirSync(join(root, name), { recursive: true });
  }
  symlinkSync('usr/bin', join(root, 'bin'));
  for (const name of PROGRAMS.split(' ')) {
    const path = realpathSync(join('/usr/bin', name));
    const target = join(root, 'usr/bin', name);
    copyFileSync(path, target);
    chmodSync(target, 0o755);
    for (const library of librariesOf(path)) copyTo(root, library);
  }
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n',
  );
}

/** Paths in the answer of `ldd`; a program that is none of its business has no libraries. */
function librariesOf(program: string): string[] {
  try {
    return run('ldd', program).match(/\/[^\s()]+/g) ?? [];
  } catch {
    return [];
  }
}

function copyTo(root: string, path: string): void {
  if (existsSync(join(root, path))) return;
  mkdirSync(join(root, dirname(path)), { recursive: true });
  copyFileSync(path, join(root, path));
}
