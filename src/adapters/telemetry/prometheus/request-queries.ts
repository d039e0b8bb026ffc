import type { RequestInstrument } from './signals/index.ts';
import { serviceOfAddress } from '../wire/label-names.ts';
import { quoted } from '../wire/query-text.ts';
import type { Naming } from './naming.ts';
import { selector } from './promql.ts';
import { type QueryContext, type SignalQuery, unionOf } from './signal-query.ts';

type Labels = Readonly<Record<string, string>>;
type LabelNaming = Pick<Naming, 'by' | 'apply'>;

/** The labels that tell the parts of one family apart. */
export interface Dimensions {
  readonly service: Naming;
  readonly code: string | undefined;
  readonly peer: LabelNaming | undefined;
  readonly version: LabelNaming | undefined;
}

/** What requests are grouped by besides the service, and how that shows in names. */
interface Part {
  readonly naming: LabelNaming | undefined;
  suffix(labels: Labels): string | undefined;
}

const QUANTILES = [0.5, 0.95, 0.99] as const;

/**
 * Rate, failures and latency of a service as a whole, or of its single call edges where the family is of calls that it
 * makes; and the main ones once more for each version.
 */
export function requestQueries(
  instrument: RequestInstrument,
  dimensions: Dimensions,
  hasBuckets: boolean,
  context: QueryContext,
): SignalQuery[] {
  const { peer, version } = dimensions;
  const isEdge = instrument.side === 'client';
  const whole = partQueries(instrument, dimensions, isEdge ? edges(peer) : WHOLE, context);
  const base = [whole.requests, ...whole.failures, ...whole.mean];
  const all = hasBuckets ? [...base, ...QUANTILES.map(whole.quantile)] : base;
  if (!version) return all;
  const each = partQueries(instrument, dimensions, versions(version), context);
  return [
    ...all,
    each.requests,
    ...each.failures,
    ...each.mean,
    ...(hasBuckets ? [each.quantile(0.95)] : []),
  ];
}

const WHOLE: Part = { naming: undefined, suffix: () => '' };

function edges(peer: LabelNaming | undefined): Part {
  return {
    naming: peer,
    suffix: (labels) => {
      const callee = peer && serviceOfAddress(labels[peer.by] ?? '');
      return callee === undefined ? undefined : `_to_${callee}`;
    },
  };
}

const versions = (naming: LabelNaming): Part => ({
  naming,
  suffix: (labels) => (labels[naming.by] ? `@${labels[naming.by]}` : undefined),
});

function partQueries(
  instrument: RequestInstrument,
  { service, code }: Dimensions,
  part: Part,
  { rate, everywhere }: QueryContext,
) {
  const { family, shape, unit, where, outcome, failedFamily, side, prefix } = instrument;
  const counter = shape === 'duration' ? `${family}_count` : family;
  const groups = [service.by, ...(part.naming ? [part.naming.by] : [])];
  const summed = (name: string, more: readonly string[] = [], matchers?: string): string => {
    const series = unionOf(
      service,
      (matcher) => selector(name, everywhere, where, matchers, matcher),
      (selected) => `rate(${selected}[${rate}s])`,
    );
    const named = service.apply(part.naming ? part.naming.apply(series) : series);
    return `sum by (${[...groups, ...more].join(', ')}) (${named})`;
  };
  // Without a name at the other end, all that a service calls is one.
  const lead = side === 'client' && !part.naming ? 'client_' : '';
  const named =
    (nameOf: (labels: Labels) => string): SignalQuery['metric'] =>
    (labels) => {
      const suffix = part.naming || side === 'server' ? part.suffix(labels) : '';
      return suffix === undefined ? undefined : `${lead}${nameOf(labels)}${suffix}`;
    };
  const query = (text: string, nameOf: (labels: Labels) => string): SignalQuery => ({
    query: text,
    by: service.by,
    metric: named(nameOf),
    ...(prefix === undefined ? {} : { prefix }),
  });
  const toMs = unit === 'seconds' ? '1000 * ' : '';
  const latency = (statistic: string) =>
    side === 'client' ? `latency_ms_${statistic}` : `latency_${statistic}_ms`;
  const total = summed(counter);
  const failed =
    failedFamily !== undefined
      ? summed(failedFamily)
      : outcome && code !== undefined
        ? summed(counter, [], `${code}=~${quoted(outcome.failed)}`)
        : undefined;

  return {
    requests: query(total, () => 'requests_per_second'),
    failures: [
      ...(outcome?.listed !== undefined && code !== undefined
        ? [
            query(
              summed(counter, [code], `${code}=~${quoted(outcome.listed)}`),
              (labels) => `errors_${codeName(labels[code])}_per_second`,
            ),
          ]
        : []),
      // No failed request at all is a share of nothing, not a missing one.
      ...(failed === undefined ? [] : [query(`(${failed} or 0 * ${total}) / ${total}`, () => 'error_ratio')]),
    ],
    mean:
      shape === 'duration'
        ? [query(`${toMs}${summed(`${family}_sum`)} / ${total}`, () => latency('mean'))]
        : [],
    quantile: (share: number): SignalQuery =>
      query(`${toMs}histogram_quantile(${share}, ${summed(`${family}_bucket`, ['le'])})`, () =>
        latency(`p${Math.round(share * 100)}`),
      ),
  };
}

/** `Unavailable` of gRPC must not read as a word for availability. */
const codeName = (code = ''): string =>
  (code || 'no_answer')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace('unavailable', 'unreachable');
