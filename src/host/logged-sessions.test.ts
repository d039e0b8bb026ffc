import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { LogRecord } from '#spec/data';
import { openHost } from './open-host.ts';

it('tells what happens in a session under its id, and none of its words', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logged-sessions-'));
  const env = { HERMES_HOME: folder, HOME: folder, PATH: process.env['PATH'] };
  const host = await openHost({ env, version: '0' });
  onTestFinished(async () => {
    await host.close();
    await rm(folder, { recursive: true });
  });
  const conversation = await host.conversation({ cwd: folder, language: 'en', platform: 'cli' });
  const { signal } = new AbortController();
  await conversation.send([{ type: 'text', text: 'my aunt Margarethe lives in Ulm' }], signal).result();
  await host.log.written();
  const text = await readFile(join(folder, 'logs', 'hermes.log'), 'utf8');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LogRecord);
  const { id } = conversation.session;
  const mine = lines.filter(({ session }) => session === id).map(({ event }) => event);
  expect(mine).toEqual(expect.arrayContaining(['turn.started', 'turn.ended']));
  expect(lines.find(({ event }) => event === 'turn.ended')).toMatchObject({ status: 'done', turn: 1 });
  expect(text).not.toMatch(/Margarethe|Ulm/);
});
