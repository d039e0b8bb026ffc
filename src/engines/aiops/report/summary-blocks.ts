import { RECOVERIES, STATES } from '../names.ts';
import { showNumber } from '../rca/show-number.ts';
import type { Block, Line } from './block.ts';
import { endOf, firstAt, type ReportInput } from './report-input.ts';
import { showDuration, showInstant, wordsOf } from './words.ts';

const MOST_ALERTS = 20;
const MOST_MEMBERS = 50;
const MOST_IMPACT = 6;

/** What happened, how bad it was and how long it took, in numbers. */
export function summaryBlocks(input: ReportInput): Block[] {
  const { incident, facts, language } = input;
  const words = wordsOf(language);
  const start = Date.parse(incident.startsAt);
  const end = endOf(input);
  const after = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : showDuration(at - start, language);
  const rows: (readonly [string, Line | undefined])[] = [
    [words.incident, { code: incident.id }],
    [words.severity, { strong: incident.severity }],
    [words.state, [STATES[incident.state][language], ...(incident.note ? [` – ${incident.note}`] : [])]],
    [words.services, incident.services.join(', ') || incident.service],
    [words.started, showInstant(incident.startsAt)],
    [words.ended, end === undefined ? words.stillOpen : showInstant(end)],
    [words.duration, after(end)],
    [words.detectedAfter, after(incident.createdAt)],
    [words.decidedAfter, after(firstAt(facts, 'rca.concluded'))],
    [words.actedAfter, after(firstAt(facts, 'execution.finished'))],
    [words.alerts, `${incident.alerts} (${incident.source})`],
    [words.rounds, String(incident.round)],
  ];
  return [
    { kind: 'heading', level: 2, text: words.summary },
    {
      kind: 'table',
      head: [words.what, ''],
      rows: rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
    },
    ...impactBlocks(input),
    ...alertBlocks(input),
    ...memberBlocks(input),
  ];
}

/** Before and during, of the checks where recovery was looked at, otherwise of the strongest evidence. */
function impactBlocks({ incident, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  const checks = (incident.recovery?.checks ?? []).filter(({ during }) => during !== undefined);
  const measured = (incident.rca?.evidence ?? [])
    .filter(({ baseline, during }) => baseline !== undefined && during !== undefined)
    .toSorted((one, other) => other.score - one.score);
  const rows: Line[][] = checks.length
    ? checks.map(({ dimension, usual, during, unit }) => [
        RECOVERIES[dimension][language],
        number(usual),
        number(during),
        unit,
      ])
    : measured.map(({ summary, baseline, during }) => [summary, number(baseline), number(during), '']);
  if (!rows.length) return [];
  return [
    { kind: 'heading', level: 3, text: words.impact },
    {
      kind: 'table',
      head: [words.what, words.usual, words.during, words.unit],
      rows: rows.slice(0, MOST_IMPACT),
      numbers: [1, 2],
    },
  ];
}

const number = (value: number | undefined): string => (value === undefined ? '–' : showNumber(value));

function alertBlocks({ incident, alerts, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  if (!alerts.length) return [];
  const rows = alerts
    .slice(0, MOST_ALERTS)
    .map(({ startsAt, severity, status, title, service, labels }): Line[] => [
      showInstant(startsAt),
      severity,
      status,
      title,
      service ?? '',
      Object.entries(labels)
        .map(([name, value]) => `${name}=${value}`)
        .join(' '),
    ]);
  const left = Math.max(incident.alerts, alerts.length) - rows.length;
  return [
    { kind: 'heading', level: 3, text: words.alerts },
    {
      kind: 'table',
      head: [words.started, words.severity, words.status, words.what, words.service, words.labels],
      rows,
    },
    ...(left > 0 ? [{ kind: 'note' as const, text: `+${left} ${words.more}` }] : []),
  ];
}

/** Where alerts of several kinds are one incident: why. */
function memberBlocks({ members, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  if (members.length < 2) return [];
  const rows = members
    .slice(0, MOST_MEMBERS)
    .map(({ service, name, severity, alerts, why }): Line[] => [
      service ?? '',
      name,
      severity,
      String(alerts),
      why ?? words.openedIt,
    ]);
  const left = members.length - rows.length;
  return [
    { kind: 'heading', level: 3, text: words.together },
    {
      kind: 'table',
      head: [words.service, words.what, words.severity, words.alerts, words.why],
      rows,
      numbers: [3],
    },
    ...(left > 0 ? [{ kind: 'note' as const, text: `+${left} ${words.more}` }] : []),
  ];
}
