import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RcaParameters as Parameters } from '#engines/aiops';
import { type BenchRun, UnknownOption } from '../../bench.ts';
import { readSuites } from '../suite.ts';
import { calibrationError } from './calibration-error.ts';
import { calibrate, firstOf, fitParameters } from './fit-parameters.ts';
import { type LabelledCase, recordedCases, SIMULATED, simulatedCase } from './labelled-case.ts';

const FITTED_FILE = join(import.meta.dirname, '../../../src/engines/aiops/rca/model/fitted.json');

/**
 * Fits the numbers of the model on drawn cases and recordings, writes the file that the engine reads, and says how each
 * system does under numbers that never saw it.
 */
export async function runFit({ options, data, say, progress }: BenchRun): Promise<Record<string, number>> {
  const count = Number(options['fit']);
  if (!Number.isInteger(count) || count < 2) throw new UnknownOption('--fit takes how many cases to draw');
  const seed = options['seed'] ?? 'fit';
  const drawn: LabelledCase[] = [];
  for (let at = 0; at < count; at++) {
    drawn.push(simulatedCase({ seed: `${seed}-${at}` }));
    progress((0.6 * (at + 1)) / count);
  }
  const recorded: LabelledCase[] = [];
  for (const suite of data === undefined ? [] : readSuites(data).suites)
    recorded.push(...(await recordedCases(suite)));
  const systems = [...new Set(recorded.map(({ system }) => system))];
  progress(0.7);
  const half = Math.ceil(drawn.length / 2);
  const [one, other] = [drawn.slice(0, half), drawn.slice(half)];
  // Out of fold: each half of the drawn cases and each system under numbers that were fitted without it.
  const outOfFold = new Map<LabelledCase, Parameters>();
  const fit = (cases: readonly LabelledCase[], kept: readonly LabelledCase[]): Parameters => {
    const parameters = fitParameters(cases);
    for (const each of kept) outOfFold.set(each, parameters);
    progress(0.7 + 0.3 * (outOfFold.size / (drawn.length + recorded.length)));
    return parameters;
  };
  fit([...other, ...recorded], one);
  fit([...one, ...recorded], other);
  for (const system of systems)
    fit(
      [...drawn, ...recorded.filter((each) => each.system !== system)],
      recorded.filter((each) => each.system === system),
    );
  const simulatorOnly = systems.length ? fitParameters(drawn) : undefined;
  const whole = fitParameters([...drawn, ...recorded]);
  const told = [...outOfFold].map(([each, parameters]) => ({ each, ...firstOf(each, parameters) }));
  const final = calibrate(
    whole,
    told.map(({ each }) => each),
  );
  writeFileSync(FITTED_FILE, `${JSON.stringify(rounded(final), null, 2)}\n`);

  say('first hypothesis right          left out   simulator only   in-sample');
  for (const system of [...systems, SIMULATED]) {
    const cases = [...outOfFold.keys()].filter((each) => each.system === system);
    for (const [what, group] of Map.groupBy(cases, ({ faulty }) => (faulty ? 'culprits' : 'quiet'))) {
      const of = (parametersOf: (each: LabelledCase) => Parameters | undefined): string => {
        const known = group.filter((each) => parametersOf(each));
        const right = known.filter((each) => firstOf(each, parametersOf(each) as Parameters).right).length;
        return `${right}/${known.length}`.padStart(12);
      };
      say(
        `${`${system} ${what}`.padEnd(28)}${of((each) => outOfFold.get(each))}${of(() => (system === SIMULATED ? undefined : simulatorOnly))}${of(() => whole)}`,
      );
    }
  }
  const blamed = told.filter(({ blames }) => blames);
  return {
    'fit.out_of_fold': share(told.map(({ right }) => right)),
    'fit.ece': calibrationError(blamed.map(({ said, right }) => ({ said, right }))),
  };
}

const share = (are: readonly boolean[]): number =>
  Math.round((are.filter(Boolean).length / Math.max(1, are.length)) * 1000) / 1000;

/** Three digits are more than the cases tell. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'number' ? Number(part.toPrecision(3)) : part,
    ),
  );
