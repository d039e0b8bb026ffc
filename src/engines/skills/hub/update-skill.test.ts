import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHubFetcher, openHubOutlet, openHubPlace } from '#adapters/hub';
import { atomicWrite, withFileLock } from '#adapters/store';
import { gitRepository } from '#testkit/hub';
import { loopbackWeb } from '#testkit/web';
import {
  DOUBTFUL,
  HOSTILE,
  HubUnderTest,
  SAFE,
  skillText,
  yes,
} from '#support/engines/skills/hub-under-test';
import type { HubProposal } from './hub-records.ts';

const outside: Parameters<typeof HubUnderTest.open>[0] = (folder, { skills, origins }) => ({
  fetcher: openHubFetcher({ web: loopbackWeb(origins), git: '/usr/bin/git', temporary: folder }),
  place: openHubPlace({ skills, lock: withFileLock, write: atomicWrite }),
  outlet: openHubOutlet(atomicWrite),
});
let rig: HubUnderTest;
beforeEach(async () => {
  rig = await HubUnderTest.open(outside);
});
afterEach(() => rig.close());

describe('updating', () => {
  beforeEach(async () => {
    await rig.write('src/SKILL.md', SAFE);
    await rig.install('./src', { category: 'ops' });
  });
  const update = async (more: object = {}) =>
    (await rig.hub.update('disk-full', { signal: rig.signal, ...more }))[0];

  it('does nothing when nothing is new', async () => {
    expect(await update()).toMatchObject({ status: 'unchanged' });
    expect(await rig.hub.update('other', { signal: rig.signal })).toMatchObject([
      { reason: 'not_installed' },
    ]);
  });

  it('shows what changes and keeps the day of the installation', async () => {
    const [before] = await rig.hub.list();
    await rig.write('src/SKILL.md', skillText('disk-full', 'Run `df -i`.', '1.1.0'));
    const seen: HubProposal[] = [];
    const outcome = await update({ agree: async (proposal: HubProposal) => seen.push(proposal) > 0 });
    expect(outcome).toMatchObject({
      status: 'updated',
      skill: { version: '1.1.0', installedAt: before?.installedAt },
    });
    expect(seen[0]?.diff).toContain('-Run `df -h`.\n+Run `df -i`.');
    expect(seen[0]?.needsYes).toBe(false);
    expect((await rig.hub.list())[0]?.updatedAt).toBeGreaterThan(before?.installedAt ?? 0);
  });

  it('judges again: a good skill that turned bad stays as it was', async () => {
    await rig.write('src/SKILL.md', HOSTILE);
    expect(await update({ agree: yes })).toMatchObject({ reason: 'dangerous' });
    expect(await rig.read('ops/disk-full/SKILL.md')).toBe(SAFE);
    await rig.write('src/SKILL.md', DOUBTFUL);
    expect(await update()).toMatchObject({ reason: 'needs_agreement' });
    expect(await update({ agree: yes })).toMatchObject({ status: 'updated', skill: { verdict: 'caution' } });
  });

  it('does not touch a copy that was edited, unless it is told to', async () => {
    await writeFile(join(rig.skills, 'ops/disk-full/SKILL.md'), `${SAFE}\nMine.\n`);
    await rig.write('src/SKILL.md', skillText('disk-full', 'New.'));
    expect(await update({ agree: yes })).toMatchObject({ reason: 'edited', details: ['SKILL.md'] });
    expect(await update({ edited: 'keep' })).toMatchObject({
      status: 'kept',
      diff: expect.stringContaining('-Mine.'),
    });
    expect(await rig.read('ops/disk-full/SKILL.md')).toContain('Mine.');
    expect(await update({ edited: 'replace' })).toMatchObject({ status: 'updated' });
    expect(await rig.read('ops/disk-full/SKILL.md')).toContain('New.');
  });

  it('does not overwrite an edit that was made while a person was thinking', async () => {
    await rig.write('src/SKILL.md', skillText('disk-full', 'New.'));
    const agree = async () => {
      await writeFile(join(rig.skills, 'ops/disk-full/SKILL.md'), 'mine');
      return true;
    };
    expect(await update({ agree })).toMatchObject({ reason: 'edited' });
    expect(await rig.read('ops/disk-full/SKILL.md')).toBe('mine');
  });

  it('goes on with the others when a source has gone', async () => {
    await rig.write('two/SKILL.md', skillText('two', 'Two.'));
    await rig.install('./two');
    await rm(join(rig.folder, 'src'), { recursive: true });
    expect(await rig.hub.update(undefined, { signal: rig.signal })).toMatchObject([
      { name: 'disk-full', reason: 'unreachable' },
      { name: 'two', status: 'unchanged' },
    ]);
  });

  it.skipIf(!existsSync('/usr/bin/git'))(
    'follows a branch and keeps the commit (needs /usr/bin/git)',
    async () => {
      const repository = gitRepository(rig.folder);
      const first = repository.commit({ 'skills/net/SKILL.md': skillText('net', 'One.') });
      expect(await rig.install(`${repository.url}//skills/net#main`)).toMatchObject({
        status: 'installed',
        skill: { commit: first, source: { kind: 'git', ref: 'main', folder: 'skills/net' } },
      });
      const second = repository.commit({ 'skills/net/SKILL.md': skillText('net', 'Two.') });
      expect(await rig.hub.update('net', { signal: rig.signal })).toMatchObject([
        { status: 'updated', skill: { commit: second } },
      ]);
    },
  );
});
