import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeChangesSource } from '#testkit/changes-contract';
import { telemetry } from './json-file.ts';

const FIRST = Date.parse('2026-05-01T10:00:00Z');
const SECOND = FIRST + 600_000;
const place = { key: () => undefined, folder: '', now: Date.now };
const history = [
  {
    id: 'dep-1',
    time: '2026-05-01T12:00:00+02:00',
    service: 'payment-service',
    kind: 'deploy',
    summary: 'Deploy v2 of payment-service',
    details: { from: 'v1', to: 'v2' },
  },
  {
    id: 'cfg-2',
    time: '2026-05-01T10:05:00Z',
    service: 'order-service',
    kind: 'config',
    summary: 'rate_limit_rps 200 to 20',
  },
  {
    id: 'dep-3',
    time: '2026-05-01T10:10:00Z',
    service: 'payment-service',
    kind: 'deploy',
    summary: 'Deploy v3 of payment-service',
    details: { from: 'v2', to: 'v3' },
  },
];
const registry = { fence: 1, applied: {}, services: { 'payment-service': { version: 'v3' } }, history };

async function written(content: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'changes-'));
  const path = join(folder, 'deploys.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return { path, remove: () => rm(folder, { recursive: true }) };
}

for (const [name, content] of [
  ['a deploy registry', registry],
  ['a list', history],
] as const) {
  describeChangesSource(`a file with ${name}`, false, async () => {
    const { path, remove } = await written(content);
    return {
      open: () => telemetry.open({ path }, place),
      service: 'payment-service',
      times: [FIRST, SECOND],
      others: 1,
      close: remove,
    };
  });
}

describe('changes of a file', () => {
  const scope = {
    window: { start: new Date(FIRST).toISOString(), end: new Date(SECOND).toISOString() },
    limit: 9,
  };
  const signal = new AbortController().signal;
  let files: Awaited<ReturnType<typeof written>>[];
  beforeAll(async () => {
    files = [
      await written('{"services":'),
      await written({ services: { pay: {} } }),
      await written([{ id: 'x' }]),
    ];
  });
  afterAll(async () => {
    for (const { remove } of files) await remove();
  });

  it('is read anew each time', async () => {
    const { path, remove } = await written([]);
    const { changes } = await telemetry.open({ path }, place);
    expect((await changes?.changes(scope, signal))?.items).toEqual([]);
    await writeFile(path, JSON.stringify(registry));
    expect((await changes?.changes(scope, signal))?.items).toHaveLength(3);
    await remove();
  });

  it('says what is wrong with it', async () => {
    for (const { path } of files) {
      const { changes } = await telemetry.open({ path }, place);
      await expect(changes?.changes(scope, signal)).rejects.toMatchObject({
        record: { code: 'backend.bad_response' },
      });
    }
    const { changes } = await telemetry.open({ path: '/nowhere/deploys.json' }, place);
    await expect(changes?.changes(scope, signal)).rejects.toMatchObject({
      record: { code: 'backend.unreachable' },
    });
  });
});
