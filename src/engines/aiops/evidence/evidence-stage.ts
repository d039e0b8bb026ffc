import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';
import { collectEvidence } from './collect-evidence.ts';

/** Looks at everything that backends know, keeps it, and says what it did not see. */
export async function evidenceStage(
  id: string,
  deps: IncidentDeps,
  { key, round, signal }: Occasion,
): Promise<void> {
  const { store, archive, settings, now } = deps;
  const incident = await mustFind(store, id);
  const priors = await deps.priors(incident, signal);
  const profiles = await Promise.all(incident.services.map((service) => deps.profileOf(service)));
  const { telemetry, asked, gaps, ms } = await collectEvidence({
    incident,
    sources: await deps.sources(),
    alerts: await store.alerts(id),
    profiles: profiles.filter((profile) => profile !== undefined),
    topology: await deps.topology(),
    windows: settings,
    limits: { wholeMs: settings.collectMs },
    priors,
    now,
    signal,
  });
  await archive.save(id, round, { telemetry, asked });
  const { metrics, logs, spans, changes = [] } = telemetry;
  const counts = { series: metrics.length, lines: logs.length, spans: spans.length, changes: changes.length };
  await store.record(
    id,
    {
      key,
      facts: [{ type: 'evidence.collected', data: { round, ...counts, gaps, ms } }],
      patch: { round, priors: [...priors] },
    },
    now(),
  );
}
