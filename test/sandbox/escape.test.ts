import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBackends } from '#adapters/sandboxes';
import type { Sandbox } from '#spec/ports';
import { findProgram, run, type TemporaryPlace, temporaryPlace } from '#testkit/sandbox';
import { ATTEMPTS } from './attempts.ts';

const isRoot = process.getuid?.() === 0;
const isThere = findProgram('bwrap') !== undefined && findProgram('python3') !== undefined;
const SECRET = 'the-secret-of-the-host';
const ORDINARY = 31_415;

/** As whom the commands run: root of this machine stripped of everything, or somebody who never was root. */
const CASES = [
  { who: 'root', owner: 0, possible: isRoot },
  { who: 'an ordinary user', owner: isRoot ? ORDINARY : (process.getuid?.() ?? 0), possible: true },
];

for (const { who, owner, possible } of CASES) {
  const reason = possible ? 'bwrap or python3 is missing' : 'needs root';
  describe.skipIf(!isThere || !possible)(`bubblewrap as ${who} (skipped where ${reason})`, () => {
    let outer: TemporaryPlace;
    let sandbox: Sandbox;
    let workspace: string;
    let close: () => Promise<void>;
    const attempt = (command: string, change = {}) => run(sandbox, command, { timeoutMs: 10_000, ...change });

    beforeAll(async () => {
      outer = await temporaryPlace();
      const root = outer.place.workspace;
      workspace = join(root, 'project');
      for (const folder of ['project/.git/hooks', 'project/.hermes', 'project/.config/gcloud', 'outside']) {
        mkdirSync(join(root, folder), { recursive: true });
      }
      for (const file of ['outside/secret', 'project/.hermes/.env', 'project/.config/gcloud/token']) {
        writeFileSync(join(root, file), SECRET);
      }
      writeFileSync(join(workspace, '.git/config'), '[core]\n');
      chmodSync(root, 0o755);
      if (isRoot) execFileSync('chown', ['-R', `${owner}:${owner}`, root]);
      if (isRoot) chownSync(root, owner, owner);
      const place = { ...outer.place, workspace, hidden: [join(workspace, '.hermes')] };
      const backends = openBackends(
        { entries: [], default: 'bubblewrap' },
        { ...place, env: { ...process.env, HOME: workspace } },
      );
      sandbox = await backends.sandbox();
      close = () => backends.close();
    });
    afterAll(async () => {
      await close?.();
      await outer.close();
    });

    it('has no capability, cannot gain one, and is not root', async () => {
      const { stdout } = await attempt('id -u; grep -E "^(Cap|NoNewPrivs|Seccomp:)" /proc/self/status');
      const [uid, ...lines] = stdout.trim().split('\n');
      expect(Number(uid)).not.toBe(0);
      expect(lines.filter((line) => line.startsWith('Cap'))).toHaveLength(5);
      for (const line of lines.filter((found) => found.startsWith('Cap'))) expect(line).toMatch(/\t0{16}$/);
      expect(stdout).toMatch(/NoNewPrivs:\t1/);
      expect(stdout).toMatch(/Seccomp:\t2/);
    });

    it.each(ATTEMPTS)('$what', async ({ command, input }) => {
      const end = await attempt(command(workspace), input ? { input } : {});
      expect(end.stdout).toContain('tried');
      expect(end.stdout + end.stderr).not.toMatch(/ESCAPED/);
      expect(end.stdout + end.stderr).not.toContain(SECRET);
      expect(existsSync('/etc/hermes-escape')).toBe(false);
      expect(readFileSync(join(outer.place.workspace, 'outside/secret'), 'utf8')).toBe(SECRET);
      expect(readFileSync(join(workspace, '.git/config'), 'utf8')).toBe('[core]\n');
      expect(existsSync(join(workspace, '.git/hooks/pre-commit'))).toBe(false);
    });

    it('does not follow a link that a command laid, when files go in and out', async () => {
      const outside = join(outer.place.workspace, 'outside');
      await attempt(`ln -sfn ${outside} link; ln -sf ${outside}/secret secret`);
      await expect(sandbox.readFile(`${workspace}/link/secret`)).rejects.toMatchObject({
        record: { code: 'tool.failed' },
      });
      await expect(sandbox.readFile(`${workspace}/secret`)).rejects.toMatchObject({
        record: { code: 'tool.failed' },
      });
      await sandbox.writeFile(`${workspace}/link/secret`, Buffer.from('x')).catch(() => undefined);
      await sandbox.writeFile(`${workspace}/secret`, Buffer.from('x')).catch(() => undefined);
      expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe(SECRET);
    });

    it('cannot reach a server of this machine', async () => {
      const server = createServer((socket) => socket.end('ESCAPED'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      const end = await attempt(`(exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5); echo tried`);
      expect(end.stdout).toBe('tried\n');
      server.close();
    });

    it('keeps covered what is hidden, whatever is renamed around it', async () => {
      const end = await attempt(
        'mv .config moved; cat .config/gcloud/token moved/gcloud/token; ls -A .hermes; echo tried',
      );
      expect(end.stdout).toBe('tried\n');
      const next = await attempt('cat .config/gcloud/token moved/gcloud/token .hermes/.env; echo tried');
      expect(next.stdout).toBe('tried\n');
    });

    it('survives a fork bomb', async () => {
      const end = await attempt('bomb() { bomb | bomb & }; bomb; sleep 30', { timeoutMs: 3_000 });
      expect(end.stopped).toMatch(/^(time|memory)$/);
      expect((await attempt('echo fine')).stdout).toBe('fine\n');
    }, 90_000);

    it('survives a flood of output on every descriptor', async () => {
      const end = await attempt(
        'for fd in /proc/self/fd/*; do (yes flood >&"${fd##*/}" &) 2>/dev/null; done; yes',
        {
          maxOutputBytes: 100_000,
        },
      );
      expect(end.stopped).toBe('output');
      expect((await attempt('echo fine')).stdout).toBe('fine\n');
    });

    it('leaves no process behind', async () => {
      const mark = `4${Date.now() % 100_000}`;
      const end = await attempt(
        `(setsid env -i sleep ${mark} >/dev/null 2>&1 &); (nohup sleep ${mark} >/dev/null 2>&1 &); exit 0`,
      );
      expect(end.code).toBe(0);
      const listed = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
      expect(listed).not.toContain(`sleep ${mark}`);
    });
  });
}
