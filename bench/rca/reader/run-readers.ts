import { diagnose, readDiagnosis, weighReading } from '#engines/aiops';
import type { Cause, Rca } from '#spec/data';
import type { AskModel } from '#spec/ports';
import { openRandom, simulate, type SimulatedCase } from '#testkit/simulator';
import { type BenchRun, UnknownOption } from '../../bench.ts';
import { judgeSimulated } from '../judge-simulated.ts';
import { scriptedReader } from './scripted-reader.ts';

/** How answers of one kind of reader went. */
export interface ReaderRow {
  readonly cases: number;
  readonly right: number;
  readonly undone: number;
  readonly wronglyUndone: number;
  /** Undone with the reader and not without it. */
  readonly added: number;
}

/** `ranked`: what is offered, the likeliest first. */
type Choice = (one: SimulatedCase, offered: readonly Cause[], ranked: readonly Cause[]) => Cause | undefined;

const isRight = (cause: Cause, one: SimulatedCase): boolean =>
  judgeSimulated({ status: 'concluded', hypotheses: [hypothesisOf(cause)], evidence: [], missing: [] }, one)
    .right;
const hypothesisOf = (cause: Cause): Rca['hypotheses'][number] => ({
  ...cause,
  confidence: 1,
  supports: [],
  refutes: [],
  why: { en: '', zh: '' },
});

/** The wrong one names what is most likely to be believed; the random one is at least of the same mind twice. */
const CHOICES: Readonly<Record<string, Choice>> = {
  right: (one, offered) => offered.find((cause) => isRight(cause, one)),
  wrong: (one, _, ranked) => ranked.find((cause) => !isRight(cause, one)),
  random: (one, offered) => {
    const sorted = offered.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
    return openRandom(`reader ${one.telemetry.bundle.title}`).pick([...sorted, undefined]);
  },
  'first in the list': (_, offered) => offered[0],
};
const inventing: AskModel = async () =>
  JSON.stringify({ verdict: 'A', evidence: ['ev_metric_999'], quote: 'nobody ever wrote this line' });

/** The same drawn cases without a reader, and with readers of every kind. */
export async function readCases(
  cases: Iterable<SimulatedCase>,
  progress: () => void = () => undefined,
): Promise<ReadonlyMap<string, ReaderRow>> {
  const rows = new Map<string, ReaderRow>();
  const add = (name: string, rca: Rca, plain: Rca, one: SimulatedCase): void => {
    const was = rows.get(name) ?? { cases: 0, right: 0, undone: 0, wronglyUndone: 0, added: 0 };
    const { right, wrongUndo } = judgeSimulated(rca, one);
    const undone = rca.hypotheses[0]?.undo === true;
    rows.set(name, {
      cases: was.cases + 1,
      right: was.right + Number(right),
      undone: was.undone + Number(undone),
      wronglyUndone: was.wronglyUndone + Number(wrongUndo),
      added: was.added + Number(undone && plain.hypotheses[0]?.undo !== true),
    });
  };
  for (const one of cases) {
    const plain = diagnose(one.telemetry);
    add('none', plain, plain, one);
    for (const [name, choose] of Object.entries(CHOICES))
      add(name, await read(plain, one, scriptedReader(choosing(choose, one, plain))), plain, one);
    add('inventing', await read(plain, one, inventing), plain, one);
    progress();
  }
  return rows;
}

const choosing =
  (choose: Choice, one: SimulatedCase, { hypotheses }: Rca) =>
  (offered: readonly Cause[]): Cause | undefined => {
    const place = ({ service, change, category }: Cause): number =>
      hypotheses.findIndex(
        (each) => each.service === service && each.change === change && each.category === category,
      );
    return choose(
      one,
      offered,
      offered.toSorted((a, b) => place(a) - place(b)),
    );
  };

async function read(rca: Rca, { telemetry }: SimulatedCase, ask: AskModel): Promise<Rca> {
  if (rca.status !== 'concluded') return rca;
  const { title, service, startsAt } = telemetry.bundle;
  const reading = await readDiagnosis({
    incident: {
      title,
      severity: 'P1',
      startsAt,
      services: service === undefined ? [] : [service],
      ...(service === undefined ? {} : { service }),
    },
    rca,
    changes: telemetry.changes ?? [],
    reader: { model: 'scripted', ask },
    round: 1,
    language: 'en',
    signal: new AbortController().signal,
  });
  return weighReading(rca, reading).rca;
}

/** What a reader that is right, wrong or of no mind would do to the first hypothesis and to what is undone. */
export async function runReaders({ options, say, progress }: BenchRun): Promise<Record<string, number>> {
  const count = Number(options['readers']);
  if (!Number.isInteger(count) || count < 1)
    throw new UnknownOption('--readers takes how many cases to draw');
  const seed = options['seed'] ?? '1';
  let done = 0;
  const rows = await readCases(drawn(count, seed), () => progress(++done / count));
  say('reader             cases    right   undone    wrongly    added');
  for (const [name, { cases, right, undone, wronglyUndone, added }] of rows)
    say(
      `${name.padEnd(18)}${[cases, right, undone, wronglyUndone, added].map((value) => String(value).padStart(9)).join('')}`,
    );
  const share = (name: string): number => (rows.get(name)?.right ?? 0) / count;
  return {
    'reader.ac1_none': share('none'),
    'reader.ac1_right': share('right'),
    'reader.ac1_wrong': share('wrong'),
    'reader.ac1_random': share('random'),
    'reader.undo_added': [...rows.values()].reduce((sum, { added }) => sum + added, 0),
    'reader.wrong_undo': [...rows.values()].reduce((sum, { wronglyUndone }) => sum + wronglyUndone, 0),
  };
}

function* drawn(count: number, seed: string): Iterable<SimulatedCase> {
  for (let at = 0; at < count; at++) yield simulate({ seed: `${seed}-${at}` });
}
