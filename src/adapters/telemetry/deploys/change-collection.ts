import type { Change } from '#spec/data';
import type { AskedQuery, Collected, TelemetryScope } from '#spec/ports';
import { windowMs } from '../wire/time-window.ts';

/** Changes of the window and the services, the oldest first; where there are too many, the newest are kept. */
export function collectChanges(
  found: readonly Change[],
  scope: TelemetryScope,
  asked: readonly AskedQuery[],
  cut = false,
): Collected<Change> {
  const { from, to } = windowMs(scope.window);
  const wanted = found
    .filter(({ time }) => Date.parse(time) >= from && Date.parse(time) <= to)
    .filter(({ service }) => !scope.services || service === undefined || scope.services.includes(service))
    .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
  const items = scope.limit > 0 ? wanted.slice(-scope.limit) : [];
  return { items, asked, cut: cut || items.length < wanted.length };
}
