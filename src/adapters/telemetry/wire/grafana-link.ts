import type { TimeWindow } from '#spec/data';
import type { Connection } from './open-connection.ts';
import { windowMs } from './time-window.ts';

/** The page of Grafana's Explore that shows a query. `link_url` names the Grafana. */
export function exploreLink(
  { link }: Connection,
  datasource: string,
  query: Readonly<Record<string, string>>,
  window: TimeWindow,
): string {
  const { from, to } = windowMs(window);
  const left = {
    datasource,
    queries: [{ refId: 'A', ...query }],
    range: { from: String(from), to: String(to) },
  };
  return link('/explore', { left: JSON.stringify(left) });
}
