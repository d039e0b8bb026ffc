import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { makeWorkplace, turn, type Workplace } from '../agent/workplace.ts';

/** Only a person goes on after a break of the audit log; whatever else tries it is refused and written down. */

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
const hasScript = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'script')));

let server: ModelServer;
let place: Workplace;
beforeAll(async () => {
  server = await startModelServer({ script: { rules: [], fallback: { text: 'x' } } });
});
afterAll(() => server.close());
beforeEach(async () => {
  place = await makeWorkplace(server, 'chat_completions');
  await writeFile(join(place.home, 'backends.yaml'), 'default: local\n');
  return () => place.remove();
});

const accept = () =>
  `env -i PATH="${process.env.PATH}" HERMES_HOME=${place.home} HOME=${place.home} NO_COLOR=1 ${process.execPath} ${MAIN} audit accept --reason restored`;

/** Runs a line as a session of its own, which comes from nothing that Hermes ran. */
const run = (line: string) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    execFile('sh', ['-c', `exec setsid -w ${line}`], (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + err }),
    );
  });

/** Has the model run a command that the person agrees to, as a process of its own. */
async function agreedTo(command: string): Promise<string> {
  const host = await place.open();
  try {
    const conversation = await place.talk(host);
    conversation.onAsk(async (_, [, once]) => once);
    server.reset();
    const call = { name: 'terminal', arguments: JSON.stringify({ command }) };
    server.script({
      rules: [{ when: { contains: 'do it' }, times: 1, reply: { toolCalls: [call] } }],
      fallback: { text: 'over' },
    });
    await turn(conversation, 'do it');
    return JSON.stringify(server.requests.at(-1));
  } finally {
    await host.close();
  }
}

const look = async () => {
  const host = await place.open();
  try {
    const { audit } = await host.gate();
    return { verdict: await audit.verify(), last: await audit.last(20) };
  } finally {
    await host.close();
  }
};

const ledger = () => join(place.home, 'ledger.db');
const marks = () => {
  const raw = new Sqlite(ledger());
  try {
    return raw.prepare<[], string>('SELECT problem FROM audit_marks ORDER BY n').pluck().all();
  } finally {
    raw.close();
  }
};
function cut(): void {
  const raw = new Sqlite(ledger());
  raw.exec('DROP TRIGGER audit_is_not_cut; DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)');
  raw.close();
}

it('is refused to what has no terminal, and that is kept beside the break', async () => {
  await agreedTo('true > one.txt');
  cut();
  for (const _ of [1, 2]) {
    const { code, said } = await run(`${accept()} < /dev/null`);
    expect(code).not.toBe(0);
    expect(said).toContain('has no terminal');
  }
  expect((await look()).verdict).toMatchObject({ sound: false });
  expect(marks()).toEqual([
    expect.stringContaining('was cut off'),
    expect.stringMatching(/^cli\.refused: hermes audit accept .*has no terminal/),
  ]);
}, 120_000);

it.skipIf(!hasScript)(
  'is refused to a command of Hermes that has made itself a terminal, also while it is being broken',
  async () => {
    await writeFile(
      join(place.cwd, 'attack.mjs'),
      `import Sqlite from ${JSON.stringify(import.meta.resolve('better-sqlite3'))};
      import { spawnSync } from 'node:child_process';
      const raw = new Sqlite(${JSON.stringify(ledger())});
      raw.exec('DROP TRIGGER audit_is_not_cut; DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)');
      raw.close();
      const line = ${JSON.stringify(`sleep 1; ${accept()}`)};
      const { status } = spawnSync('setsid', ['-w', 'script', '-qec', line, '/dev/null'], { input: 'accept\\r' });
      console.log('[ended: ' + status + ']');`,
    );
    const told = await agreedTo(`${process.execPath} attack.mjs`);
    expect(told).toMatch(/\[ended: [1-9]/);
    expect((await look()).verdict).toMatchObject({ sound: false });
    expect(marks().join('\n')).toContain('cli.refused: hermes audit accept');
  },
  120_000,
);

it.skipIf(!hasScript)(
  'is left to a person, and the line that accepts it tells who else has tried',
  async () => {
    await agreedTo('true > one.txt');
    cut();
    await run(`${accept()} < /dev/null`);
    // The word is typed when it is asked for, and the line stays open until it was heard.
    await writeFile(
      join(place.cwd, 'type.sh'),
      [
        'wait_for() { until grep -q "$1" typed 2>/dev/null; do sleep 0.1; done; }',
        `{ wait_for Type; printf 'accept\\r'; wait_for accepts; } | script -qefc 'stty cols 200; ${accept()}' typed`,
      ].join('\n'),
    );
    const { code, said } = await run(`timeout 60 sh -c 'cd ${place.cwd} && sh type.sh'`);
    expect(code, said).toBe(0);
    const { verdict, last } = await look();
    expect(verdict).toMatchObject({ sound: true, breaks: [{ reason: 'restored' }] });
    expect(last.at(-1)).toMatchObject({
      kind: 'audit.accepted',
      data: {
        marks: [{}, { problem: expect.stringContaining('cli.refused: hermes audit accept') as string }],
      },
    });
  },
  120_000,
);
