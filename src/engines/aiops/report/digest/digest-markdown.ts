import type { Language } from '#kit/language';
import type { DigestSpread, IncidentDigest } from '#spec/data';
import { CATEGORIES, STATES } from '../../names.ts';
import type { Block, Line } from '../block.ts';
import { showDuration } from '../words.ts';
import { writeMarkdown } from '../write-markdown.ts';
import { digestWords, EDITS, OUTCOMES } from './digest-words.ts';

/** So many incidents are named in a line. */
const MOST_NAMED = 8;

/** A digest as Markdown. Pure: the same digest gives the same bytes. */
export function digestMarkdown(digest: IncidentDigest, language: Language): string {
  const words = digestWords(language);
  const title = `${words.title}: ${spanText(digest)}`;
  if (digest.incidents.length === 0 && digest.learned.edits.length === 0)
    return writeMarkdown(title, [{ kind: 'text', text: words.quiet }]);
  return writeMarkdown(title, [
    ...summary(digest, language),
    ...times(digest, language),
    ...overTime(digest, language),
    ...groups(digest, language),
    ...actions(digest, language),
    ...repeated(digest, language),
    ...noise(digest, language),
    ...learned(digest, language),
  ]);
}

/** The last moment belongs to the time: a week ends on Sunday, not on Monday. */
function spanText({ from, to, zone }: IncidentDigest): string {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  const [first, last] = [day.format(from), day.format(to - 1)];
  return `${first === last ? first : `${first} – ${last}`} (${zone})`;
}

function summary(
  { opened, ended, inconclusive, approvals, noise: heard }: IncidentDigest,
  language: Language,
): Block[] {
  const words = digestWords(language);
  const states = (['recovered', 'resolved', 'closed'] as const)
    .filter((state) => ended[state].length)
    .map((state) => `${STATES[state][language]} ${ended[state].length}`);
  const all = ended.recovered.length + ended.resolved.length + ended.closed.length;
  const { granted, denied, expired } = approvals;
  const share = opened.length ? (heard.alerts / opened.length).toFixed(1) : '0';
  const told = `${words.alerts(heard.alerts, heard.deliveries)}, ${words.perIncident(share)}`;
  const rows: readonly (readonly [string, Line])[] = [
    [words.opened, { strong: String(opened.length) }],
    [words.ended, [{ strong: String(all) }, ...(states.length ? [` (${states.join(', ')})`] : [])]],
    [words.inconclusive, { strong: String(inconclusive.length) }],
    [
      words.approvals,
      [
        `${granted.length} ${words.granted}, ${denied.length} ${words.denied}, `,
        `${expired.length} ${words.expired}`,
      ],
    ],
    [words.alertCount, told],
  ];
  return [{ kind: 'list', items: rows.map(([name, line]) => [`${name}: `, ...[line].flat()] as Line) }];
}

function times({ times: took }: IncidentDigest, language: Language): Block[] {
  const words = digestWords(language);
  const row = (name: string, { values, median, p90 }: DigestSpread): Line[] => [
    name,
    String(values.length),
    median === undefined ? '–' : showDuration(median, language),
    p90 === undefined ? '–' : showDuration(p90, language),
  ];
  return [
    { kind: 'heading', level: 2, text: words.times },
    {
      kind: 'table',
      head: [words.what, words.count, words.median, words.p90],
      numbers: [1, 2, 3],
      rows: [
        row(words.detect, took.detect),
        row(words.diagnose, took.diagnose),
        row(words.decide, took.decide),
        row(words.recover, took.recover),
      ],
    },
  ];
}

/** Hours and days in which nothing happened are left out. */
function overTime({ buckets, zone, from, to }: IncidentDigest, language: Language): Block[] {
  const words = digestWords(language);
  const short = buckets.length > 0 && (to - from) / buckets.length < 7_200_000;
  const label = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    ...(short ? { dateStyle: 'short', timeStyle: 'short' } : { dateStyle: 'short' }),
  });
  const busy = buckets.filter(({ opened, ended }) => opened.length + ended.length > 0);
  if (busy.length === 0) return [];
  return [
    { kind: 'heading', level: 2, text: words.days },
    {
      kind: 'table',
      head: [words.time, words.opened, words.ended, words.alertCount, words.recover],
      numbers: [1, 2, 3, 4],
      rows: busy.map(({ start, opened, ended, alerts, recoverMs }) => [
        label.format(start),
        String(opened.length),
        String(ended.length),
        String(alerts),
        recoverMs === undefined ? '–' : showDuration(recoverMs, language),
      ]),
    },
  ];
}

