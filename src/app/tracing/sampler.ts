import type { SpanContext } from '#spec/ports';

/** Whether a span is sent. `parent`: who it hangs on, if anybody. The same for all spans of a trace. */
export type Sampler = (traceId: string, parent: SpanContext | undefined) => boolean;

const KINDS = ['always_on', 'always_off', 'traceidratio'] as const;
const DEFAULT = 'parentbased_traceidratio';
/** The last seven bytes of an id are its random part; six of them fit a number. */
const DIGITS = 12;

/**
 * The samplers of OpenTelemetry by their names. With `parentbased_`, a caller decides for its own traces; without, we
 * do. `ratio` holds where no variable says otherwise.
 */
export function readSampler(
  name: string | undefined,
  argument: string | undefined,
  ratio: number,
  warn: (message: string) => void,
): Sampler {
  const asked = name?.trim() || DEFAULT;
  const kind = asked.replace(/^parentbased_/, '');
  const known = KINDS.find((each) => each === kind);
  if (!known)
    warn(`OTEL_TRACES_SAMPLER: '${asked}' is none of ${KINDS.join(', ')}, with or without parentbased_.`);
  const own = byId(known === undefined ? 'traceidratio' : known, argument, ratio, warn);
  const callersDecide = known === undefined || asked !== kind;
  return (traceId, parent) => {
    if (parent && (callersDecide || !parent.remote)) return parent.sampled;
    return own(traceId);
  };
}

function byId(
  kind: (typeof KINDS)[number],
  argument: string | undefined,
  ratio: number,
  warn: (message: string) => void,
): (traceId: string) => boolean {
  if (kind === 'always_on') return () => true;
  if (kind === 'always_off') return () => false;
  const given = argument ? Number(argument) : ratio;
  const isRatio = given >= 0 && given <= 1;
  if (!isRatio) warn('OTEL_TRACES_SAMPLER_ARG: it is a number from 0 to 1.');
  const share = isRatio ? given : ratio;
  return (traceId) => Number.parseInt(traceId.slice(-DIGITS), 16) < share * 16 ** DIGITS;
}
