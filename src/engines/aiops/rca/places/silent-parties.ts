import type { Telemetry } from '#spec/data';
import type { CallGraph } from '../call-graph.ts';
import type { Finding } from '../finding.ts';
import { partyShares } from '../traces/party-shares.ts';
import type { TraceIndex } from '../traces/trace-index.ts';
import type { ExplainingPlace } from './explained.ts';

/** Those who are called and report nothing: what is known of them their callers measured. */
export interface SilentParties {
  readonly names: ReadonlySet<string>;
  /** Of these, those who are nobody of ours: they call none of us, and nobody here releases or watches them. */
  readonly outside: ReadonlySet<string>;
}

export function silentParties(
  { bundle, metrics, logs, spans, changes = [] }: Telemetry,
  graph: CallGraph,
  stores: ReadonlySet<unknown>,
): SilentParties {
  const reporting = new Set([metrics, logs, spans].flatMap((list) => list.map(({ service }) => service)));
  const names = new Set(
    [...graph.callers.keys()].filter((name) => !reporting.has(name) && !stores.has(name)),
  );
  const ours = new Set([bundle.service, ...changes.map(({ service }) => service)]);
  return {
    names,
    outside: new Set([...names].filter((name) => !graph.callees.has(name) && !ours.has(name))),
  };
}

/** Silent parties that do worse than before, by what their callers measured. */
export function worseParties(
  findings: readonly Finding[],
  { names }: SilentParties,
  traces: TraceIndex,
): ExplainingPlace[] {
  const worse = new Set(findings.flatMap(({ service }) => (names.has(service) ? [service] : [])));
  if (!worse.size) return [];
  const shares = partyShares(traces);
  return [...worse].map((name) => ({ name, shares: shares.get(name) ?? new Map() }));
}

/** Whoever reports nothing cannot complain: what its callers complain of it by name is its own. */
export function saidOf(
  parties: readonly ExplainingPlace[],
  findings: readonly Finding[],
  graph: CallGraph,
): readonly Finding[] {
  return findings.map((finding) => {
    if (finding.evidence.kind !== 'log') return finding;
    const named = parties.find(
      ({ name }) => graph.callees.get(finding.service)?.has(name) && finding.evidence.query.includes(name),
    );
    return named ? { ...finding, service: named.name } : finding;
  });
}
