import { z } from 'zod';
import { Text, withSaid } from './text.ts';

/** An instant as people write it: ISO 8601 with a zone. */
const Instant = z.iso.datetime({ offset: true });

/** Both ends belong to it. */
export const TimeWindow = z.object({ start: Instant, end: Instant });
export type TimeWindow = z.infer<typeof TimeWindow>;

/** `incident.json`: what an alert said, and which times to compare. */
export const IncidentBundle = z.object({
  id: z.string().min(1),
  title: z.string(),
  severity: z.string(),
  startsAt: Instant,
  /** The service that the alert names. */
  service: z.string().optional(),
  /** The metric that the alert names. */
  metric: z.string().optional(),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
  /** Times without the incident. It ends before the incident begins. */
  baseline: TimeWindow,
  incident: TimeWindow,
  /** Files of other folders that belong to this bundle, relative to its own folder. */
  include: z.array(z.string()).optional(),
});
export type IncidentBundle = z.infer<typeof IncidentBundle>;

/** One metric of one service. Times are unix seconds, rising; a missing value is a missing sample. */
export const MetricSeries = z.object({
  service: z.string(),
  metric: z.string(),
  times: z.array(z.number()),
  values: z.array(z.number()),
});
export type MetricSeries = z.infer<typeof MetricSeries>;

/** Time is unix seconds. */
export const LogLine = z.object({
  time: z.number(),
  service: z.string(),
  pod: z.string().optional(),
  level: z.string().optional(),
  message: z.string(),
  traceId: z.string().optional(),
  spanId: z.string().optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
});
export type LogLine = z.infer<typeof LogLine>;

/** Span ids are unique within their trace only. `start` is unix seconds. */
export const SpanRecord = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentId: z.string().nullish(),
  service: z.string(),
  operation: z.string(),
  start: z.number(),
  durationMs: z.number(),
  error: z.boolean().optional(),
  status: z.union([z.string(), z.number()]).optional(),
  attributes: z.record(z.string(), z.unknown()).optional(),
});
export type SpanRecord = z.infer<typeof SpanRecord>;

export const CHANGE_KINDS = ['deploy', 'commit', 'config', 'flag', 'release'] as const;

/** Something that people did to the system. A deploy names the commit that it brings in `details.commit`. */
export const Change = z.object({
  id: z.string().min(1),
  kind: z.enum(CHANGE_KINDS),
  service: z.string().optional(),
  time: Instant,
  summary: z.string(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type Change = z.infer<typeof Change>;

/** Who calls whom: `from` is the caller. */
export const Topology = z.object({ edges: z.array(z.object({ from: z.string(), to: z.string() })) });
export type Topology = z.infer<typeof Topology>;

/** Everything that is known about one incident. An absent list means that there is no such evidence. */
export const Telemetry = z.object({
  bundle: IncidentBundle,
  metrics: z.array(MetricSeries),
  logs: z.array(LogLine),
  spans: z.array(SpanRecord),
  changes: z.array(Change).optional(),
  topology: Topology.optional(),
});
export type Telemetry = z.infer<typeof Telemetry>;

export const CAUSE_CATEGORIES = [
  'deploy_regression',
  'connection_pool',
  'dependency_timeout',
  'rate_limit',
  'hot_key',
  'database_latency',
  'resource_exhaustion',
  'network_delay',
  'bad_config',
  'certificate',
  'disk',
  'crash_loop',
  'traffic_surge',
  'external',
  /** A fault inside one service, of a kind that the evidence does not tell. */
  'service_fault',
  'none',
] as const;
export const CauseCategory = z.enum(CAUSE_CATEGORIES);
export type CauseCategory = z.infer<typeof CauseCategory>;

export const EVIDENCE_KINDS = ['metric', 'log', 'trace', 'change', 'topology', 'gap'] as const;

/** One thing that was looked up, with its numbers. Everything that is claimed cites these by id. */
export const Evidence = z.preprocess(
  withSaid('summary'),
  z.object({
    id: z.string(),
    kind: z.enum(EVIDENCE_KINDS),
    service: z.string().optional(),
    summary: Text,
    /** The series that it tells of. */
    series: z.object({ service: z.string(), metric: z.string() }).optional(),
    /** What to ask again to see the same. */
    query: z.string(),
    /** Which backend answered, and where a person can look at it. */
    source: z.string().optional(),
    link: z.string().optional(),
    window: TimeWindow,
    baseline: z.number().optional(),
    during: z.number().optional(),
    /** How much it weighs: 0 is nothing, 1 is as much as one thing can say. */
    score: z.number(),
    /** Since when. */
    at: Instant.optional(),
  }),
);
export type Evidence = z.infer<typeof Evidence>;

export const Hypothesis = z.preprocess(
  withSaid('why'),
  z.object({
    category: CauseCategory,
    service: z.string().optional(),
    /** What `service` names where it is no service of ours: nothing is done to it but by a person. */
    place: z.enum(['machine', 'outside']).optional(),
    /** The change that caused it. */
    change: z.string().optional(),
    /**
     * Whether enough speaks for `change` to propose undoing it: blaming may be wrong, undoing an innocent one harms. False:
     * enough does, and a second reader doubts it.
     */
    undo: z.boolean().optional(),
    confidence: z.number().min(0).max(1),
    /** What the evidence alone is worth, where a second reader moved the confidence: nothing is done on its word. */
    unread: z.number().min(0).max(1).optional(),
    supports: z.array(z.string()),
    refutes: z.array(z.string()),
    why: Text,
  }),
);
export type Hypothesis = z.infer<typeof Hypothesis>;

/** What a query gave: the numbers, lines and spans behind one piece of evidence. */
export const EvidenceResult = z.object({
  series: z.array(MetricSeries).optional(),
  lines: z.array(LogLine).optional(),
  spans: z.array(SpanRecord).optional(),
  changes: z.array(Change).optional(),
});
export type EvidenceResult = z.infer<typeof EvidenceResult>;

export const Rca = z.object({
  status: z.enum(['concluded', 'inconclusive', 'no_incident']),
  /** The likeliest first. */
  hypotheses: z.array(Hypothesis),
  evidence: z.array(Evidence),
  /** What was not there to look at. */
  missing: z.array(Text),
  /** The question whose answer would decide. */
  nextQuery: Text.optional(),
});
export type Rca = z.infer<typeof Rca>;

/** What a hypothesis is about. */
const Cause = z.object({
  category: CauseCategory,
  service: z.string().optional(),
  change: z.string().optional(),
});
export type Cause = z.infer<typeof Cause>;

/**
 * `asked`: no answer yet. `unanswered`: no answer, or none that could be read. `unfounded`: it cited or quoted what it was
 * not shown. `divided`: another answer for another order of the same hypotheses. `answered`: twice the same.
 */
const READING_OUTCOMES = ['asked', 'unanswered', 'unfounded', 'divided', 'answered'] as const;

/** What a model said as the second reader of a root cause. Only what it `answered` counts. */
export const Reading = z.object({
  model: z.string(),
  /** The round whose evidence it was shown. */
  round: z.number().int(),
  outcome: z.enum(READING_OUTCOMES),
  /** What it said and what became of it. */
  said: Text,
  shown: z.array(Cause),
  /** The cause that it names; of category `none` where it is none of those. */
  verdict: Cause.optional(),
  /** Evidence of its round that it cites, and a line of what it was shown. */
  evidence: z.array(z.string()),
  quote: z.string().optional(),
  /** What it would look at next. */
  query: Text.optional(),
});
export type Reading = z.infer<typeof Reading>;
