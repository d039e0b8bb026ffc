import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '#kit/nearest';
import { type BenchRun, defineBench, MissingData, UnknownOption } from '../bench.ts';
import type { Said } from '../rca/fit/calibration-error.ts';
import { constantFigures, constantLines, countConstants } from '../rca/count-constants.ts';
import { describeSuite } from '../rca/describe-suite.ts';
import { calibrationFigures, headline, toldLeftOut } from '../rca/headline.ts';
import { quietChances } from '../rca/quiet-chances.ts';
import { runSuite, type SuiteRun } from '../rca/run-suite.ts';
import { runFit } from '../rca/fit/run-fit.ts';
import { runReaders } from '../rca/reader/run-readers.ts';
import { runSimulated } from '../rca/run-simulated.ts';
import { scoreAnswers } from '../rca/score.ts';
import { readSuites, type Suite } from '../rca/suite.ts';
import { runTransforms } from '../rca/transform/run-transforms.ts';
import { transformFigures, transformRows, transformTable } from '../rca/transform/tabulate.ts';
import type { Transform } from '../rca/transform/transform.ts';
import { TRANSFORMS } from '../rca/transform/transforms.ts';

const DEFAULT_DATA = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'rca');

/** Whether the place or the change that caused an incident is named, and nobody where nobody is to blame. */
export const bench = defineBench({
  summary: 'root causes of recorded incidents: right ones, silence, changes that would be undone wrongly',
  goals: {
    'petshop.loso_ac1': { least: 0.92 },
    'nezha-tt.loso_ac1': { least: 0.8 },
    'rootcausebench.loso_accuracy': { least: 0.75 },
    'petshop-quiet.loso_accuracy': { least: 0.95 },
    'sockshop1.loso_ac1': { least: 0.95 },
    ece: { most: 0.08 },
    wrong_rollback: { most: 0.05 },
    seconds_per_incident: { most: 2 },
    unresolved_evidence: { exactly: 0 },
    'transform.worst_loss': { most: 0.1 },
    'transform.false_blame_max': { most: 0.1 },
    'transform.changed': { exactly: 0 },
    'removed.blamed': { most: 2 },
    'removed.undone': { exactly: 0 },
    constants: { most: 326 },
    'sim.false_blame': { most: 0.05 },
    'sim.wrong_undo': { most: 0.005 },
    'fit.ece': { most: 0.08 },
    'reader.undo_added': { exactly: 0 },
  },
  options: {
    transform: 'all',
    'count-constants': 'yes',
    simulate: '300',
    seed: '1',
    fit: '600',
    readers: '60',
  },
  run: async (run) => {
    if (run.options['fit'] !== undefined)
      return runFit({ ...run, data: run.data ?? (existsSync(DEFAULT_DATA) ? DEFAULT_DATA : undefined) });
    if (run.options['readers'] !== undefined) return runReaders(run);
    const drawn = run.options['simulate'] === undefined ? undefined : runSimulated(run);
    // Drawn cases need no data.
    const recorded = drawn && run.data === undefined ? undefined : await runRecorded(run);
    return {
      ...recorded?.figures,
      ...drawn?.figures,
      ...calibrationFigures(recorded?.told ?? [], drawn?.told ?? []),
    };
  },
});

