import type { Telemetry } from '#spec/data';
import { diagnose } from '#engines/aiops';
import { readBundle } from '#adapters/bundles';
import { type Answer, answerOf, askedOf } from './answer.ts';
import { parametersWithout } from './fit/parameters-without.ts';
import { nSigma } from './n-sigma.ts';
import type { Suite } from './suite.ts';

export interface SuiteRun {
  readonly answers: ReadonlyMap<string, Answer>;
  /** The same when the alert comes 60 s later. */
  readonly late: ReadonlyMap<string, Answer>;
  /** By numbers that were fitted without the system, without any recording, and by the plain comparison. */
  readonly leftOut: ReadonlyMap<string, Answer>;
  readonly simulatorOnly: ReadonlyMap<string, Answer>;
  readonly plain: ReadonlyMap<string, Answer>;
  readonly seconds: number;
  /** Cited evidence that does not resolve: must be none. */
  readonly unresolved: number;
}

const LATE_MS = 60_000;

/** Reads and diagnoses every case; reading counts as time, since nobody has an incident in memory. */
export async function runSuite(suite: Suite): Promise<SuiteRun> {
  const shared = new Map<string, Promise<unknown>>();
  const answers = new Map<string, Answer>();
  const late = new Map<string, Answer>();
  const leftOut = new Map<string, Answer>();
  const simulatorOnly = new Map<string, Answer>();
  const plain = new Map<string, Answer>();
  const without = parametersWithout(suite.name);
  let spent = 0;
  let unresolved = 0;
  for (const [name, folder] of suite.cases) {
    const started = performance.now();
    const telemetry = await readBundle(folder, { shared });
    const rca = diagnose(telemetry);
    spent += performance.now() - started;
    const known = new Set(rca.evidence.map(({ id }) => id));
    unresolved += rca.hypotheses
      .flatMap(({ supports, refutes }) => [...supports, ...refutes])
      .filter((id) => !known.has(id)).length;
    const asked = askedOf(telemetry);
    answers.set(name, answerOf(rca, asked));
    leftOut.set(name, answerOf(diagnose(telemetry, without.system), asked));
    simulatorOnly.set(name, answerOf(diagnose(telemetry, without.recordings), asked));
    plain.set(name, nSigma(telemetry, asked));
    const moved = later(telemetry);
    late.set(name, answerOf(diagnose(moved), askedOf(moved)));
  }
  return {
    answers,
    late,
    leftOut,
    simulatorOnly,
    plain,
    seconds: spent / 1000 / Math.max(1, suite.cases.size),
    unresolved,
  };
}

/** The alert and the window of the incident a minute later; the baseline stays. */
function later(telemetry: Telemetry): Telemetry {
  const move = (instant: string): string => new Date(Date.parse(instant) + LATE_MS).toISOString();
  const { bundle } = telemetry;
  return {
    ...telemetry,
    bundle: {
      ...bundle,
      startsAt: move(bundle.startsAt),
      incident: { start: move(bundle.incident.start), end: move(bundle.incident.end) },
    },
  };
}
