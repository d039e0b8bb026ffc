import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fail } from '#kit/app-error';
import { type HomeTrouble, openHomeHealth } from './home-health.ts';

async function watched(folder?: string) {
  const place = folder ?? (await mkdtemp(join(tmpdir(), 'home-health-')));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const told: (string | undefined)[] = [];
  const health = openHomeHealth({
    folders: [place],
    told: (trouble: HomeTrouble | undefined) => told.push(trouble?.error.code),
    lookMs: 20,
  });
  onTestFinished(health.close);
  return { place, told, health };
}

const full = Object.assign(new Error('no space'), { code: 'ENOSPC', path: '/x' });

it('is in trouble from a failed write until a look finds that there is room', async () => {
  const { told, health } = await watched();
  health.note(new Error('a defect'));
  health.note(fail('input.invalid', 'a mistake'));
  expect(await health.look()).toBeUndefined();
  health.note(full);
  health.note(full);
  expect(told).toEqual(['store.full']);
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(['store.full', undefined]);
});

it('does not take a damaged file for mended because there is room', async () => {
  const { told, health } = await watched();
  health.note(fail('store.corrupt', '/x is damaged'));
  health.note(full);
  await expect.poll(async () => (await health.look())?.error.code).toBe('store.corrupt');
  expect(told).toEqual(['store.corrupt']);
});

it('finds by itself that the folder is gone', async () => {
  const { place, told } = await watched();
  await rm(place, { recursive: true });
  await expect.poll(() => told, { timeout: 10_000 }).toEqual(['store.failing']);
});
