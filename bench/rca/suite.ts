import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { MissingData } from '../bench.ts';

/** Cases of one system with, where somebody knows it, the truth. */
export interface Suite {
  readonly name: string;
  /** Folders of incident bundles, by case. */
  readonly cases: ReadonlyMap<string, string>;
  /** A service, a change id or `none`, by case. Undefined where the suite comes without labels. */
  readonly truth: ReadonlyMap<string, string> | undefined;
}

/** A folder is one suite, or holds several. */
export function readSuites(folder: string): { suites: Suite[]; single: boolean } {
  const own = readSuite(folder);
  if (own) return { suites: [own], single: true };
  const suites = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readSuite(join(folder, entry.name)))
    .filter((suite) => suite !== undefined)
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  if (!suites.length)
    throw new MissingData(`${folder} holds no suite: a suite has cases/<case>/incident.json`);
  return { suites, single: false };
}

function readSuite(folder: string): Suite | undefined {
  const cases = join(folder, 'cases');
  if (!existsSync(cases)) return undefined;
  const names = readdirSync(cases)
    .filter((name) => existsSync(join(cases, name, 'incident.json')))
    .toSorted();
  return {
    name: basename(resolve(folder)),
    cases: new Map(names.map((name) => [name, join(cases, name)])),
    truth: readTruth(join(folder, 'labels.json')),
  };
}

function readTruth(path: string): ReadonlyMap<string, string> | undefined {
  if (!existsSync(path)) return undefined;
  const labels = JSON.parse(readFileSync(path, 'utf8')) as Record<string, { root_cause: string }>;
  return new Map(Object.entries(labels).map(([name, { root_cause: cause }]) => [name, cause]));
}
