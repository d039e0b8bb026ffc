import { asText } from '#kit/text';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '#host';
import { serveHome } from '#server';
import type { Action, AuditEntry, Requester } from '#spec/data';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { makeWorkplace, turn, type Workplace } from '../agent/workplace.ts';

/**
 * A command that has got past the gate, because somebody agreed to a script without reading it: it must not agree to
 * anything itself, nor change Hermes, however it hides where it comes from.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const KEYS = 'keys.txt';
const SECRET = 'hunter2-kept-in-the-home';
const TOKEN = 'the-token-that-lies-in-the-home';
const TARGET = 'apr_target';
const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));

let server: ModelServer;
let place: Workplace;
let host: Host;
beforeAll(async () => {
  server = await startModelServer({ script: { rules: [], fallback: { text: 'x' } } });
});
afterAll(() => server.close());
beforeEach(async () => {
  place = await makeWorkplace(server, 'chat_completions');
  await writeFile(join(place.home, '.env'), `RUNBOOK_API_TOKEN=${TOKEN}\n`);
  // One that nobody redacts, so that it is seen where it gets.
  await writeFile(join(place.home, KEYS), `${SECRET}\n`);
  await appendFile(join(place.home, 'config.yaml'), 'server: { port: 0 }\n');
  return async () => {
    await host?.close();
    await place.remove();
  };
});

const BACKENDS = [
  ['local', true],
  ['bubblewrap', hasProgram('bwrap')],
] as const;

const action: Action = { tool: 'terminal', level: 3, input: {}, shown: 'systemctl stop payments' };
const requester: Requester = {
  caller: 'chat',
  platform: 'cli',
  profile: 'default',
  session: 'ses_1',
  user: 'somebody',
};

async function begin(backend: string) {
  await writeFile(join(place.home, 'backends.yaml'), `default: ${backend}\n`);
  host = await place.open();
  const gate = await host.gate();
  await gate.ask({
    id: TARGET,
    action,
    requester,
    reasons: [asText('It is sensitive.')],
    separate: false,
    waitMs: 600_000,
  });
  return { gate, conversation: await place.talk(host) };
}

let attempts = 0;

/** Has the model run a command, and gives what it was told. `agrees`: what the person says when asked. */
async function attempt(
  { conversation }: Awaited<ReturnType<typeof begin>>,
  command: string,
  agrees: boolean,
): Promise<string> {
  conversation.onAsk(async (_, [no, once]) => (agrees ? once : no));
  const call = { name: 'terminal', arguments: JSON.stringify({ command }) };
  // A look back at earlier turns asks the model too: it must not get the call.
  const words = `do it <${++attempts}>`;
  server.reset();
  server.script({
    rules: [{ when: { contains: words }, times: 1, reply: { toolCalls: [call] } }],
    fallback: { text: 'over' },
  });
  await turn(conversation, words);
  const told = JSON.stringify(
    server.requests.findLast((request) => JSON.stringify(request).includes(`<${attempts}>`)),
  );
  return told.slice(told.lastIndexOf('"role":"tool"'));
}

/** Calls `hermes` of this home, in ways that leave behind where a process comes from. Each prints how it ended. */
function selfApproval(): string {
  const main = join(ROOT, 'src', 'cli', 'main.ts');
  const env = `HERMES_HOME=${place.home} NO_COLOR=1 NODE_COMPILE_CACHE=${join(place.home, '..', 'cache')}`;
  const hermes = (words: string) => `env ${env} ${process.execPath} ${main} ${words}`;
  const approve = hermes(`approvals approve ${TARGET}`);
  const ways: Readonly<Record<string, string>> = {
    plain: approve,
    clean: `env -i PATH="$PATH" ${approve}`,
    session: `setsid -w ${approve}`,
    forks: `( ( ${approve}; echo $? > ended ) & ) ; until [ -s ended ]; do sleep 0.1; done; exit $(cat ended)`,
    detached: `setsid -f env -i PATH="$PATH" sh -c '${approve}; echo $? > gone'; until [ -s gone ]; do sleep 0.1; done; exit $(cat gone)`,
    lowered: `ulimit -x 7; ${approve}`,
    'whole session': hermes(`approvals approve ${TARGET} --reach always`),
    policy: hermes('config set gate.ask_from 3'),
    people: hermes('users add mallory --role admin'),
    chat: hermes(`run "/approve ${TARGET}"`),
    ...(hasProgram('script')
      ? {
          terminal: `script -qec '${approve}' /dev/null`,
          'detached terminal': `setsid -w env -i PATH="$PATH" script -qec '${approve}' /dev/null`,
        }
      : {}),
    ...(hasProgram('unshare') ? { namespace: `unshare -Urpf --mount-proc ${approve}` } : {}),
  };
  return Object.entries(ways)
    .map(([name, way]) => `( ${way} ); echo "[${name}: $?]"`)
    .join('\n');
}

