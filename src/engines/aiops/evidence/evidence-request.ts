import type { Text } from '#kit/text';
import type { Alert, Incident, Prior, ServiceProfile, Telemetry, Topology } from '#spec/data';
import type { TelemetrySources } from '#spec/ports';
import type { AskedRecord } from './asked-record.ts';

/** How much is taken in, and how long is waited for it. */
export interface EvidenceLimits {
  readonly series: number;
  /** Samples of all series together. */
  readonly samples: number;
  /** In each of the two windows. */
  readonly lines: number;
  readonly spans: number;
  readonly changes: number;
  /** A longer message is shortened. */
  readonly messageChars: number;
  /** Up to so many services all of them are looked at. */
  readonly services: number;
  /** For one question to one backend, for who calls whom, and for everything. */
  readonly sourceMs: number;
  readonly topologyMs: number;
  readonly wholeMs: number;
  /** An incident that is older than this is looked at as it began. */
  readonly incidentMs: number;
  /** How long before the incident a change may have been made. */
  readonly changesMs: number;
}

const MINUTE_MS = 60_000;

export const DEFAULT_LIMITS: EvidenceLimits = {
  series: 4_000,
  samples: 2_000_000,
  lines: 20_000,
  spans: 20_000,
  changes: 500,
  messageChars: 2_000,
  services: 60,
  sourceMs: 15_000,
  topologyMs: 4_000,
  wholeMs: 40_000,
  incidentMs: 120 * MINUTE_MS,
  changesMs: 24 * 60 * MINUTE_MS,
};

export interface EvidenceRequest {
  readonly incident: Pick<
    Incident,
    'id' | 'title' | 'severity' | 'startsAt' | 'service' | 'services' | 'metric'
  >;
  readonly sources: readonly TelemetrySources[];
  readonly alerts: readonly Alert[];
  readonly profiles?: readonly ServiceProfile[];
  /** Who calls whom, as somebody wrote it down. */
  readonly topology?: Topology;
  readonly windows: { readonly baselineMs: number; readonly leadMs: number };
  readonly limits?: Partial<EvidenceLimits>;
  /** What decided before is asked for first. */
  readonly priors?: readonly Prior[];
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** A line of progress for people. */
  readonly report?: (text: string) => void;
}

export interface CollectedEvidence {
  readonly telemetry: Telemetry;
  readonly asked: readonly AskedRecord[];
  /** What could not be looked at, and why. */
  readonly gaps: readonly Text[];
  readonly ms: number;
}
