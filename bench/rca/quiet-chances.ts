import { readBundle } from '#adapters/bundles';
import { observe } from '#engines/aiops';
import { simulate } from '#testkit/simulator';
import type { Telemetry } from '#spec/data';
import type { Suite } from './suite.ts';

const LEVELS = [0.5, 0.2, 0.1, 0.05, 0.01, 0.001];
/** Drawn windows in which nothing at all happens. */
const DRAWN = 40;

/** Where nothing happened, chances are as often below a level as the level says: told beside the diagonal. */
export async function quietChances(suites: readonly Suite[]): Promise<string[]> {
  const columns: [string, number[]][] = [];
  for (const { name, cases, truth } of suites) {
    if (!truth?.size || [...truth.values()].some((cause) => cause !== 'none')) continue;
    const shared = new Map<string, Promise<unknown>>();
    const chances: number[] = [];
    for (const folder of cases.values()) chances.push(...chancesOf(await readBundle(folder, { shared })));
    columns.push([name, chances]);
  }
  if (!columns.length) return [];
  columns.push([
    'drawn',
    Array.from({ length: DRAWN }, (_, at) =>
      chancesOf(simulate({ seed: `quiet-${at}`, fault: 'none_quiet' }).telemetry),
    ).flat(),
  ]);
  return [
    `| chance at most | ${columns.map(([name, all]) => `${name} (${all.length} series)`).join(' | ')} |`,
    `|---${'|---'.repeat(columns.length)}|`,
    ...LEVELS.map((level) => `| ${[level, ...columns.map(([, all]) => below(all, level))].join(' | ')} |`),
  ];
}

const chancesOf = (telemetry: Telemetry): number[] => observe(telemetry).shifts.map(({ shift }) => shift.p);

const below = (chances: readonly number[], level: number): string =>
  (chances.filter((chance) => chance <= level).length / Math.max(1, chances.length)).toFixed(4);