const firstLine = (shown: unknown) => (typeof shown === 'string' ? shown.split('\n')[0] : '');
const kinds = (entries: readonly AuditEntry[]) => entries.map(({ kind }) => kind);

describe.each(BACKENDS)('on %s', (backend, there) => {
  describe.skipIf(!there)('(skipped where it is missing)', () => {
    it('a script that somebody agreed to agrees to nothing itself', async () => {
      const started = await begin(backend);
      await writeFile(join(place.cwd, 'attack.sh'), selfApproval());
      const told = await attempt(started, 'bash attack.sh', true);
      const ended = [...told.matchAll(/\[([a-z ]+): (\d+)\]/g)].map(([, name, code]) => [name, code]);
      expect(ended.length, told).toBeGreaterThanOrEqual(10);
      expect(ended.filter(([, code]) => code === '0')).toEqual([]);
      expect((await started.gate.approvals.get(TARGET))?.state).toBe('pending');
      expect(existsSync(join(place.home, 'users.yaml'))).toBe(false);
      const log = await started.gate.audit.last(100);
      // Where the home can be reached, each attempt is written down; elsewhere what ran is.
      if (backend === 'local')
        expect(kinds(log).filter((kind) => kind === 'cli.refused').length).toBeGreaterThanOrEqual(10);
      expect(log.filter(({ data }) => data['approval'] === TARGET && data['by'] !== undefined)).toEqual([]);
      expect(JSON.stringify(log)).toContain('attack.sh');
      expect(await started.gate.audit.verify()).toMatchObject({ sound: true });
    }, 240_000);

    it('nothing agrees over HTTP with what it has read from the home', async () => {
      const started = await begin(backend);
      const served = await serveHome(host);
      onTestFinished(() => served.close());
      const script = `
        const send = async (path, headers, body) => {
          const answer = await fetch(${JSON.stringify(served.url)} + path, {
            method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body ?? {}),
          }).catch((error) => ({ status: 'none', headers: new Headers(), json: async () => ({}) }));
          console.log('[' + path + ': ' + answer.status + ']');
          return answer;
        };
        const bearer = { authorization: 'Bearer ${TOKEN}' };
        await send('/api/requests/${TARGET}/approve', bearer);
        await send('/api/session/code', bearer);
        const signed = await send('/api/session', {}, { token: '${TOKEN}' });
        const { csrf = '' } = await signed.json();
        const cookie = (signed.headers.get('set-cookie') ?? '').split(';')[0];
        await send('/api/requests/${TARGET}/approve', { cookie, 'x-csrf-token': csrf });`;
      await writeFile(join(place.cwd, 'attack.mjs'), script);
      const told = await attempt(started, `${process.execPath} attack.mjs`, true);
      expect(told).not.toMatch(/: 2\d\d\]/);
      expect((await started.gate.approvals.get(TARGET))?.state).toBe('pending');
      if (backend !== 'local') return;
      expect([...told.matchAll(/: (\d+)\]/g)].map(([, status]) => status)).toEqual([
        '403',
        '403',
        '403',
        '401',
      ]);
      const refused = (await started.gate.audit.last(50)).filter(({ kind }) => kind === 'approval.refused');
      expect(refused.map(({ data }) => data['approval'])).toContain(TARGET);
      // The same token in the hands of anybody else shows no person either.
      const answer = await fetch(`${served.url}/api/requests/${TARGET}/approve`, {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      expect(answer.status).toBe(403);
    }, 120_000);

    it('no command reads the keys of the home', async () => {
      const started = await begin(backend);
      const keys = join(place.home, KEYS);
      await writeFile(join(place.cwd, 'read.sh'), `#!/bin/sh\ncat ${keys}\n`, { mode: 0o755 });
      await symlink(place.home, join(place.cwd, 'elsewhere'));
      const [half, other] = [keys.slice(0, -4), keys.slice(-4)];
      const commands = [
        `cat ${keys}`,
        `sed -n '1ecat ${keys}' notes.txt`,
        `sed -n '1e cat ${keys}' notes.txt`,
        `sed -n '1esh read.sh' notes.txt`,
        `sed -n '1e sh read.sh' notes.txt`,
        `sed -n -e '1{esh read.sh' -e '}' notes.txt`,
        `sed -n '$!d;s/.*/sh read.sh/ep' notes.txt`,
        `sed -n -e 1e -e p read.sh`,
        `sed -n 's/.*/cat ..\\/home\\/keys.txt/e;p' notes.txt`,
        `sed -n '1r ../home/keys.txt' notes.txt`,
        'cat elsewhere/keys.txt',
        `python3 -c "print(open('${half}' + '${other}').read())"`,
        `python3 -c "import os; print(open(os.listdir('..')[0]).read())"`,
        `node -e "console.log(require('fs').readFileSync('../home/ke' + 'ys.txt', 'utf8'))"`,
        `awk 'BEGIN { f = "../ho" "me/keys.txt"; while ((getline line < f) > 0) print line }'`,
        `awk 'BEGIN { ARGV[1] = "../ho" "me/keys.txt"; ARGC = 2 } { print }'`,
        'bash read.sh',
        './read.sh',
        '. ./read.sh',
        'sh < read.sh',
        'cat ../home/keys.txt',
        'cat ../*/keys.txt',
        'cd .. && cat home/keys.txt',
        'grep -r hunter2 ..',
        'find .. -name keys.txt -exec cat {} +',
      ];
      const before = (await started.gate.audit.last(1))[0]?.seq ?? 0;
      const read: string[] = [];
      for (const command of commands)
        if ((await attempt(started, command, false)).includes(SECRET)) read.push(command);
      expect(read).toEqual([]);
      const lines = await started.gate.audit.read(before, 1_000);
      const told = new Set(lines.map(({ data }) => firstLine(data['shown'])));
      // A line for each of them where nothing else holds them: refused, or asked and not agreed to.
      if (backend === 'local') {
        expect(commands.filter((command) => !told.has(command))).toEqual([]);
        expect(lines.filter(({ kind }) => kind === 'action.allowed')).toEqual([]);
      }
    }, 120_000);
  });
});

