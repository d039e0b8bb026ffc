import { howToConnect, type IncidentQuestion, incidentLine } from '#engines/aiops';
import type { Language } from '#kit/language';
import type { OperatorHome } from './operator-home.ts';
import { operatorWords } from './operator-words.ts';

const MOST_CHANGES = 20;
const MOST_LOOKED = 200;
const MOST_LISTED = 10;
const HOUR_MS = 3_600_000;

/** `2026-11-16 05:20 UTC`. */
export const momentOf = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** An approval in words, where nothing can be agreed to: whether it waits, and how a person answers it. */
export async function decisionText(home: OperatorHome, id: string, language: Language): Promise<string> {
  const words = operatorWords(language);
  const pending = await (await home.gate()).pending();
  const waits = pending.some((one) => one.id === id || one.id.endsWith(id) || one.requester.session === id);
  return [
    waits ? words.decideByHand(id) : words.noSuchApproval(id),
    await approvalsText(home, false, language),
  ].join('\n\n');
}

/** What waits for a person, and how one of it is answered. Nothing is ever agreed to from here. */
export async function approvalsText(home: OperatorHome, all: boolean, language: Language): Promise<string> {
  const words = operatorWords(language);
  const pending = await (await home.gate()).pending();
  // What other conversations want is of their people: it is counted by its name alone.
  const lines = pending.map(({ id, requester, action }) =>
    requester.platform === 'incident'
      ? `- \`${id}\` ${requester.session}: ${action.shown} (${action.level})`
      : `- \`${id}\` (${requester.platform})`,
  );
  return [
    ...(all ? [words.noBlanket, ''] : []),
    ...(lines.length ? [words.approvals, ...lines] : [words.noApprovals]),
    '',
    words.approveWith,
  ].join('\n');
}

export async function changesText(
  home: OperatorHome,
  { service, hours }: { readonly service?: string | undefined; readonly hours: number },
  language: Language,
): Promise<string> {
  const words = operatorWords(language);
  const { backends } = await home.incidents();
  const sources = backends.sources.filter(({ changes }) => changes !== undefined);
  if (sources.length === 0) return [words.noChangeSource, ...howToConnect(['changes'], language)].join('\n');
  const now = Date.now();
  const scope = {
    window: { start: new Date(now - hours * HOUR_MS).toISOString(), end: new Date(now).toISOString() },
    limit: MOST_CHANGES,
    ...(service ? { services: [service] } : {}),
  };
  const found = await Promise.all(
    sources.map(async ({ changes }) =>
      changes?.changes(scope, AbortSignal.timeout(10_000)).catch((thrown: unknown) => {
        home.log.warn('part.failed', { part: changes.name, thrown });
        return undefined;
      }),
    ),
  );
  const lines = found
    .flatMap((one) => one?.items ?? [])
    .map(({ time, kind, service: of, summary }) => `- ${time} ${kind} ${of ?? ''}: ${summary}`)
    .slice(0, MOST_CHANGES);
  return lines.length ? [words.changesSeen(hours), ...lines].join('\n') : words.noChanges(hours);
}

/** "What happened last night?": the span that was looked at, and each kind of thing, also where there was none. */
export async function spanText(home: OperatorHome, hours: number, language: Language): Promise<string> {
  const words = operatorWords(language);
  const now = Date.now();
  const { store } = await home.incidents();
  const incidents = (await store.list({ limit: MOST_LOOKED })).filter(
    ({ createdAt, updatedAt }) => Math.max(createdAt, updatedAt) >= now - hours * HOUR_MS,
  );
  const pending = await (await home.gate()).pending();
  return [
    words.lookedAt(momentOf(now - hours * HOUR_MS), momentOf(now)),
    '',
    ...(incidents.length
      ? [
          `${words.incidentsHead}:`,
          ...incidents.slice(0, MOST_LISTED).map((one) => incidentLine(one, language)),
          words.incidentMore,
        ]
      : [`${words.incidentsHead}: ${words.none}`]),
    `${words.changesHead}: ${await changesText(home, { hours }, language)}`,
    `${words.approvalsHead}: ${pending.length ? words.waiting(pending.length) : words.none}`,
  ].join('\n');
}

/** A post-mortem or a hand-over: of what is stored, with the command that writes it. */
export async function documentText(
  home: OperatorHome,
  { kind, hours, service }: Extract<IncidentQuestion, { about: 'document' }>,
  language: Language,
): Promise<string> {
  const words = operatorWords(language);
  const days = Math.max(1, Math.ceil(hours / 24));
  if (kind === 'digest')
    return [await spanText(home, hours, language), '', words.digestWith(days)].join('\n');
  const { store } = await home.incidents();
  const [newest, ...others] = await store.list({ limit: MOST_LISTED, ...(service ? { service } : {}) });
  if (!newest) return [words.noPostMortem(service), words.postMortemWith('ID'), words.incidentHow].join('\n');
  return [
    words.postMortemOf,
    incidentLine(newest, language),
    '',
    words.postMortemWith(newest.id),
    ...(others.length ? ['', words.otherIncidents, ...others.map((one) => incidentLine(one, language))] : []),
  ].join('\n');
}
