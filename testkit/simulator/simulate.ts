import type { Telemetry } from '#spec/data';
import { readClock } from './form/clock.ts';
import { drawForm, type Form } from './form/form.ts';
import { renderAlert } from './form/render-alert.ts';
import { renderChanges } from './form/render-changes.ts';
import { renderLogs } from './form/render-logs.ts';
import type { SeriesMeaning } from './form/metric-scene.ts';
import { renderMetrics } from './form/render-metrics.ts';
import { renderSpans } from './form/render-spans.ts';
import { play } from './physics/play.ts';
import { openRandom, type Random } from './random.ts';
import { drawWorld, type Truth, type World } from './world/world.ts';

/** One incident with its truth, in the form that the product reads. */
export interface SimulatedCase {
  readonly telemetry: Telemetry;
  readonly truth: Truth;
  readonly form: Form;
  /** What each series of the telemetry really measures, in its order. */
  readonly meanings: readonly SeriesMeaning[];
}

export interface SimulateOptions {
  /** Everything that happens follows from it. */
  readonly seed: string;
  /** How it is told follows from this; the same as `seed` where it is left out. */
  readonly formSeed?: string;
  /** The kind of trouble; drawn where it is left out. */
  readonly fault?: string;
  /** What the form shall be like, over what is drawn. */
  readonly form?: Partial<Form>;
}

/** Pure: the same options give the same bytes. */
export function simulate({ seed, formSeed = seed, fault, form: fixed = {} }: SimulateOptions): SimulatedCase {
  const world = drawWorld(seed, fault);
  const form = { ...drawForm(formSeed), ...fixed };
  const clock = readClock(world, form);
  const random = openRandom(`telling ${seed} ${formSeed}`);
  const played = play(world, clock.all, openRandom(`weather ${seed}`));
  const reporting = whoReports(world, form, random.fork('reporting'));
  const since = clock.baseline.length;
  const last = (clock.incident.at(-1) ?? clock.alertAt) + form.step;
  const { metrics, meanings } = renderMetrics({
    world,
    form,
    played,
    reporting,
    random: random.fork('metrics'),
  });
  const changes = renderChanges(world, form, last);
  const edges = topologyOf(world, form, random.fork('topology'));
  return {
    telemetry: {
      bundle: renderAlert({ world, form, clock, random: random.fork('alert') }),
      metrics,
      logs: renderLogs({ world, form, played, since, random: random.fork('logs') }),
      spans: renderSpans({ world, form, played, since, reporting, random: random.fork('spans') }),
      ...(changes ? { changes } : {}),
      ...(edges ? { topology: { edges } } : {}),
    },
    truth: world.truth,
    form,
    meanings,
  };
}

const NEAR_HOPS = 2;

function whoReports({ system, alert }: World, { scope }: Form, random: Random): ReadonlySet<number> {
  let seen = new Set(system.services.map(({ at }) => at));
  if (scope === 'near') {
    seen = new Set([alert.service]);
    for (let hop = 0; hop < NEAR_HOPS; hop++)
      for (const { from, to } of system.edges) if (seen.has(from) && seen.size < 8) seen.add(to);
  }
  return new Set(
    system.services
      .filter(({ at, reports }) => seen.has(at) && reports && !random.fork(`mute ${at}`).chance(0.02))
      .map(({ at }) => at),
  );
}

function topologyOf(
  { system: { services, edges } }: World,
  { topology }: Form,
  random: Random,
): { from: string; to: string }[] | undefined {
  if (topology === 'none') return undefined;
  const nameOf = (at: number): string => services[at]?.name ?? '';
  return edges
    .filter(() => topology === 'whole' || random.chance(0.7))
    .map(({ from, to }) => ({ from: nameOf(from), to: nameOf(to) }));
}
