import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { makeWorkplace, turn } from '../agent/workplace.ts';

/** Somebody cuts lines out of the audit log: from then on nothing is done that would leave one. */

const hasBubblewrap = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'bwrap')));
const BACKENDS = ['local', ...(hasBubblewrap ? ['bubblewrap'] : [])];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: { rules: [], fallback: { text: 'x' } } });
});
afterAll(() => server.close());

describe.each(BACKENDS)('on %s', (backend) => {
  it('is refused and recorded, before and after a restart, until a person accepts it', async () => {
    const place = await makeWorkplace(server, 'chat_completions');
    await writeFile(
      join(place.home, 'backends.yaml'),
      `default: box\nbackends:\n- {name: box, type: ${backend}}\n`,
    );
    /** Has the model write a file, as a new process. */
    const write = async (name: string) => {
      const host = await place.open();
      try {
        server.reset();
        const toolCalls = [{ name: 'write_file', arguments: JSON.stringify({ path: name, content: name }) }];
        server.script({
          rules: [{ when: { contains: 'do it' }, times: 1, reply: { toolCalls } }],
          fallback: { text: 'over' },
        });
        const events = await turn(await place.talk(host), 'do it');
        const end = events.find((event) => event.type === 'tool.ended');
        const { audit } = await host.gate();
        return {
          failed: end?.type === 'tool.ended' && end.data.isError,
          told: JSON.stringify(server.requests.at(-1)),
          done: existsSync(join(place.cwd, name)),
          found: await audit.verify(),
        };
      } finally {
        await host.close();
      }
    };
    try {
      expect(await write('one.txt')).toMatchObject({ done: true, found: { sound: true } });
      await write('two.txt');
      const file = join(place.home, 'ledger.db');
      const head = await readFile(`${file}.head`, 'utf8');
      const raw = new Sqlite(file);
      raw.exec('DROP TRIGGER audit_is_not_cut; DELETE FROM audit WHERE seq = (SELECT max(seq) FROM audit)');
      raw.close();
      for (const name of ['three.txt', 'four.txt']) {
        const { told, ...rest } = await write(name);
        expect(rest).toMatchObject({ failed: true, done: false, found: { sound: false } });
        expect(told).toMatch(/The audit log is broken: line \d+ was cut off\. Nothing was done/);
        expect(told).toContain('hermes audit accept');
      }
      expect(await readFile(`${file}.head`, 'utf8')).toBe(head);

      const host = await place.open();
      const { audit } = await host.gate();
      const requester = {
        caller: 'chat',
        platform: 'cli',
        profile: 'default',
        session: 's',
        user: 'ann',
      } as const;
      await audit.accept(requester, 'a test');
      await host.close();
      expect(await write('five.txt')).toMatchObject({
        done: true,
        found: { sound: true, breaks: [{ reason: 'a test' }] },
      });
    } finally {
      await place.remove();
    }
  }, 120_000);
});
