import { openOtlpExporter } from '#adapters/otlp-export';
import { atomicWrite, readText } from '#adapters/store';
import {
  followIncidents,
  type HomeTracing,
  type IncidentsFollowed,
  openTracer,
  tracedTurn,
  workflowSpans,
} from '#app/tracing';
import type { Redactor } from '#app';
import type { Conversation } from '#engines/session';
import { isRecord } from '#kit/is-record';
import type { FinishedSpan, Logger, SpanExporter } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { readTracing } from './read-tracing.ts';

interface TracedHome {
  readonly home: Home;
  readonly loaded: LoadedConfig;
  readonly version: string;
  /** What leaves passes it. */
  readonly redactor: () => Promise<Redactor>;
  readonly log: Logger;
}

/** Undefined where the settings make no sense: that is told, and nothing fails for it. */
export async function openTracing({
  home,
  loaded,
  version,
  redactor,
  log,
}: TracedHome): Promise<HomeTracing | undefined> {
  const { deep } = await redactor();
  const warn = (error: string): void => log.warn('tracing.failed', { error });
  const settings = readTracing(loaded, version, warn);
  if (!settings) return undefined;
  const { sampler, ...endpoint } = settings;
  const sender = openOtlpExporter({ ...endpoint, scope: { name: 'hermes', version }, onTrouble: warn });
  const exporter: SpanExporter = { ...sender, add: (span) => sender.add(deep(span)) };
  const tracer = openTracer(exporter, sampler, Date.now);
  const add = (span: FinishedSpan): void => {
    if (sampler(span.traceId, undefined)) exporter.add(span);
  };
  let followed: IncidentsFollowed | undefined;
  return {
    tracer,
    counts: exporter.counts,
    conversation: (conversation, about) => {
      const send: Conversation['send'] = (content, signal) =>
        tracedTurn(conversation.send(content, signal), tracer, {
          ...about,
          session: conversation.session.id,
        });
      return Object.create(conversation, { send: { value: send, enumerable: true } }) as Conversation;
    },
    workflows: (report) => {
      const see = workflowSpans(add);
      return (event) => {
        see(event);
        report?.(event);
      };
    },
    incidents: (store) => {
      const file = home.file('tracing.json');
      followed = followIncidents({
        store,
        add,
        progress: exporter.progress,
        now: Date.now,
        readPlace: async () => placeIn(await readText(file)),
        keepPlace: (place) => atomicWrite(file, JSON.stringify({ after: place }), { mode: 0o600 }),
        onTrouble: (thrown) => warn(`Incidents cannot be traced: ${String(thrown)}`),
      });
      return followed;
    },
    close: async () => {
      await exporter.close();
      await followed?.keep();
    },
  };
}

/** Undefined for a file that is not there, or not whole: then it begins anew. */
function placeIn(text: string | undefined): number | undefined {
  try {
    const read = JSON.parse(text ?? '') as unknown;
    const place = isRecord(read) ? read['after'] : undefined;
    return Number.isSafeInteger(place) ? Number(place) : undefined;
  } catch {
    return undefined;
  }
}
