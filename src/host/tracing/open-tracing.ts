import { openOtlpExporter } from '#adapters/otlp-export';
import { atomicWrite, readText } from '#adapters/store';
import type { Conversation } from '#engines/session';
import type { WorkflowEvent } from '#engines/skills';
import { isRecord } from '#kit/is-record';
import type { FinishedSpan, IncidentStore, SpanContext, SpanExporter, Tracer } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import type { Redactor } from '../redactor.ts';
import { followIncidents, type IncidentsFollowed } from './follow-incidents.ts';
import { openTracer } from './open-tracer.ts';
import { readTracing } from './read-tracing.ts';
import { tracedTurn } from './turn-spans.ts';
import { workflowSpans } from './workflow-spans.ts';

/** The traces of one home, on their way out. */
export interface HostTracing {
  readonly tracer: Tracer;
  /** How many spans came to which end. */
  counts: SpanExporter['counts'];
  /** The same conversation, with spans of its turns. */
  conversation(
    conversation: Conversation,
    about: { readonly platform: string; readonly parent?: SpanContext | undefined },
  ): Conversation;
  /** The same listener, with spans of what it is told. */
  workflows(report: ((event: WorkflowEvent) => void) | undefined): (event: WorkflowEvent) => void;
  /** Follows the incidents of the home. One process of it does. */
  incidents(store: IncidentStore): { close(): Promise<void> };
  /** Sends what is left, in two seconds at most. */
  close(): Promise<void>;
}

interface TracedHome {
  readonly home: Home;
  readonly loaded: LoadedConfig;
  readonly version: string;
  /** What leaves passes it. */
  readonly redactor: () => Promise<Redactor>;
}

/** Undefined where the settings make no sense: that is told, and nothing fails for it. */
export async function openTracing({
  home,
  loaded,
  version,
  redactor,
}: TracedHome): Promise<HostTracing | undefined> {
  const { deep } = await redactor();
  const warn = (message: string): void => process.emitWarning(message);
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
