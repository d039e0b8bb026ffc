import { alertmanagerPayload, incidentApi, makeIncidentHome, startServing } from '#testkit/incident-home';
import { drawStorm } from '#testkit/simulator';
import { defineBench, UnknownOption } from '../bench.ts';
import { groupStorm } from '../incidents/group-storm.ts';
import { type GroupingScore, scoreGrouping } from '../incidents/score-grouping.ts';

const STORMS = 60;
/** Services for each cause in storms where causes share most of whom they reach. */
const CROWDED = 8;
const HELD = 10_000;
const A_DELIVERY = 50;
const SERVICES = 400;

/** Storms with a known truth, taken in by the real intake and store; then very many alerts on a served home. */
export const bench = defineBench({
  summary:
    'grouping: drawn storms of 1 to 6 causes and 50 to 5,000 alerts; then 10,000 alerts on a served home',
  goals: {
    precision: { least: 0.95 },
    recall: { least: 0.95 },
    swallowed: { exactly: 0 },
    crowded_swallowed: { exactly: 0 },
    blind_swallowed: { exactly: 0 },
    held: { exactly: HELD },
    held_seconds: { most: 60 },
    largest_page_kb: { most: 1_000 },
  },
  options: { storms: String(STORMS), seed: 'bench' },
  run: async ({ options, say, progress }) => {
    const storms = Number(options['storms'] ?? STORMS);
    if (!Number.isInteger(storms) || storms < 1) throw new UnknownOption('--storms is a number from 1 on.');
    const crowded: GroupingScore[] = [];
    const scores: { readonly causes: number; readonly seen: GroupingScore; readonly blind: GroupingScore }[] =
      [];
    for (let n = 0; n < storms; n++) {
      const causes = (n % 6) + 1;
      const storm = drawStorm({ seed: `${options['seed'] ?? 'bench'} ${n}`, causes });
      const seen = scoreGrouping(storm, await groupStorm(storm, storm.topology));
      const blind = scoreGrouping(storm, await groupStorm(storm, { edges: [] }));
      scores.push({ causes, seen, blind });
      const close = drawStorm({ seed: `${options['seed'] ?? 'bench'} crowded ${n}`, causes, room: CROWDED });
      crowded.push(scoreGrouping(close, await groupStorm(close, close.topology)));
      progress((n + 1) / (storms + 1));
    }
    for (let causes = 1; causes <= 6; causes++) {
      const own = scores.filter((score) => score.causes === causes).map(({ seen }) => seen);
      if (own.length)
        say(
          `${causes} causes: precision ${mean(own, 'precision')}, recall ${mean(own, 'recall')}, ${mean(own, 'incidents')} incidents`,
        );
    }
    const seen = scores.map((score) => score.seen);
    const blind = scores.map((score) => score.blind);
    return {
      storms,
      precision: mean(seen, 'precision'),
      recall: mean(seen, 'recall'),
      worst_precision: worst(seen, 'precision'),
      worst_recall: worst(seen, 'recall'),
      swallowed: seen.reduce((sum, { swallowed }) => sum + swallowed, 0),
      crowded_precision: mean(crowded, 'precision'),
      crowded_recall: mean(crowded, 'recall'),
      crowded_swallowed: crowded.reduce((sum, { swallowed }) => sum + swallowed, 0),
      blind_precision: mean(blind, 'precision'),
      blind_recall: mean(blind, 'recall'),
      blind_swallowed: blind.reduce((sum, { swallowed }) => sum + swallowed, 0),
      ...(await flood()),
    };
  },
});

const mean = (scores: readonly GroupingScore[], key: keyof GroupingScore): number =>
  Number((scores.reduce((sum, score) => sum + score[key], 0) / scores.length).toFixed(3));

const worst = (scores: readonly GroupingScore[], key: 'precision' | 'recall'): number =>
  Number(Math.min(...scores.map((score) => score[key])).toFixed(3));

/** Ten thousand different alerts, mostly lesser ones of services that nobody knows. */
async function flood(): Promise<Record<string, number>> {
  const home = await makeIncidentHome({
    services: [],
    incidents: { recheck_seconds: [30, 60], execute: false, lead_seconds: 60, baseline_minutes: 10 },
  });
  const serving = await startServing(home);
  try {
    const api = incidentApi(() => serving.url, home.token);
    const now = Date.now();
    const began = performance.now();
    for (let from = 0; from < HELD; from += A_DELIVERY) {
      const alerts = Array.from({ length: A_DELIVERY }, (_, at) => {
        const n = from + at;
        return {
          name: `Rule${n % 7}`,
          service: `service-${n % SERVICES}`,
          severity: n % 1_000 === 0 ? 'critical' : 'warning',
          labels: { instance: `10.${n % 200}.${n % 97}.${n}:8080` },
          startsAt: now - (n % 60) * 1_000,
        };
      });
      const { status } = await api.send('POST', '/gateway/alertmanager', alertmanagerPayload(alerts));
      if (status !== 200) throw new Error(`a delivery was answered with ${status}`);
    }
    const seconds = (performance.now() - began) / 1_000;
    const incidents = await api.incidents();
    const sizes = await Promise.all(
      incidents.map(async ({ id }) => JSON.stringify(await api.incident(id)).length / 1_024),
    );
    return {
      held: incidents.reduce((sum, { alerts }) => sum + alerts, 0),
      held_seconds: Number(seconds.toFixed(1)),
      held_incidents: incidents.length,
      largest_page_kb: Math.round(Math.max(...sizes)),
    };
  } finally {
    await serving.kill();
    await home.remove();
  }
}