it('on a bare machine writes down what only reads, too', async () => {
  const started = await begin('local');
  await attempt(started, 'cat notes.txt', false);
  const allowed = (await started.gate.audit.last(20)).filter(({ kind }) => kind === 'action.allowed');
  expect(allowed.map(({ data }) => [data['level'], firstLine(data['shown'])])).toEqual([
    [0, 'cat notes.txt'],
  ]);
});

it('leaves the ledger and the settings of the home as they were', async () => {
  const started = await begin('local');
  const before = await readFile(join(place.home, 'config.yaml'), 'utf8');
  await attempt(
    started,
    `${process.execPath} ${join(ROOT, 'src/cli/main.ts')} config set gate.ask_from 3`,
    false,
  );
  expect(await readFile(join(place.home, 'config.yaml'), 'utf8')).toBe(before);
});

describe('a person', () => {
  const line = () => {
    const env = `HERMES_HOME=${place.home} HOME=${place.home} NO_COLOR=1`;
    return `env -i PATH="${process.env.PATH}" ${env} ${process.execPath} ${join(ROOT, 'src', 'cli', 'main.ts')} approvals`;
  };
  const run = (command: string) =>
    new Promise<{ code: number; said: string }>((resolve) => {
      execFile('sh', ['-c', `exec setsid -w ${command}`], (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + err }),
      );
    });

  it.skipIf(!hasProgram('script'))(
    'agrees at a terminal (skipped where script is missing)',
    async () => {
      const { gate } = await begin('local');
      const { code, said } = await run(`script -qec '${line()} approve ${TARGET}' /dev/null`);
      expect(code, said).toBe(0);
      expect(await gate.approvals.get(TARGET)).toMatchObject({
        state: 'granted',
        decidedBy: { channel: 'terminal' },
      });
    },
    60_000,
  );

  it('is not what has no terminal: a job, a service', async () => {
    const { gate } = await begin('local');
    const { code, said } = await run(`${line()} approve ${TARGET}`);
    expect(code).not.toBe(0);
    expect(said).toContain('has no terminal');
    expect((await gate.approvals.get(TARGET))?.state).toBe('pending');
    const [last] = await gate.audit.last(1);
    expect(last).toMatchObject({ kind: 'approval.refused', data: { approval: TARGET } });
    // To refuse needs no proof.
    expect((await run(`${line()} deny ${TARGET}`)).code).toBe(0);
    expect((await gate.approvals.get(TARGET))?.state).toBe('denied');
  }, 60_000);
});
