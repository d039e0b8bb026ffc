import { createHash } from 'node:crypto';
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
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
import type { HubProposal } from './hub-records.ts';
import { trustByLock } from './lock-text.ts';

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

describe('installing', () => {
  it('puts a folder into the skills and writes down where it came from', async () => {
    await rig.write('src/disk/SKILL.md', SAFE);
    await rig.write('src/disk/references/more.md', 'More.');
    const outcome = await rig.install('./src/disk');
    expect(outcome).toMatchObject({
      status: 'installed',
      name: 'disk-full',
      skill: { trust: 'community', verdict: 'safe' },
    });
    const [locked] = await rig.hub.list();
    expect(locked).toMatchObject({
      name: 'disk-full',
      version: '1.0.0',
      source: { kind: 'folder', at: join(rig.folder, 'src/disk') },
      publisher: join(rig.folder, 'src/disk'),
      files: [
        { path: 'SKILL.md', sha256: createHash('sha256').update(SAFE).digest('hex') },
        { path: 'references/more.md' },
      ],
    });
    expect(await rig.read(`${locked?.path}/SKILL.md`)).toBe(SAFE);
    expect(await rig.leftovers()).toEqual([]);
    expect(trustByLock(await rig.read('hub.lock.json'))(`${locked?.path}/SKILL.md`)).toBe('community');
    expect(trustByLock(await rig.read('hub.lock.json'))('own/x/SKILL.md')).toBeUndefined();
  });

  it('never installs what is dangerous, whoever agrees and whoever is trusted', async () => {
    await rig.write('src/SKILL.md', HOSTILE);
    rig.reopen({ trusted: [rig.folder] });
    const outcome = await rig.install('./src', { agree: yes });
    expect(outcome).toMatchObject({
      status: 'refused',
      reason: 'dangerous',
      findings: [{ rule: 'destruction.command' }],
    });
    expect(await rig.hub.list()).toEqual([]);
    expect(await rig.leftovers()).toEqual([]);
  });

  it('asks about a doubtful skill of a stranger', async () => {
    await rig.write('src/SKILL.md', DOUBTFUL);
    expect(await rig.install('./src')).toMatchObject({ status: 'refused', reason: 'needs_agreement' });
    expect(await rig.install('./src', { agree: async () => false })).toMatchObject({ reason: 'declined' });
    const seen: HubProposal[] = [];
    const agree = async (proposal: HubProposal) => seen.push(proposal) > 0;
    expect(await rig.install('./src', { agree })).toMatchObject({
      status: 'installed',
      skill: { verdict: 'caution', agreedTo: ['install.runs-what-it-fetches'] },
    });
    expect(seen).toMatchObject([{ needsYes: true, trust: 'community', verdict: 'caution' }]);
  });

  it('takes a doubtful skill of somebody who is trusted', async () => {
    await rig.write('src/SKILL.md', DOUBTFUL);
    rig.reopen({ trusted: [rig.folder] });
    expect(await rig.install('./src')).toMatchObject({
      status: 'installed',
      skill: { trust: 'trusted', agreedTo: [] },
    });
  });

  it('does not let a stranger stand in for a skill that is known', async () => {
    await rig.write('src/SKILL.md', SAFE);
    rig.reopen({ known: async (name) => (name === 'disk-full' ? 'builtin' : undefined) });
    expect(await rig.install('./src')).toMatchObject({ reason: 'name_taken', details: ['builtin'] });
  });

  it('does not overwrite a folder of the user', async () => {
    await rig.write('src/SKILL.md', SAFE);
    await rig.write('home/skills/ops/disk-full/SKILL.md', 'mine');
    expect(await rig.install('./src', { category: 'ops' })).toMatchObject({ reason: 'name_taken' });
    expect(await rig.read('ops/disk-full/SKILL.md')).toBe('mine');
  });

  it('says that the same is there already, and that another is', async () => {
    await rig.write('src/SKILL.md', SAFE);
    await rig.install('./src');
    expect(await rig.install('./src')).toMatchObject({ status: 'unchanged' });
    await rig.write('src/SKILL.md', skillText('disk-full', 'Other.'));
    expect(await rig.install('./src')).toMatchObject({ reason: 'already_installed' });
  });

  it('asks which one of several skills is meant', async () => {
    await rig.write('src/a/SKILL.md', skillText('a', 'A.'));
    await rig.write('src/b/SKILL.md', skillText('b', 'B.'));
    expect(await rig.install('./src')).toMatchObject({ reason: 'several_skills', details: ['a', 'b'] });
    expect(await rig.install('./src', { skill: 'b' })).toMatchObject({ status: 'installed', name: 'b' });
    expect(await rig.install('./src//a')).toMatchObject({ status: 'installed', name: 'a' });
    expect(await rig.install('./src', { skill: 'c' })).toMatchObject({ reason: 'no_skill' });
  });

  it('installs a workflow', async () => {
    const text =
      'skill:\n  name: pool-check\n  version: 1.0.0\n  description: Looks at a pool.\n  execution:\n    steps:\n      - name: look\n        command: df -h\n';
    await rig.write('src/pool.yaml', text);
    expect(await rig.install('./src', { category: 'ops' })).toMatchObject({
      status: 'installed',
      name: 'pool-check',
    });
    expect(await rig.read('ops/pool-check/pool.yaml')).toBe(text);
  });

  it('refuses links, and a folder without a skill', async () => {
    await rig.write('src/SKILL.md', SAFE);
    await symlink('/etc/passwd', join(rig.folder, 'src/passwd'));
    expect(await rig.install('./src')).toMatchObject({ reason: 'odd_entry', details: ['passwd'] });
    await mkdir(join(rig.folder, 'empty'));
    expect(await rig.install('./empty')).toMatchObject({ reason: 'no_skill' });
  });

  it('installs once when two ask at the same time', async () => {
    await rig.write('src/SKILL.md', SAFE);
    const both = await Promise.all([rig.install('./src'), rig.install('./src')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['installed', 'unchanged']);
    expect(await rig.hub.list()).toHaveLength(1);
  });
});

describe('what was judged is what is installed', () => {
  it('also when somebody writes into the quarantine while a person thinks', async () => {
    await rig.write('src/SKILL.md', DOUBTFUL);
    const agree = async () => {
      const [id = ''] = await rig.leftovers();
      await writeFile(join(rig.skills, '.quarantine', id, 'tree', 'SKILL.md'), HOSTILE);
      return true;
    };
    await expect(rig.install('./src', { agree })).rejects.toMatchObject({ record: { code: 'tool.refused' } });
    expect(await rig.hub.list()).toEqual([]);
    expect((await readdir(rig.skills)).filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(await rig.leftovers()).toEqual([]);
  });

  it('also when the source changes after the fetch', async () => {
    await rig.write('src/SKILL.md', DOUBTFUL);
    const agree = async () => {
      await rig.write('src/SKILL.md', HOSTILE);
      return true;
    };
    const outcome = await rig.install('./src', { agree });
    expect(outcome.status === 'installed' && (await rig.read(`${outcome.skill.path}/SKILL.md`))).toBe(
      DOUBTFUL,
    );
  });
});