async function runRecorded({
  data = DEFAULT_DATA,
  out,
  options,
  say,
  progress,
}: BenchRun): Promise<{ figures: Record<string, number>; told: readonly Said[] }> {
  const constants = countConstants();
  if (options['count-constants'] !== undefined) {
    for (const line of constantLines(constants)) say(line);
    return { figures: constantFigures(constants), told: [] };
  }
  const transforms = chosenTransforms(options['transform']);
  if (!existsSync(data)) throw new MissingData(`${data} is not there: give the folder with --data`);
  const { suites, single } = readSuites(data);
  const runs: [Suite, SuiteRun][] = [];
  for (const suite of suites) {
    const run = await runSuite(suite);
    runs.push([suite, run]);
    say(describeSuite(suite, run));
  }
  for (const line of [...headline(runs), ...(await quietChances(suites))]) say(line);
  const rows = transforms.size
    ? transformRows(await runTransforms(suites, transforms, progress), transforms)
    : [];
  if (rows.length) for (const line of transformTable(rows)) say(line);
  if (out) writeFileSync(out, `${JSON.stringify(predictions(runs, single), null, 1)}\n`);
  const figures = {
    ...Object.assign(
      {},
      ...runs.map(([suite, run]) => suiteFigures(suite, run, single ? '' : `${suite.name}.`)),
    ),
    ...overall(runs),
    ...transformFigures(rows),
    ...constantFigures(constants),
  };
  return { figures, told: toldLeftOut(runs) };
}

/** None, `all`, or names with commas between them. */
function chosenTransforms(names: string | undefined): ReadonlyMap<string, Transform> {
  if (names === undefined) return new Map();
  if (names === 'all') return TRANSFORMS;
  const chosen = names.split(',').map((name) => name.trim());
  const unknown = chosen.find((name) => !TRANSFORMS.has(name));
  if (unknown !== undefined) {
    const meant = nearest(unknown, [...TRANSFORMS.keys()]);
    throw new UnknownOption(
      `there is no transformation '${unknown}'${meant ? `; did you mean '${meant}'?` : ''}\n` +
        `all of them: ${[...TRANSFORMS.keys()].join(', ')}`,
    );
  }
  return new Map([...TRANSFORMS].filter(([name]) => chosen.includes(name)));
}

function suiteFigures(
  { truth }: Suite,
  { answers, late, leftOut, plain, seconds }: SuiteRun,
  prefix: string,
): Record<string, number> {
  const scored = truth ? scoreAnswers(answers, truth).figures : {};
  const others = truth
    ? {
        late_ac1: scoreAnswers(late, truth).figures['ac1'],
        loso_ac1: scoreAnswers(leftOut, truth).figures['ac1'],
        loso_accuracy: scoreAnswers(leftOut, truth).figures['accuracy'],
        nsigma_ac1: scoreAnswers(plain, truth).figures['ac1'],
        nsigma_accuracy: scoreAnswers(plain, truth).figures['accuracy'],
      }
    : {};
  const figures = {
    ...scored,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    seconds_per_incident: Math.round(seconds * 1000) / 1000,
  };
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}${name}`, value]));
}

/** Over all cases: what must hold wherever they come from. */
function overall(runs: readonly [Suite, SuiteRun][]): Record<string, number> {
  const answers = runs.flatMap(([{ name, truth }, run]) =>
    truth
      ? [...run.answers].map(([id, answer]) => ({
          key: `${name}/${id}`,
          answer,
          cause: truth.get(id) ?? 'none',
        }))
      : [],
  );
  const scored = scoreAnswers(
    new Map(answers.map(({ key, answer }) => [key, answer])),
    new Map(answers.map(({ key, cause }) => [key, cause])),
  );
  const cases = runs.reduce((sum, [{ cases: all }]) => sum + all.size, 0);
  const seconds =
    runs.reduce((sum, [suite, run]) => sum + run.seconds * suite.cases.size, 0) / Math.max(1, cases);
  return {
    ...(answers.length ? { wrong_rollback: scored.figures['wrong_rollback'] ?? 0 } : {}),
    seconds_per_incident: Math.round(seconds * 1000) / 1000,
    unresolved_evidence: runs.reduce((sum, [, { unresolved }]) => sum + unresolved, 0),
  };
}

function predictions(runs: readonly [Suite, SuiteRun][], single: boolean): unknown {
  const all = runs.map(([{ name }, { answers }]) => [
    name,
    Object.fromEntries([...answers].map(([id, { ranked }]) => [id, ranked])),
  ]);
  return single ? all[0]?.[1] : Object.fromEntries(all);
}
