import type { Change } from '#spec/data';
import type { AskedQuery, Collected, TelemetryScope } from '#spec/ports';
import { fail } from '#kit/app-error';

/** The window in milliseconds since the epoch; both ends belong to it. */
export function windowOf({ window }: TelemetryScope): { readonly fromMs: number; readonly toMs: number } {
  const [fromMs, toMs] = [Date.parse(window.start), Date.parse(window.end)];
  if (!(fromMs <= toMs)) throw fail('input.invalid', 'The window ends before it begins.');
  return { fromMs, toMs };
}

/** Changes of the window and the services, the oldest first; where there are too many, the newest are kept. */
export function collectChanges(
  found: readonly Change[],
  scope: TelemetryScope,
  asked: readonly AskedQuery[],
  cut = false,
): Collected<Change> {
  const { fromMs, toMs } = windowOf(scope);
  const wanted = found
    .filter(({ time }) => Date.parse(time) >= fromMs && Date.parse(time) <= toMs)
    .filter(({ service }) => !scope.services || service === undefined || scope.services.includes(service))
    .toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
  const items = scope.limit > 0 ? wanted.slice(-scope.limit) : [];
  return { items, asked, cut: cut || items.length < wanted.length };
}
