import type { Change, IncidentState, MetricSeries, TimeWindow, Topology } from '#spec/data';
import type { Language } from '../language/define-text.ts';

/** What the API gives beyond the records of `#spec/data`. */

export const ROLES = ['viewer', 'operator', 'approver', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export interface Session {
  readonly user: string;
  readonly role: Role;
  readonly authRequired: boolean;
  readonly csrf: string;
}

export interface IncidentFilter {
  readonly states?: readonly IncidentState[];
  readonly service?: string;
  readonly text?: string;
  readonly before?: number;
  readonly limit?: number;
}

export type Health = 'ok' | 'warn' | 'bad' | 'unknown';

export interface ServiceHealth {
  readonly service: string;
  readonly health: Health;
  readonly requestsPerSecond?: number;
  readonly errorRatio?: number;
  readonly p95Ms?: number;
  readonly versions: readonly string[];
}

/** A sentence of the server, in every language. */
type Said = Readonly<Record<Language, string>>;

/** What was asked for series, exactly. */
export interface SeriesQuery {
  readonly source: string;
  readonly query: string;
  readonly link?: string;
  readonly gives: readonly string[];
}

export interface Monitoring {
  readonly services: readonly ServiceHealth[];
  readonly series: readonly MetricSeries[];
  readonly queries: readonly SeriesQuery[];
  readonly changes: readonly Change[];
  readonly topology: Topology;
  readonly gaps: readonly Said[];
  readonly window: TimeWindow;
}

export interface InterfaceState {
  readonly name: string;
  readonly part: string;
  readonly state: 'ready' | 'failing' | 'unproven' | 'missing' | 'off';
  /** When it was last asked, and since when it fails. */
  readonly at?: string;
  readonly since?: string;
  readonly what?: Said;
  readonly fix?: Said;
  /** What to type, or the lines to put into a file. */
  readonly paste?: { readonly text: string; readonly file?: string };
}

export interface Settings {
  readonly interfaces: readonly InterfaceState[];
  readonly version: string;
  readonly profile: string;
  readonly server: {
    readonly pid: number;
    readonly startedAt: string;
    /** Bytes. */
    readonly memory: number;
    readonly listeners: number;
    readonly node: string;
    readonly system: string;
  };
}

interface DemoFault {
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
}

export interface Demo {
  readonly running: boolean;
  readonly faults: readonly DemoFault[];
  readonly active?: string;
}
