import type { Conversation } from '#engines/session';
import type { WorkflowEvent } from '#engines/skills';
import type { IncidentStore, SpanContext, SpanExporter, Tracer } from '#spec/ports';

/** The traces of one home, on their way out. */
export interface HomeTracing {
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
