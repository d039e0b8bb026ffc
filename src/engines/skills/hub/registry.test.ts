import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHubFetcher, openHubOutlet, openHubPlace } from '#adapters/hub';
import { atomicWrite, withFileLock } from '#adapters/store';
import { tarOf } from '#testkit/hub';
import { type LoopbackServer, loopbackWeb, startLoopback } from '#testkit/web';
import { HubUnderTest, SAFE } from '#support/engines/skills/hub-under-test';
import type { HubDeps } from './hub-deps.ts';

const outside: Parameters<typeof HubUnderTest.open>[0] = (folder, { skills, origins }) => ({
  fetcher: openHubFetcher({ web: loopbackWeb(origins), git: '/usr/bin/git', temporary: folder }),
  place: openHubPlace({ skills, lock: withFileLock, write: atomicWrite }),
  outlet: openHubOutlet(atomicWrite),
});
const INDEX = 'https://skills.example.com/team/index.json';
let rig: HubUnderTest;
let server: LoopbackServer | undefined;
beforeEach(async () => {
  rig = await HubUnderTest.open(outside);
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await rig.close();
});

describe('registries', () => {
  const archive = gzipSync(tarOf([{ name: 'disk-full/SKILL.md', text: SAFE }]));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const entry = {
    name: 'disk-full',
    description: 'Looks after disks that are full',
    version: '1.0.0',
    url: 'disk.tar.gz',
    sha256,
    publisher: 'ops',
  };
  const serve = async (index: unknown, more: Partial<HubDeps> = {}) => {
    server = await startLoopback(({ path }) =>
      path.endsWith('.json') ? { body: index as object } : { body: archive },
    );
    rig.reopen({ registries: [INDEX], ...more }, { origins: { 'https://skills.example.com': server.url } });
  };

  it('give a skill by its name', async () => {
    await serve({ skills: [{ ...entry, version: '0.9.0', url: 'old.tar.gz' }, entry] });
    expect(await rig.install('disk-full')).toMatchObject({
      status: 'installed',
      skill: {
        trust: 'community',
        source: {
          kind: 'archive',
          at: 'https://skills.example.com/team/disk.tar.gz',
          registry: INDEX,
          sha256,
        },
      },
    });
    expect(await rig.hub.update('disk-full', { signal: rig.signal })).toMatchObject([
      { status: 'unchanged' },
    ]);
    expect(await rig.install('unheard-of')).toMatchObject({ reason: 'unknown_name' });
  });

  it('are believed for their hash, when they are trusted, and not for what they say of themselves', async () => {
    await serve(
      { skills: [{ ...entry, publisher: 'github.com/trusted' }] },
      { trusted: ['github.com/trusted'] },
    );
    expect(await rig.install('disk-full')).toMatchObject({
      skill: { trust: 'community', publisher: 'skills.example.com/team/disk.tar.gz' },
    });
    await rig.hub.uninstall('disk-full');
    await server?.close();
    await serve({ skills: [entry] }, { trusted: ['skills.example.com/team'] });
    expect(await rig.install('disk-full')).toMatchObject({ skill: { trust: 'trusted' } });
  });

  it('must not send something else than they list', async () => {
    await serve({ skills: [{ ...entry, sha256: 'a'.repeat(64) }] });
    await expect(rig.install('disk-full')).rejects.toMatchObject({ record: { code: 'tool.refused' } });
    expect(await rig.hub.list()).toEqual([]);
  });

  it.each(['file:///etc', 'file:///srv/x.zip', 'ext::sh', 'https://user:pw@host/x.zip', 'http://host/repo'])(
    'must not lead to %s',
    async (url) => {
      await serve({ skills: [{ ...entry, url }] });
      expect(await rig.install('disk-full')).toMatchObject({ reason: 'bad_source', details: [url] });
      expect(await rig.hub.list()).toEqual([]);
    },
  );

  it('are not believed when they disagree', async () => {
    const index = join(rig.folder, 'index.json');
    await rig.write('index.json', JSON.stringify({ skills: [{ ...entry, url: './other.tar.gz' }] }));
    await serve({ skills: [entry] });
    rig.reopen(
      { registries: [INDEX, index] },
      { origins: { 'https://skills.example.com': server?.url ?? '' } },
    );
    expect(await rig.install('disk-full')).toMatchObject({ reason: 'ambiguous' });
  });

  it('cannot reach into objects with what they send', async () => {
    const index = join(rig.folder, 'index.json');
    rig.reopen({ registries: [index] });
    await writeFile(
      index,
      '{"__proto__":{"polluted":1},"skills":[{"__proto__":{"polluted":1},"name":"__proto__","url":"x.zip"},{"name":"constructor","url":"x.zip","constructor":{"prototype":{"polluted":1}}},{"name":1},null,[],{"name":"ok","url":"ok.zip","__proto__":{"polluted":1}}]}',
    );
    const { found } = await rig.hub.search('', rig.signal);
    expect(found.map(({ name }) => name)).toEqual(['constructor', 'ok']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((found[1] as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('are searched, and one that does not answer is told', async () => {
    await serve({ skills: [entry, { name: 'other', url: 'o.zip' }] });
    rig.reopen(
      { registries: [INDEX, join(rig.folder, 'none.json')] },
      { origins: { 'https://skills.example.com': server?.url ?? '' } },
    );
    await rig.install('./none').catch(() => undefined);
    const search = await rig.hub.search('full disk', rig.signal);
    expect(search.found).toMatchObject([{ name: 'disk-full', trust: 'community' }]);
    expect(search.problems).toMatchObject([{ registry: join(rig.folder, 'none.json') }]);
    await expect(rig.install('disk-full')).rejects.toMatchObject({ record: { code: 'input.invalid' } });
  });

  it.each(['no json', '[]', '{"skills":{}}'])('with %s are told as such', async (text) => {
    await rig.write('index.json', text);
    rig.reopen({ registries: [join(rig.folder, 'index.json')] });
    await expect(rig.install('disk-full')).rejects.toMatchObject({ record: { code: 'input.invalid' } });
  });
});
