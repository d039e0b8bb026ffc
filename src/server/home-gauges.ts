import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { HomeIncidents } from '#app/incidents';
import { OPEN_STATES } from '#spec/data';
import type { EventHub } from './event-hub.ts';
import type { ServerGauge } from './server-metrics.ts';

const MOST_OPEN = 10_000;

/** Numbers of the home that is served. `close` ends the measuring. */
export function homeGauges(
  incidents: HomeIncidents,
  hub: EventHub,
  spans?: () => ReadonlyMap<string, number>,
): { readonly gauges: readonly ServerGauge[]; close(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const gauges: readonly ServerGauge[] = [
    {
      name: 'hermes_incidents_open',
      help: 'Incidents that have not ended, by state.',
      label: 'state',
      async read() {
        const open = await incidents.store.summaries({ states: OPEN_STATES, limit: MOST_OPEN });
        const counts = new Map(OPEN_STATES.map((state): [string, number] => [state, 0]));
        for (const { state } of open) counts.set(state, (counts.get(state) ?? 0) + 1);
        return counts;
      },
    },
    {
      name: 'hermes_approvals_waiting',
      help: 'Requests for agreement that wait for somebody.',
      read: async () => (await incidents.approvals(false)).length,
    },
    { name: 'hermes_flows_running', help: 'Incidents being worked on.', read: () => incidents.busy() },
    { name: 'hermes_event_clients', help: 'Listeners to events.', read: () => hub.clients() },
    {
      name: 'hermes_event_loop_delay_seconds',
      help: 'How late the event loop was since the last reading, 99th percentile.',
      read() {
        const seconds = delay.percentile(99) / 1e9;
        delay.reset();
        return Number.isFinite(seconds) ? seconds : 0;
      },
    },
    ...(spans
      ? [
          {
            name: 'hermes_trace_spans_total',
            help: 'Spans of Hermes itself, by what became of them: exported, or why they were dropped.',
            label: 'outcome',
            read: spans,
          },
        ]
      : []),
  ];
  return { gauges, close: () => void delay.disable() };
}
