import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHubFetcher, openHubOutlet, openHubPlace } from '#adapters/hub';
import { atomicWrite, withFileLock } from '#adapters/store';
import { type TarEntry, tarOf } from '#testkit/hub';
import { loopbackWeb } from '#testkit/web';
import { HubUnderTest, SAFE, yes } from '#support/engines/skills/hub-under-test';

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

describe('hostile archives', () => {
  const refuse = async (...entries: TarEntry[]) => {
    await rig.write('x.tar.gz', gzipSync(tarOf([{ name: 'disk/SKILL.md', text: SAFE }, ...entries])));
    return rig.install('./x.tar.gz', { agree: yes });
  };
  it.each([
    '../../evil.md',
    '/etc/cron.d/evil',
    'disk/../../evil.md',
    'disk/a\\..\\b',
    'disk/a\nb.md',
    'disk/a\u202eb.md',
    'disk/skill.md',
    'disk/con.md',
    'disk/C:evil',
    'disk/x. ',
    'disk/b/c/d/e/f/g/h/i/j.md',
    'other/../../evil.md',
    'other/a\nb.md',
  ])('are refused for the name %j', async (name) => {
    expect(await refuse({ name, text: 'x' })).toMatchObject({ status: 'refused', reason: 'bad_path' });
    expect(existsSync(join(rig.folder, 'evil.md'))).toBe(false);
    expect(await rig.hub.list()).toEqual([]);
  });

  it('are fine when odd things lie beside the skill', async () => {
    const beside = [
      { name: 'other/b/c/d/e/f/g/h/i/j.md', text: 'x' },
      { name: 'other/l', type: '2', link: '/etc' },
    ];
    expect(await refuse(...beside)).toMatchObject({
      status: 'installed',
      skill: { files: [{ path: 'SKILL.md' }] },
    });
  });

  it.each(['1', '2', '3', '4', '6'])('are refused for entries of type %s', async (type) => {
    expect(await refuse({ name: 'disk/x', type, link: '/etc/passwd' })).toMatchObject({
      reason: 'odd_entry',
    });
  });

  it.each(['Disk Full', '../disk', 'dіsk-full', '.hidden', 'con', '-x', '__proto__'])(
    'are refused for the skill %j',
    async (name) => {
      await rig.write(
        'y.tar.gz',
        gzipSync(
          tarOf([
            { name: 'SKILL.md', text: SAFE.replace('name: disk-full', `name: ${JSON.stringify(name)}`) },
          ]),
        ),
      );
      const outcome = await rig.install('./y.tar.gz', { agree: yes });
      // Whatever the library makes of the name, it never becomes a path.
      if (outcome.status === 'installed')
        expect(outcome.skill.path).toMatch(/^[a-z0-9][\w.-]*\/[a-z0-9][\w.-]*$/);
      else expect(outcome).toMatchObject({ status: 'refused' });
      expect(await readdir(join(rig.folder, 'home')).catch(() => [])).toSatisfy((all: string[]) =>
        all.every((one) => one === 'skills'),
      );
    },
  );

  it('are refused when they are too much to be judged', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ name: `disk/${index}.md`, text: 'x' }));
    expect(await refuse(...many)).toMatchObject({
      reason: 'dangerous',
      findings: [{ rule: 'folder.too-many-files' }],
    });
  });
});
