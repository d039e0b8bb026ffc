import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '#spec/ports';
import { keptLog } from '#testkit/log';
import { run } from '#testkit/sandbox';
import { sandbox as podman } from './podman.ts';
import { openTestEngine, type TestEngine } from '#testkit/sandbox';

const NOBODY = 65_534;
const SECRET = 'the-secret-of-this-machine';

const asRoot = openTestEngine('root');
const asOrdinary = openTestEngine('ordinary');
afterAll(() => {
  for (const engine of [asRoot, asOrdinary]) if (typeof engine !== 'string') engine.close();
});

const CASES = [
  { who: 'engine of root, commands of nobody', engine: asRoot, user: undefined },
  { who: 'engine of root, commands of root', engine: asRoot, user: '0:0' },
  { who: 'engine and commands of an ordinary user', engine: asOrdinary, user: undefined },
];

for (const { who, engine, user } of CASES) {
  const why = typeof engine === 'string' ? ` (skipped: ${engine})` : '';
  describe.skipIf(why)(`podman, ${who}${why}`, () => {
    escapes(engine as TestEngine, user);
  });
}

function escapes(engine: TestEngine, user: string | undefined): void {
  let outside: string;
  let workspace: string;
  let sandbox: Sandbox;
  let server: Server;
  let local: Server;
  let port: number;

  beforeAll(async () => {
    outside = mkdtempSync(join(tmpdir(), 'hermes-outside-'));
    chmodSync(outside, 0o755);
    workspace = join(outside, 'workspace');
    mkdirSync(join(workspace, 'home'), { recursive: true });
    writeFileSync(join(outside, 'secret'), SECRET);
    writeFileSync(join(workspace, 'home', 'keys'), SECRET);
    writeFileSync(join(workspace, 'one-key'), SECRET);
    for (const path of [workspace, join(workspace, 'home')])
      chownSync(path, user ? 0 : NOBODY, user ? 0 : NOBODY);
    server = createServer((socket) => socket.end('reached'));
    local = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => local.listen(join(outside, 'socket'), resolve));
    port = (server.address() as { port: number }).port;
    sandbox = await podman.open(podman.options.parse({ image: engine.image, ...(user ? { user } : {}) }), {
      name: 'escape',
      workspace,
      hidden: [join(workspace, 'home'), join(workspace, 'one-key'), outside],
      limits: { memoryMb: 96, processes: 48, cpuSeconds: 10 },
      program: () => engine.program,
      key: () => undefined,
      log: keptLog(),
    });
  });

  afterAll(async () => {
    await sandbox?.close();
    server?.close();
    local?.close();
    rmSync(outside, { recursive: true, force: true });
  });

  it('writes nowhere but into the workspace and /tmp', async () => {
    const { stdout } = await run(
      sandbox,
      'for f in /escape /usr/bin/escape /etc/passwd /proc/sys/kernel/core_pattern /sys/escape; do (echo x > $f) 2>/dev/null && echo "wrote $f"; done; echo in > inside; echo t > /tmp/t && echo done',
    );
    expect(stdout).toBe('done\n');
    expect(readFileSync(join(workspace, 'inside'), 'utf8')).toBe('in\n');
  });

  it('reads no secret: not by its path, not through /proc, not where it lies inside the workspace', async () => {
    const paths = [outside, `/proc/self/root${outside}`, `/proc/1/root${outside}`, `/proc/2/cwd/..`].map(
      (path) => `${path}/secret`,
    );
    const end = await run(
      sandbox,
      `cat ${paths.join(' ')} home/keys one-key /etc/shadow 2>/dev/null; cat /proc/*/environ | tr "\\0" "\\n" | grep -c "[H]ERMES_HOME"`,
    );
    expect(end.stdout).not.toContain(SECRET);
    expect(end.stdout.trim()).toBe('0');
  });

  it('follows a link only inside', async () => {
    await run(sandbox, `ln -sfn ${outside}/secret link; ln -sfn ${outside} folder`);
    await expect(sandbox.readFile('/workspace/link')).rejects.toMatchObject({
      record: { code: 'tool.failed' },
    });
    await expect(sandbox.readFile('/workspace/folder/secret')).rejects.toMatchObject({
      record: { code: 'tool.failed' },
    });
    await sandbox.writeFile('/workspace/link', Buffer.from('overwritten')).catch(() => undefined);
    await sandbox.writeFile('/workspace/../../escape', Buffer.from('x')).catch(() => undefined);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe(SECRET);
  });

  it('reaches no network and no socket of this machine', async () => {
    const end = await run(
      sandbox,
      `(exec 3<>/dev/tcp/127.0.0.1/${port} && head -c 7 <&3) 2>/dev/null; test -e ${outside}/socket && echo seen; grep -c hermes-outside /proc/net/unix; sed 1,2d /proc/net/dev | grep -vc lo:`,
    );
    expect(end.stdout).toBe('0\n0\n');
  });

  it('has no privileges and gains none', async () => {
    const end = await run(
      sandbox,
      'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\t"; mount -t tmpfs none /tmp 2>/dev/null && echo mounted; kill -9 1; ls /proc/1 > /dev/null && echo alive',
    );
    expect(end.stdout.split('\n')).toEqual([
      user ? '0' : String(NOBODY),
      ...['CapEff:0000000000000000', 'CapBnd:0000000000000000', 'NoNewPrivs:1', 'Seccomp:2', 'alive', ''],
    ]);
  });

  // Whose processes they are makes no difference inside; who holds their number does.
  if (user) return;

  it('survives a fork bomb', async () => {
    const end = await run(sandbox, 'bomb() { bomb | bomb & }; bomb; sleep 30', { timeoutMs: 1_000 });
    expect(end.stopped).toMatch(/^(time|lost)$/);
    const after = await run(sandbox, 'ls -d /proc/[0-9]* | wc -l');
    expect(Number(after.stdout)).toBeLessThan(12);
  });

  if (engine === asOrdinary) return;

  it('kills what has cleared its environment and left its family', async () => {
    const beat = `env -i setsid sh -c '(while :; do echo x >> beat; sleep 0.02; done > /dev/null 2>&1 &)'`;
    const end = await run(sandbox, `${beat}; until [ -s beat ]; do sleep 0.02; done; sleep 30`, {
      timeoutMs: 800,
    });
    expect(end.stopped).toBe('time');
    expect((await run(sandbox, 'ps -eo args | grep -c "[b]eat"')).stdout).toBe('0\n');
  });

  it('kills what is left when the shell above the command was killed', async () => {
    const end = await run(sandbox, 'setsid sleep 77 > /dev/null 2>&1 & kill -9 $PPID; sleep 30');
    expect(end.code).not.toBe(0);
    expect((await run(sandbox, 'ps -eo comm,args | grep -c "^sleep .*77"')).stdout).toBe('0\n');
  });

  it('leaves the other commands of the conversation alone', async () => {
    const signal = new AbortController().signal;
    const spec = { timeoutMs: 20_000, maxOutputBytes: 10_000 };
    const other = await sandbox.start(
      {
        ...spec,
        command: '(setsid sleep 66 &); sleep 0.2; read -r x; ps -eo comm,args | grep -c "^sleep .*66"',
        input: 'open',
      },
      signal,
    );
    await run(sandbox, 'sleep 30', { timeoutMs: 600 });
    await other.write('go\n');
    let text = '';
    for await (const chunk of other.output) text += chunk.text;
    expect(text).toBe('1\n');
  });

  it('tells of a container that went away in the middle, and makes a new one', async () => {
    const spec = { command: 'echo begun; sleep 30', timeoutMs: 20_000, maxOutputBytes: 10_000 };
    const running = await sandbox.start(spec, new AbortController().signal);
    for await (const { text } of running.output) if (text.includes('begun')) engine.removeContainers();
    expect(await running.ended).toMatchObject({ code: null, stopped: 'lost' });
    expect(await run(sandbox, 'cat inside')).toMatchObject({ stdout: 'in\n', code: 0 });
  });

  it('drops a flood of output', async () => {
    const end = await run(sandbox, 'cat /dev/zero', { maxOutputBytes: 100_000 });
    expect(end.stopped).toBe('output');
    expect(end.stdout.length).toBe(100_000);
  });
}
