import type { Finding, FindingSource } from '../finding.ts';
import { clamp } from '../stats.ts';
import type { ExplainedShare } from '../traces/party-shares.ts';

/** A place that is no service of ours, and how much of the trouble of each service is its. */
export interface ExplainingPlace {
  readonly name: string;
  readonly shares: ReadonlyMap<string, ExplainedShare>;
}

/** What each source tells of: failures, time, or both. What a version does worse it does anywhere. */
const TELLS: Readonly<Record<FindingSource, (share: ExplainedShare) => number>> = {
  errors: ({ failures }) => failures,
  error_origin: ({ failures }) => failures,
  latency: ({ time }) => time,
  self_time: ({ time }) => time,
  call_edge: ({ time }) => time,
  store: ({ time }) => time,
  // Whoever is kept waiting holds what others wait for.
  resource: ({ time }) => time,
  log_flow: ({ failures, time }) => Math.max(failures, time),
  log_burst: ({ failures, time }) => Math.max(failures, time),
  version: () => 0,
  silence: () => 0,
};

/** What is found of services speaks for the place that brought it about, by the share that is its. */
export function explainedBy(findings: readonly Finding[], places: readonly ExplainingPlace[]): Finding[] {
  return findings.flatMap((finding) => {
    const parts = places.flatMap(({ name, shares }) => {
      const share = shares.get(finding.service);
      const part = share === undefined ? 0 : TELLS[finding.source](share);
      return part > 0 ? [{ name, part }] : [];
    });
    const explained = clamp(
      parts.reduce((sum, { part }) => sum + part, 0),
      0,
      1,
    );
    return [
      ...parts.map(({ name, part }) => ({ ...finding, service: name, strength: finding.strength * part })),
      ...(explained < 1 ? [{ ...finding, strength: finding.strength * (1 - explained) }] : []),
    ];
  });
}
