import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHistory } from './history-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-history-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fail = (error: unknown) => {
  throw error;
};

describe('openHistory', () => {
  it('keeps what was typed for the next time, the newest first', async () => {
    const path = join(folder, 'deep', 'one');
    const first = await openHistory(path, fail);
    await first.add('one');
    await first.add('two\nlines');
    await first.add('two\nlines');
    await first.add('  ');
    expect((await openHistory(path, fail)).entries).toEqual(['two\nlines', 'one']);
  });

  it('takes what several programs append', async () => {
    const path = join(folder, 'shared');
    const [a, b] = [await openHistory(path, fail), await openHistory(path, fail)];
    await Promise.all([a.add('from a'), b.add('from b')]);
    expect(new Set((await openHistory(path, fail)).entries)).toEqual(new Set(['from a', 'from b']));
  });

  it('keeps the last thousand, and the file within twice that', async () => {
    const path = join(folder, 'many');
    const lines = Array.from({ length: 2_000 }, (_, i) => JSON.stringify(`entry ${i}`));
    await writeFile(path, `${lines.join('\n')}\n`);
    const history = await openHistory(path, fail);
    expect(history.entries).toHaveLength(1_000);
    await history.add('newest');
    expect(history.entries).toHaveLength(1_000);
    const stored = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(stored).toHaveLength(1_000);
    expect(stored.at(-1)).toBe('"newest"');
  });

  it('reads past a line that was cut, and leaves controls out', async () => {
    const path = join(folder, 'cut');
    await writeFile(path, '"good"\n"inert\\u001b[2J"\n"half');
    expect((await openHistory(path, fail)).entries).toEqual(['inert[2J', 'good']);
  });

  it('goes on without a file, and says once why', async () => {
    const problems: unknown[] = [];
    const history = await openHistory(folder, (error) => problems.push(error));
    await history.add('one');
    await history.add('two');
    expect(history.entries).toEqual(['two', 'one']);
    expect(problems).toHaveLength(2);
  });
});
