import type { Evidence } from '#spec/data';
import type { AskedRecord } from '../../evidence/asked-record.ts';
import { namedSeries } from './metric-slice.ts';

/** Evidence with the backend that gave it and, where that is known for sure, the query in the backend's own language. */
export function nameSource(evidence: Evidence, asked: readonly AskedRecord[]): Evidence {
  const answered = asked.filter(
    (record) => record.kind === `${evidence.kind}s` && record.problem === undefined && record.found > 0,
  );
  const record = theQuery(evidence, answered);
  if (record) {
    const { source, query, link } = record;
    return { ...evidence, source, ...(query ? { query } : {}), ...(link === undefined ? {} : { link }) };
  }
  const [first, ...others] = new Set(answered.map(({ source }) => source));
  return first === undefined || others.length ? evidence : { ...evidence, source: first };
}

function theQuery(evidence: Evidence, answered: readonly AskedRecord[]): AskedRecord | undefined {
  if (evidence.kind === 'metric') {
    const named = namedSeries(evidence);
    const giving = answered.filter(({ gives }) => named && gives?.includes(named.metric));
    // Of two backends that gave the same series, the first was kept.
    const kept = giving.filter(({ source }) => source === giving[0]?.source);
    return kept.find(({ query }) => named && query.includes(named.service)) ?? kept[0];
  }
  const start = Date.parse(evidence.window.start);
  const during = answered.filter(
    ({ window }) => Date.parse(window.start) <= start && start <= Date.parse(window.end),
  );
  const named = during.find(
    ({ query }) => evidence.service !== undefined && query.includes(evidence.service),
  );
  return named ?? (new Set(during.map(({ query }) => query)).size === 1 ? during[0] : undefined);
}
