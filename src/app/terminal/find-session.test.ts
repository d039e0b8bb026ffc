import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Session } from '#spec/data';
import { findSession, localAudience } from './find-session.ts';
import { openHost } from '#host';

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

it('takes an id for what it is, whatever the titles of others say', async () => {
  const home = await mkdtemp(join(tmpdir(), 'hermes-find-session-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const host = await openHost({ env: { HERMES_HOME: home }, version: '0' });
  onTestFinished(() => host.close());
  const { sessions } = await host.database();
  const add = (id: string, title: string, at: number) => {
    const session: Session = {
      ...localAudience(),
      id,
      title,
      createdAt: at,
      updatedAt: at,
      messages: 0,
      usage: NO_USAGE,
      cost: 0,
    };
    return sessions.create(session, { system: [], tools: [] });
  };
  await add('ses_wanted', 'the pool', 1);
  for (const n of [2, 3, 4]) await add(`ses_other${n}`, `about ses_wanted, part ${n}`, n);

  expect(await findSession(host, 'ses_wanted')).toBe('ses_wanted');
  expect(await findSession(host, 'the pool')).toBe('ses_wanted');
  await expect(findSession(host, 'part')).rejects.toThrow("'part' may be any of");
  await expect(findSession(host, 'nothing like it')).rejects.toThrow('there is no session');
});
