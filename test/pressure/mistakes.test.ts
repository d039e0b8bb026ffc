import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hermes, makeHome } from '../cli/hermes.ts';

const DEFECT = /Hermes made a mistake|^\s+at /m;

describe('a damaged file', () => {
  it.each([
    ['ledger.db', ['audit'], /audit log.*ledger\.db\*?[^]*mv '.*ledger\.db'\*/],
    ['memory.db', ['memory', 'list'], /memory\.db[^]*mv '.*memory\.db'\*/],
    ['incidents.db', ['incident', 'list'], /incidents\.db[^]*hermes incident import/],
    ['flows.db', ['serve', '--port', '0'], /flows\.db[^]*hermes incident list/],
    ['learning.db', ['learn'], /learning\.db[^]*mv '.*learning\.db'\*/],
    ['state.db', ['sessions', 'list'], /state\.db[^]*hermes sessions repair/],
  ])(
    '%s is called by its name, with the way to mend it',
    async (file, command, words) => {
      const home = await makeHome();
      await writeFile(join(home, file), randomBytes(8_192));
      const { code, err } = await hermes(home, command);
      expect(err).toMatch(words);
      expect(err).not.toMatch(DEFECT);
      expect(code).toBe(6);
    },
    60_000,
  );
});

describe('a mistake of a person is a sentence', () => {
  it('on a port that is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    const home = await makeHome();
    for (const command of [['serve'], ['serve', '--daemon'], ['testkit', 'model-server']]) {
      const { code, err } = await hermes(home, [...command, '--port', String(port)]);
      expect(err).toMatch(/[Ss]omething else listens/);
      expect(err).not.toMatch(DEFECT);
      expect([command, code]).toEqual([command, 2]);
    }
  }, 90_000);

  it.each([
    [['incident', 'import', '/there/is/nothing'], /There is no \/there/],
    [['sessions', 'list', '--limit', 'abc'], /--limit takes a whole number/],
    [['config', 'set', 'llm.provider', 'opnai'], /did you mean 'openai'/],
  ])(
    '%s',
    async (command, words) => {
      const { code, err } = await hermes(await makeHome(), command);
      expect(err).toMatch(words);
      expect(err).not.toMatch(DEFECT);
      expect(code).toBe(2);
    },
    60_000,
  );

  it('tells denied, a missing model and a refused address on this machine apart', async () => {
    const home = await makeHome();
    expect(await hermes(home, ['run', '!rm -rf /etc'])).toMatchObject({ code: 4 });
    expect(await hermes(home, ['run', 'write a poem about the sea'])).toMatchObject({ code: 5 });
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as { port: number };
    free.close();
    await once(free, 'close');
    const env = {
      HERMES_BASE_URL: `http://127.0.0.1:${port}/v1`,
      HERMES_API_KEY: 'demo',
      HERMES_MODEL: 'demo',
    };
    const { code, err } = await hermes(home, ['run', 'hello'], { env });
    expect(err).toContain('ECONNREFUSED');
    expect(err).not.toMatch(/trying again|attempts/);
    expect(code).toBe(1);
  }, 90_000);
});
