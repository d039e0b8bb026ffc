import type { ServiceLabels } from '../wire/connection-settings.ts';
import type { Naming } from './naming.ts';

/** A query whose series become signals. */
export interface SignalQuery {
  readonly query: string;
  /** The label that names the service in an answer. */
  readonly by: string;
  /** The name of the metric; absent where a series is of no use. */
  metric(labels: Readonly<Record<string, string>>): string | undefined;
  /** Put before the name where another query has given the same signal; without it this one gives way. */
  readonly prefix?: string;
}

export interface QueryContext {
  /** Seconds that a rate looks back. */
  readonly rate: number;
  /** In place of the usual ones. */
  readonly versionLabels: readonly string[] | undefined;
  readonly services: ServiceLabels;
  readonly asked: readonly string[] | undefined;
  /** Matchers of every query. */
  readonly everywhere: string;
}

/** All series that are asked for, found by any of the matchers, each changed by `read`. */
export function unionOf(
  { matchers }: Naming,
  select: (matcher: string) => string,
  read: (selected: string) => string,
): string {
  const parts = matchers.map((matcher) => read(select(matcher)));
  return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(' or ')})`;
}
