import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RcaParameters as Parameters } from '#engines/aiops';
import { type BenchRun, UnknownOption } from '../../bench.ts';
import { readSuites } from '../suite.ts';
import type { SimulateOptions } from '#testkit/simulator';
import { brierScore, calibrationError, crossCalibrated, riskAndCoverage } from './calibration-error.ts';
import { boundTied, calibrate, firstOf, fitParameters, type Told } from './fit-parameters.ts';
import { type LabelledCase, recordedCases, SIMULATED, simulatedCase } from './labelled-case.ts';

const FITTED_FILE = join(import.meta.dirname, '../../../src/engines/aiops/rca/model/fitted.json');
const LEFT_OUT_FILE = join(import.meta.dirname, 'left-out.json');
/** Undoing an innocent change harms: so many must have been right. */
const UNDO_FROM = 0.95;
/** Few of them lead with a release that is tied exactly, and many of those are needed to know how often that is right. */
const TIES = 3;

/**
 * Fits the numbers of the model on drawn cases and recordings and writes the file that the engine reads; and beside it,
 * for the benchmark, the numbers that were fitted without each system and without any recording.
 */
export async function runFit({ options, data, say, progress }: BenchRun): Promise<Record<string, number>> {
  const count = Number(options['fit']);
  if (!Number.isInteger(count) || count < 2) throw new UnknownOption('--fit takes how many cases to draw');
  const seed = options['seed'] ?? 'fit';
  const drawn: LabelledCase[] = [];
  for (let at = 0; at < count; at++) {
    drawn.push(simulatedCase({ seed: `${seed}-${at}` }));
    progress((0.3 * (at + 1)) / count);
  }
  const recorded: LabelledCase[] = [];
  for (const suite of data === undefined ? [] : readSuites(data).suites)
    recorded.push(...(await recordedCases(suite)));
  const systems = [...new Set(recorded.map(({ system }) => system))];
  progress(0.4);
  const half = Math.ceil(drawn.length / 2);
  const [one, other] = [drawn.slice(0, half), drawn.slice(half)];
  // Out of fold: each half of the drawn cases and each system under numbers that were fitted without it.
  const outOfFold = new Map<LabelledCase, Parameters>();
  const fit = (cases: readonly LabelledCase[], kept: readonly LabelledCase[]): Parameters => {
    const parameters = fitParameters(cases);
    for (const each of kept) outOfFold.set(each, parameters);
    progress(0.4 + 0.3 * (outOfFold.size / (drawn.length + recorded.length)));
    return parameters;
  };
  fit([...other, ...recorded], one);
  fit([...one, ...recorded], other);
  for (const system of systems)
    fit(
      [...drawn, ...recorded.filter((each) => each.system !== system)],
      recorded.filter((each) => each.system === system),
    );
  const simulatorOnly = fitParameters(drawn);
  const whole = fitParameters([...drawn, ...recorded]);
  const told = [...outOfFold].map(([each, parameters]) => ({
    system: each.system,
    ...firstOf(each, parameters),
  }));
  const ties: Told[] = [];
  for (let at = 0; at < TIES * count; at++) {
    ties.push(firstOf(simulatedCase(versioned(`${seed}-tie-${at}`, at)), whole));
    progress(0.7 + (0.3 * (at + 1)) / (TIES * count));
  }
  const finished = (parameters: Parameters): Parameters =>
    boundTied(calibrate(parameters, told), [...told, ...ties], UNDO_FROM);
  write(FITTED_FILE, finished(whole));
  // Of what is left out nothing may be known: its confidence is that of the others, too.
  write(
    LEFT_OUT_FILE,
    Object.fromEntries([
      ...systems.map((system) => {
        const fitted = [...outOfFold].find(([each]) => each.system === system)?.[1] as Parameters;
        const others = told.filter((each) => each.system !== system);
        return [system, boundTied(calibrate(fitted, others), [...others, ...ties], UNDO_FROM)];
      }),
      [
        SIMULATED,
        boundTied(
          calibrate(
            simulatorOnly,
            told.filter(({ system }) => system === SIMULATED),
          ),
          ties,
          UNDO_FROM,
        ),
      ],
    ]),
  );
  const tied = ties.filter(({ tied: said, blames }) => blames && said !== undefined);
  say(
    `of ${ties.length} further cases with versions ${tied.length} lead with a release that is tied exactly, ` +
      `${tied.filter(({ right }) => right).length} of them right`,
  );
  const calibrated = crossCalibrated(told.filter(({ blames }) => blames));
  for (const line of riskAndCoverage(calibrated)) say(line);
  return {
    'fit.out_of_fold': share(told.map(({ right }) => right)),
    'fit.ece': calibrationError(calibrated),
    'fit.brier': brierScore(calibrated),
  };
}

/** Half of them any trouble, half of them releases: what undoing has to tell apart. */
const versioned = (seed: string, at: number): SimulateOptions => ({
  seed,
  form: { byVersion: true, changes: 'diffs' },
  ...(at % 2 ? { fault: RELEASES[(at >> 1) % RELEASES.length] } : {}),
});
const RELEASES = ['bad_release', 'slow_release'] as const;

const write = (file: string, value: unknown): void =>
  writeFileSync(file, `${JSON.stringify(rounded(value), null, 2)}\n`);

const share = (are: readonly boolean[]): number =>
  Math.round((are.filter(Boolean).length / Math.max(1, are.length)) * 1000) / 1000;

/** Three digits are more than the cases tell. */
const rounded = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'number' ? Number(part.toPrecision(3)) : part,
    ),
  );
