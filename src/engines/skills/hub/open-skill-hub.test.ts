import { existsSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHubFetcher, openHubOutlet, openHubPlace } from '#adapters/hub';
import { atomicWrite, withFileLock } from '#adapters/store';
import { loopbackWeb } from '#testkit/web';
import {
  DOUBTFUL,
  HOSTILE,
  HubUnderTest,
  SAFE,
  skillText,
  yes,
} from '#support/engines/skills/hub-under-test';
import type { HubDeps } from './hub-deps.ts';

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

describe('removing', () => {
  it('takes the folder and the entry, but not an edited one unasked', async () => {
    await rig.write('src/SKILL.md', SAFE);
    await rig.install('./src', { category: 'ops' });
    await writeFile(join(rig.skills, 'ops/disk-full/note.md'), 'mine');
    expect(await rig.hub.uninstall('disk-full')).toMatchObject({ reason: 'edited', details: ['note.md'] });
    expect(await rig.hub.uninstall('disk-full', 'remove')).toMatchObject({ status: 'uninstalled' });
    expect(await rig.hub.list()).toEqual([]);
    expect(existsSync(join(rig.skills, 'ops'))).toBe(false);
    expect(await rig.hub.uninstall('disk-full')).toMatchObject({ reason: 'not_installed' });
  });
});

describe('auditing', () => {
  it('sees what changed on disk, and judges it again', async () => {
    await rig.write('src/SKILL.md', SAFE);
    await rig.write('src/a.md', 'a');
    await rig.install('./src', { category: 'ops' });
    expect(await rig.hub.audit()).toMatchObject([
      { state: 'intact', was: 'safe', verdict: 'safe', changes: [] },
    ]);
    await writeFile(join(rig.skills, 'ops/disk-full/SKILL.md'), HOSTILE);
    await rm(join(rig.skills, 'ops/disk-full/a.md'));
    await writeFile(join(rig.skills, 'ops/disk-full/b.md'), 'b');
    await symlink('/etc', join(rig.skills, 'ops/disk-full/etc'));
    const [audit] = await rig.hub.audit();
    expect(audit).toMatchObject({ state: 'changed', was: 'safe', verdict: 'dangerous' });
    expect(audit?.changes).toEqual([
      { path: 'etc', change: 'link' },
      { path: 'SKILL.md', change: 'changed' },
      { path: 'a.md', change: 'removed' },
      { path: 'b.md', change: 'added' },
    ]);
    expect(audit?.findings.map(({ rule }) => rule)).toEqual(
      expect.arrayContaining(['destruction.command', 'folder.link']),
    );
    await rm(join(rig.skills, 'ops'), { recursive: true });
    expect(await rig.hub.audit()).toMatchObject([{ state: 'missing' }]);
  });

  it('says when the lockfile cannot be read', async () => {
    await rig.write('home/skills/hub.lock.json', '{"version":1,"skills":[{"name":');
    await expect(rig.hub.audit()).rejects.toMatchObject({ record: { code: 'store.corrupt' } });
  });
});

describe('publishing', () => {
  it('makes an archive and an index that others can install from', async () => {
    await rig.write('home/skills/ops/disk-full/SKILL.md', SAFE);
    const published = await rig.hub.publish({
      path: 'ops/disk-full',
      to: join(rig.folder, 'out'),
      publisher: 'ops',
    });
    expect(published).toMatchObject({
      status: 'published',
      entry: { name: 'disk-full', url: 'disk-full-1.0.0.tar.gz' },
    });
    await rig.hub.publish({ path: 'ops/disk-full', to: join(rig.folder, 'out'), publisher: 'ops' });
    rig.reopen(
      { registries: [join(rig.folder, 'out', 'index.json')] },
      { skills: join(rig.folder, 'other', 'skills') },
    );
    expect((await rig.hub.search('disk', rig.signal)).found).toHaveLength(1);
    expect(await rig.install('disk-full', { category: 'ops' })).toMatchObject({ status: 'installed' });
    expect(await rig.read('ops/disk-full/SKILL.md')).toBe(SAFE);
  });

  it('keeps credentials and dangerous skills at home', async () => {
    const publish = (text: string, more: Partial<HubDeps> = {}) => {
      rig.reopen(more);
      return rig
        .write('home/skills/ops/x/SKILL.md', text)
        .then(() =>
          rig.hub.publish({ path: 'ops/x', to: join(rig.folder, 'out'), publisher: 'ops', agree: yes }),
        );
    };
    expect(await publish(skillText('x', 'Key: ghp_Zk3vQ9mW1xYt7uRb2nLc8dPfA5sH6j'))).toMatchObject({
      reason: 'credentials',
      details: ['SKILL.md'],
    });
    expect(
      await publish(skillText('x', 'Say hunter2hunter2.'), { secrets: () => ['hunter2hunter2'] }),
    ).toMatchObject({ reason: 'credentials' });
    expect(await publish(HOSTILE)).toMatchObject({ reason: 'dangerous' });
    expect(existsSync(join(rig.folder, 'out'))).toBe(false);
    expect(await publish(DOUBTFUL)).toMatchObject({ status: 'published' });
  });
});
