import { writeFileSync } from 'node:fs';
import { diagnose } from '#engines/aiops';
import { simulate, type SimulatedCase } from '#testkit/simulator';
import { type BenchRun, UnknownOption } from '../bench.ts';
import type { Said } from './fit/calibration-error.ts';
import { type Judged, judgeSimulated } from './judge-simulated.ts';

interface Row extends Judged {
  readonly id: string;
  readonly truth: SimulatedCase['truth'];
  readonly form: SimulatedCase['form'];
  readonly confidence: number;
}

/** Draws cases, diagnoses each and says how it went, by fault and by form of the telemetry. */
export function runSimulated({ options, out, data, say, progress }: BenchRun): {
  readonly figures: Record<string, number>;
  readonly told: readonly Said[];
} {
  const count = Number(options['simulate']);
  if (!Number.isInteger(count) || count < 1)
    throw new UnknownOption('--simulate takes how many cases to draw');
  const seed = options['seed'] ?? '1';
  const rows: Row[] = [];
  let spent = 0;
  for (let drawn = 0; drawn < count; drawn++) {
    const id = `${seed}-${drawn}`;
    const one = simulate({ seed: id });
    const started = performance.now();
    const rca = diagnose(one.telemetry);
    spent += performance.now() - started;
    rows.push({
      id,
      ...judgeSimulated(rca, one),
      truth: one.truth,
      form: one.form,
      confidence: rca.hypotheses[0]?.confidence ?? 0,
    });
    progress((drawn + 1) / count);
  }
  for (const [title, keyOf] of GROUPINGS)
    for (const line of table(title, Map.groupBy(rows, keyOf))) say(line);
  if (out && data === undefined)
    writeFileSync(
      out,
      `${JSON.stringify(rows.map(({ form, ...row }) => ({ ...row, form: { ...form, signals: [...form.signals] } })))}\n`,
    );
  const faulty = rows.filter(({ truth }) => truth.place !== 'none');
  const quiet = rows.filter(({ truth }) => truth.place === 'none');
  const figures = {
    'sim.ac1': share(faulty, ({ right }) => right),
    'sim.category': share(faulty, ({ rightCategory }) => rightCategory),
    'sim.missed': share(faulty, ({ blames }) => !blames),
    'sim.false_blame': share(quiet, ({ blames }) => blames),
    'sim.wrong_undo': share(rows, ({ wrongUndo }) => wrongUndo),
    'sim.seconds_per_incident': Math.round(spent / Math.max(1, count)) / 1000,
  };
  const told = rows
    .filter(({ blames }) => blames)
    .map(({ confidence, right }) => ({ said: confidence, right }));
  return { figures, told };
}

const share = (rows: readonly Row[], is: (row: Row) => boolean): number =>
  rows.length ? Math.round((rows.filter(is).length / rows.length) * 1000) / 1000 : Number.NaN;

const yes = (is: boolean): string => (is ? 'yes' : 'no');

const GROUPINGS: readonly (readonly [string, (row: Row) => string])[] = [
  ['fault', ({ truth }) => truth.fault],
  [
    'force',
    ({ truth: { place, force } }) =>
      place === 'none' ? 'none' : force < 0.3 ? 'faint' : force < 0.7 ? 'middle' : 'loud',
  ],
  [
    'guilty change',
    ({ truth, form }) =>
      truth.changes.length ? (form.changes === 'none' ? 'made, no record' : 'on record') : 'nobody made one',
  ],
  ['naming', ({ form }) => form.naming],
  ['step', ({ form: { step } }) => (step <= 10 ? '1-10 s' : step <= 60 ? '15-60 s' : '120-300 s')],
  ['counts', ({ form }) => (form.signals.has('requests') ? form.counts : 'not measured')],
  ['failures', ({ form }) => (form.signals.has('failures') ? form.failures : 'not measured')],
  ['latency unit', ({ form }) => (form.signals.has('latency') ? form.latencyUnit : 'not measured')],
  [
    'alert names',
    ({ form }) =>
      [form.alertService ? 'service' : '', form.alertMetric ? 'metric' : ''].filter(Boolean).join(' and ') ||
      'nothing',
  ],
  ['topology', ({ form }) => form.topology],
  ['changes', ({ form }) => form.changes],
  ['logs', ({ form }) => form.logs],
  ['traces', ({ form }) => yes(form.traces > 0)],
  ['by version', ({ form }) => yes(form.byVersion)],
  ['by edge', ({ form }) => form.byEdge],
  ['by instance', ({ form }) => yes(form.byInstance)],
  ['scope', ({ form }) => form.scope],
  ['dated late', ({ form }) => yes(form.late)],
];

function table(title: string, groups: ReadonlyMap<string, readonly Row[]>): string[] {
  const shown = (value: number): string => (Number.isNaN(value) ? '–' : value.toFixed(2)).padStart(9);
  const lines = [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, rows]) => {
      const faulty = rows.filter(({ truth }) => truth.place !== 'none');
      const quiet = rows.filter(({ truth }) => truth.place === 'none');
      const figures = [
        share(faulty, ({ right }) => right),
        share(faulty, ({ rightCategory }) => rightCategory),
        share(quiet, ({ blames }) => blames),
        share(rows, ({ wrongUndo }) => wrongUndo),
      ];
      return `  ${name.padEnd(20)}${String(rows.length).padStart(6)}${figures.map(shown).join('')}`;
    });
  return [`${title.padEnd(22)} cases      ac1 category    blame     undo`, ...lines];
}
