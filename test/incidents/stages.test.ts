import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STAGES } from '../../src/engines/aiops/incident-flow.ts';

const AIOPS = join(import.meta.dirname, '..', '..', 'src', 'engines', 'aiops');
/** Folders that stages and tools share, and that are no stage. */
const SHARED = ['explain', 'health', 'priors', 'reader', 'report', 'tools'];

describe('the stages of an incident', () => {
  it('each have a folder, and there is no other folder', () => {
    const folders = readdirSync(AIOPS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).toSorted()).toEqual([...STAGES, ...SHARED].toSorted());
  });

  const flow = readFileSync(join(AIOPS, 'incident-flow.ts'), 'utf8');

  it('are called in one file that can be read in one sitting', () => {
    expect(flow.split('\n').length).toBeLessThan(200);
  });

  it('after intake come from their own folders, into that file', () => {
    const imported = [...flow.matchAll(/from '\.\/([a-z]+)\//g)].map(([, folder]) => folder);
    expect(new Set(imported)).toEqual(new Set(STAGES.filter((stage) => stage !== 'intake')));
  });

  it.each(STAGES)('%s says what it is for', (stage) => {
    expect(existsSync(join(AIOPS, stage, 'README.md'))).toBe(true);
  });
});
