import { readReport } from '#engines/aiops';
import { routeMessage } from '#engines/memory';
import { asText } from '#kit/text';
import { dropHidden } from '#kit/hidden-characters';
import { newId } from '#kit/new-id';
import { redact } from '#kit/redact';
import { type InboxMessage, OPEN_STATES } from '#spec/data';
import { manualAlert } from './manual-alert.ts';
import type { HomeIncidents } from './home-incidents.ts';

const MOST_TITLE = 200;
const MOST_TEXT = 4_000;
/** What somebody tells of in words, without a grade. */
const USUAL = 'P2';

export interface ToldInChannel {
  readonly source: string;
  readonly user: string;
  readonly chat?: string;
  readonly text: string;
}

/**
 * Takes a message of a channel in. What tells of trouble opens an incident or joins one; what names a service that has
 * an open one stands on its timeline; all of it is kept in the inbox and waits there for an answer.
 */
export async function keepMessage(incidents: HomeIncidents, told: ToldInChannel): Promise<InboxMessage> {
  const { source, user, chat } = told;
  const text = redact(dropHidden(told.text)).slice(0, MOST_TEXT);
  const message: InboxMessage = {
    id: newId('msg'),
    source,
    user,
    ...(chat === undefined ? {} : { chat }),
    text,
    at: Date.now(),
    state: 'waiting',
  };
  const incident = await incidentOf(incidents, message);
  const kept = { ...message, ...(incident === undefined ? {} : { incident }) };
  await incidents.inbox.add(kept);
  return kept;
}

async function incidentOf(incidents: HomeIncidents, message: InboxMessage): Promise<string | undefined> {
  const { source, user, text, id, at } = message;
  const report = readReport(text, { services: await incidents.services() });
  const tells = report?.mood === 'tells';
  if (tells && (report.service !== undefined || routeMessage(text).route === 'incident')) {
    const { service, severity = USUAL } = report;
    const alert = manualAlert(source, { title: text.slice(0, MOST_TITLE), service, severity }, at);
    const by = user ? { by: `${source}:${user}` } : {};
    const [made] = await incidents.take({ source, alerts: [alert], told: 'told', ...by });
    return made?.incident;
  }
  if (report?.service === undefined) return undefined;
  const [open] = await incidents.store.list({ states: OPEN_STATES, service: report.service, limit: 1 });
  if (!open) return undefined;
  const what = asText(`${source}${user ? `:${user}` : ''}: ${text.slice(0, MOST_TITLE)}`);
  await incidents.store.record(
    open.id,
    { key: id, facts: [{ type: 'incident.updated', data: { what } }] },
    at,
  );
  return open.id;
}
