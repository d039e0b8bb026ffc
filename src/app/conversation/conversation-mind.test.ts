import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { conversationMind } from './conversation-mind.ts';
import { localView } from '../terminal/find-session.ts';
import { openHost } from '#host';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** A home in which one file is not what it should be. */
async function damagedHome(file: string, text = 'no such thing') {
  const root = await mkdtemp(join(tmpdir(), 'hermes-damaged-'));
  folders.push(root);
  const home = join(root, 'home');
  await mkdir(join(home, 'skills'), { recursive: true });
  await writeFile(join(home, file), text.repeat(400));
  const host = await openHost({
    env: { HERMES_HOME: home, HOME: root, PATH: process.env.PATH },
    version: 'test',
  });
  const mind = conversationMind(host, {
    cwd: root,
    view: localView(),
    language: 'en',
    ask: () => undefined,
    runReview: async () => undefined,
    writeSummary: async () => undefined,
  });
  return { host, mind };
}

it.each([
  ['memory.db', 'memory.db: it is damaged', 'skill_view', 'memory'],
  ['learning.db', 'learning.db: it is damaged', 'memory', 'skill_view'],
  ['skills/hub.lock.json', 'hub.lock.json cannot be read', 'memory', 'skill_view'],
  ['memories', 'Cannot read', 'skill_view', 'none'],
])('talks on without what a damaged %s held, and says so', async (file, said, left, gone) => {
  const { host, mind } = await damagedHome(file);
  const names = (await mind.tools()).map(({ name }) => name);
  expect(names).toContain(left);
  expect(names).not.toContain(gone);
  const { notices } = await mind.prompt({ small: false });
  expect(notices.join('\n')).toContain(said);
  expect(notices.join('\n')).not.toContain('sessions repair');
  await mind.remind('is the disk of db-3 full?', 'ses_1', new AbortController().signal);
  expect(mind.takeNotices()).toEqual([]);
  await mind.settled();
  await host.close();
});
