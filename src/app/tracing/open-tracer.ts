import { createHash, randomBytes } from 'node:crypto';
import type { FinishedSpan, OpenSpan, SpanContext, SpanExporter, Tracer } from '#spec/ports';
import type { Sampler } from './sampler.ts';

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** Spans that begin and end in this process. What is not sampled costs two random ids. */
export const openTracer = (
  exporter: Pick<SpanExporter, 'add'>,
  sampler: Sampler,
  now: () => number,
): Tracer => ({
  begin({ name, kind, parent, at: startMs = now() }): OpenSpan {
    const traceId = parent?.traceId ?? randomBytes(TRACE_BYTES).toString('hex');
    const context: SpanContext = {
      traceId,
      spanId: randomBytes(SPAN_BYTES).toString('hex'),
      sampled: sampler(traceId, parent),
    };
    let ended = false;
    return {
      context,
      end({ name: known = name, attributes = {}, error, at: endMs = now() }) {
        if (ended || !context.sampled) return;
        ended = true;
        const { spanId } = context;
        const parentId = parent?.spanId;
        exporter.add({ traceId, spanId, parentId, name: known, kind, startMs, endMs, attributes, error });
      },
    };
  },
});

/** Ids that follow from what a span is about: whoever tells of it again, after a crash, tells of the same span. */
export const traceIdOf = (about: string): string => derived(`trace ${about}`, TRACE_BYTES);
export const spanIdOf = (about: string): FinishedSpan['spanId'] => derived(`span ${about}`, SPAN_BYTES);

const derived = (text: string, bytes: number): string =>
  createHash('sha256')
    .update(`hermes ${text}`)
    .digest('hex')
    .slice(0, bytes * 2);
