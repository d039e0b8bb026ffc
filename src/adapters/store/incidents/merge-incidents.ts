import { fail } from '#kit/app-error';
import { tell, type Text } from '#kit/text';
import { type Incident, type Severity, SEVERITIES } from '#spec/data';
import type { AlertsOf } from '#spec/ports';
import type { AlertTable } from './alert-table.ts';
import type { IncidentTable } from './incident-table.ts';
import { newIncident } from './new-incident.ts';

/** So many services of an incident are listed by name; its members tell of the others. */
export const MOST_SERVICES = 200;

/** Makes one incident part of another: its alerts move, it is closed, and both tell of it. To be called within a transaction. */
export function mergeIncidents(table: IncidentTable, alerts: AlertTable) {
  return (from: string, to: string, why: Text, at: number): Incident => {
    const [gone, kept] = [table.must(from), table.must(to)];
    const counts = alerts.moveAll(gone.n, kept.n, why);
    const { title, id } = gone.incident;
    const starts = [kept.incident.startsAt, gone.incident.startsAt];
    const { incident } = table.change(
      kept,
      {
        ...counts,
        services: [...new Set([...kept.incident.services, ...gone.incident.services])].slice(
          0,
          MOST_SERVICES,
        ),
        heard: sumOf(kept.incident.heard, gone.incident.heard),
        severity: worse(kept.incident.severity, gone.incident.severity),
        startsAt:
          starts.toSorted((one, other) => Date.parse(one) - Date.parse(other))[0] ?? kept.incident.startsAt,
      },
      at,
    );
    table.tell(
      kept.n,
      [
        {
          type: 'incident.updated',
          data: {
            what: tell(`${id} (${title}) became part of it: ${why.en}`, `${id}(${title})并入:${why.zh}`),
          },
        },
      ],
      at,
    );
    const note = tell(`It became part of ${to}: ${why.en}`, `已并入 ${to}:${why.zh}`);
    table.change(gone, { state: 'closed', closedAt: at, mergedInto: to, note, alerts: 0, firing: 0 }, at);
    table.tell(gone.n, [{ type: 'incident.closed', data: { state: 'closed', why: note } }], at);
    return incident;
  };
}

/**
 * Takes some alerts of an incident out into another, which is opened where there is none of that id; then it is as one that a
 * person opened. To be called within a transaction.
 */
export function moveAlerts(table: IncidentTable, alerts: AlertTable) {
  return (from: string, which: AlertsOf, into: string, why: Text, at: number): Incident => {
    const source = table.must(from);
    const first = alerts.first(source.n, which);
    if (!first)
      throw fail('input.not_found', tell(`${from} has no such alerts.`, `${from} 没有这样的告警。`));
    const target = table.get(into) ?? table.add({ ...newIncident(into, first, at), byHand: true });
    alerts.moveSome(source.n, which, target.n, why);
    const left = alerts.sum(source.n, MOST_SERVICES);
    if (left.alerts === 0)
      throw fail(
        'input.conflict',
        tell(`Nothing would be left of ${from}: merge it instead.`, `${from} 将不剩任何告警:请改用合并。`),
      );
    table.change(source, left, at);
    const { incident } = table.change(target, alerts.sum(target.n, MOST_SERVICES), at);
    const { title } = first;
    const what = (text: Text) => ({ type: 'incident.updated' as const, data: { what: text } });
    table.tell(
      source.n,
      [what(tell(`${title} moved to ${into}: ${why.en}`, `${title} 移到 ${into}:${why.zh}`))],
      at,
    );
    table.tell(
      target.n,
      [what(tell(`${title} came from ${from}: ${why.en}`, `${title} 来自 ${from}:${why.zh}`))],
      at,
    );
    return incident;
  };
}

function sumOf(one: Incident['heard'] = {}, other: Incident['heard'] = {}): Incident['heard'] {
  const sum = { ...one };
  for (const [service, heard] of Object.entries(other)) sum[service] = (sum[service] ?? 0) + heard;
  return sum;
}

export const worse = (one: Severity, other: Severity): Severity =>
  SEVERITIES.indexOf(other) < SEVERITIES.indexOf(one) ? other : one;
