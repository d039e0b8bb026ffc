import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readBundle } from '#adapters/bundles';
import { atomicWrite } from '#adapters/store';
import { postMortem, proposeAction, reachVerdict } from '#engines/aiops';
import type { Language } from '#kit/language';
import { normalizeSeverity } from '#kit/alert-labels';
import { type Incident, OPERATIONS, type Severity } from '#spec/data';
import { manualAlert } from '#app/incidents';

export interface Replayed {
  readonly incident: Incident;
  /** Files that were written. */
  readonly written: readonly string[];
}

/** What Hermes makes of a recorded incident: nothing is asked of anybody, nothing is carried out. */
export async function replayBundle(
  folder: string,
  {
    out,
    language,
    signal,
  }: { readonly out: string; readonly language: Language; readonly signal: AbortSignal },
): Promise<Replayed> {
  const telemetry = await readBundle(folder);
  signal.throwIfAborted();
  const { bundle } = telemetry;
  const { rca, results } = reachVerdict(telemetry);
  const severity = normalizeSeverity({ severity: bundle.severity }) satisfies Severity;
  const at = Date.parse(bundle.incident.end);
  const base: Incident = {
    id: bundle.id,
    title: bundle.title,
    severity,
    state: 'closed',
    ...(bundle.service === undefined ? {} : { service: bundle.service }),
    services: bundle.service === undefined ? [] : [bundle.service],
    ...(bundle.metric === undefined ? {} : { metric: bundle.metric }),
    source: 'replay',
    startsAt: bundle.startsAt,
    alerts: 1,
    firing: 1,
    round: 1,
    rca,
    createdAt: Date.parse(bundle.startsAt),
    updatedAt: at,
  };
  const { action } = proposeAction({
    incident: base,
    rca,
    changes: telemetry.changes ?? [],
    ...(telemetry.topology ? { topology: telemetry.topology } : {}),
    rules: [],
    operations: OPERATIONS,
    now: at,
    zone: 'UTC',
  });
  const incident: Incident = { ...base, ...(action ? { action } : {}) };
  const { title, service, metric, startsAt } = incident;
  const alert = manualAlert(
    'replay',
    { title, severity, service, metric, startsAt, labels: bundle.labels },
    at,
  );
  const { markdown, html } = postMortem({
    incident,
    facts: [],
    alerts: [alert],
    members: [],
    results,
    language,
  });
  await mkdir(out, { recursive: true });
  const name = `postmortem-${basename(bundle.id).replace(/[^\w.-]+/g, '-')}`;
  const written = [join(out, `${name}.md`), join(out, `${name}.html`)];
  await atomicWrite(written[0] as string, markdown);
  await atomicWrite(written[1] as string, html);
  return { incident, written };
}
