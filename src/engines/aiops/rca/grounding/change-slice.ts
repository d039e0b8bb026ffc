import type { Evidence, EvidenceResult, Telemetry } from '#spec/data';
import { effectiveChanges } from '../changes/effective-change.ts';

const QUERY = /^changes\{id="(.*)"\}$/s;

/** Finds the change behind evidence, with the deploy that brought it. */
export function changeSlice({ changes }: Telemetry, { query }: Evidence): EvidenceResult | undefined {
  const [, id] = QUERY.exec(query) ?? [];
  const found = effectiveChanges(changes ?? []).find(({ change }) => change.id === id);
  if (!found) return undefined;
  return { changes: [found.change, ...(found.deploy ? [found.deploy] : [])] };
}