function groups({ services, causes }: IncidentDigest, language: Language): Block[] {
  const words = digestWords(language);
  const counted = (title: string, name: string, rows: readonly (readonly [string, readonly string[]])[]) =>
    section(
      title,
      [name, words.count, words.incidents],
      [1],
      rows.map(([key, ids]) => [key, String(ids.length), named(ids, language)]),
    );
  return [
    ...counted(
      words.services,
      words.service,
      services.map(({ service, incidents }) => [service || words.noService, incidents]),
    ),
    ...counted(
      words.causes,
      words.cause,
      causes.map(({ cause, incidents }) => [
        cause === 'unknown' ? words.unknownCause : CATEGORIES[cause][language],
        incidents,
      ]),
    ),
  ];
}

function actions({ done, notRecovered }: IncidentDigest, language: Language): Block[] {
  const words = digestWords(language);
  return [
    ...section(
      words.done,
      [words.action, words.count, words.helped, words.helpedNot],
      [1, 2, 3],
      done.map(({ operation, incidents, recovered, notRecovered: failed }) => [
        { code: operation },
        String(incidents.length),
        String(recovered.length),
        String(failed.length),
      ]),
    ),
    ...section(
      words.notRecovered,
      [words.incidents, words.action, words.service, words.outcome],
      [],
      notRecovered.map(({ incident, operation, service, status }) => [
        { code: incident },
        { code: operation ?? '–' },
        service ?? '–',
        OUTCOMES[status][language],
      ]),
    ),
  ];
}

const repeated = ({ repeated: faults }: IncidentDigest, language: Language): Block[] => {
  const words = digestWords(language);
  return section(
    words.repeated,
    [words.service, words.cause, words.count, words.incidents],
    [2],
    faults.map(({ service, cause, incidents }) => [
      service || words.noService,
      CATEGORIES[cause][language],
      String(incidents.length),
      named(incidents, language),
    ]),
  );
};

function noise({ noise: { loudest }, incidents }: IncidentDigest, language: Language): Block[] {
  const words = digestWords(language);
  const titles = new Map(incidents.map(({ id, title }) => [id, title]));
  return section(
    words.noise,
    [words.incidents, words.what, words.alertCount, words.deliveries],
    [2, 3],
    loudest.map(({ incident, alerts, deliveries }) => [
      { code: incident },
      titles.get(incident) ?? '',
      String(alerts),
      String(deliveries),
    ]),
  );
}

function learned({ learned: found }: IncidentDigest, language: Language): Block[] {
  const words = digestWords(language);
  const counts = [
    found.lessons.length ? words.lessons(found.lessons.length) : '',
    found.memories ? words.memories(found.memories) : '',
    found.knowledge.length ? words.knowledge(found.knowledge.length) : '',
    found.evalCases.length ? words.evalCases(found.evalCases.length) : '',
  ].filter(Boolean);
  const items: Line[] = [
    ...(counts.length ? [counts.join(', ')] : []),
    ...found.skills.map(({ name, incident }) => [`${words.skill}: `, { code: name }, ` (${incident})`]),
    ...found.workflows.map(({ name, incident }) => [`${words.workflow}: `, { code: name }, ` (${incident})`]),
    ...found.edits.map(({ skill, action }) => [
      `${words.skill}: `,
      { code: skill },
      ` ${EDITS[action][language]}`,
    ]),
  ];
  if (items.length === 0) return [];
  return [
    { kind: 'heading', level: 2, text: words.learned },
    { kind: 'list', items },
  ];
}

/** Nothing at all where there are no rows. */
const section = (
  title: string,
  head: readonly string[],
  numbers: readonly number[],
  rows: readonly (readonly Line[])[],
): Block[] =>
  rows.length === 0
    ? []
    : [
        { kind: 'heading', level: 2, text: title },
        { kind: 'table', head, numbers, rows },
      ];

function named(ids: readonly string[], language: Language): Line {
  const shown = ids.slice(0, MOST_NAMED).flatMap((id, index) => [...(index ? [', '] : []), { code: id }]);
  const rest = ids.length - MOST_NAMED;
  return rest > 0 ? [...shown, ` ${digestWords(language).more(rest)}`] : shown;
}
