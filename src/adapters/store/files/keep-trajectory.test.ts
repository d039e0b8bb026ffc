import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepTrajectory } from './keep-trajectory.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hermes-trajectories-'));
  path = join(folder, 'training', 'trajectories.jsonl');
});
afterEach(() => rm(folder, { recursive: true }));
const text = () => readFile(path, 'utf8');

it('has one line for each id, however often a step is run', async () => {
  await keepTrajectory(path, { id: 'trj_1' });
  await keepTrajectory(path, { id: 'trj_2' });
  await keepTrajectory(path, { id: 'trj_1' });
  await keepTrajectory(path, { id: 'trj_1', reward: 1 } as { id: string });
  expect(await text()).toBe('{"id":"trj_2"}\n{"id":"trj_1","reward":1}\n');
});

it('replaces half a line that a crash has left, and loses no other', async () => {
  await keepTrajectory(path, { id: 'trj_1' });
  await writeFile(path, `${await text()}a note of somebody\n{"id":"trj_2","ste`);
  await keepTrajectory(path, { id: 'trj_2' });
  expect(await text()).toBe('{"id":"trj_1"}\na note of somebody\n{"id":"trj_2"}\n');
  await writeFile(path, '{"id":"trj_1"}');
  await keepTrajectory(path, { id: 'trj_2' });
  expect(await text()).toBe('{"id":"trj_1"}\n{"id":"trj_2"}\n');
});

it('keeps what two processes bring at the same time', async () => {
  await Promise.all(['a', 'b', 'a', 'c'].map((id) => keepTrajectory(path, { id })));
  expect((await text()).split('\n').toSorted()).toEqual(['', '{"id":"a"}', '{"id":"b"}', '{"id":"c"}']);
});
