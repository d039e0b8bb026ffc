import { z } from 'zod';
import { type HomeIncidents, manualAlert } from '#host';
import { fail } from '#kit/app-error';
import {
  type Approval,
  InboxMessage,
  Incident,
  INCIDENT_STATES,
  IncidentSummary,
  SEVERITIES,
} from '#spec/data';
import { defineRoute, type Principal, type Route, type RouteRequest } from '#spec/ports';
import type { EventHub } from '../event-hub.ts';
import { resumeAfter } from '../event-frame.ts';
import { readJson, readNumber } from './read-json.ts';

const MOST_LISTED = 500;
const MOST_FACTS = 5_000;

const Create = z.strictObject({
  title: z.string().min(1).max(500),
  service: z.string().max(200).optional(),
  severity: z.enum(SEVERITIES).default('P3'),
  metric: z.string().max(200).optional(),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
  startsAt: z.iso.datetime({ offset: true }).optional(),
});
const Decide = z.strictObject({ confirmation: z.string().max(200).optional() });
const Close = z.strictObject({ why: z.string().min(1).max(500) });
const States = z.array(z.enum(INCIDENT_STATES));

const LISTED = {
  state: 'in one of these states, with commas between',
  service: 'of this service',
  text: 'with this in them',
  before: 'made before this, in milliseconds since the epoch',
  limit: 'at most so many, 50 unless said otherwise',
  full: '`true`: whole records, with verdicts and evidence',
};
const REPORT = { format: 'html or md', language: 'en or zh' };

/** The HTTP API of incidents and approvals. */
export function incidentRoutes(incidents: HomeIncidents, hub: EventHub): Route[] {
  const { store, must } = incidents;
  const decide = (granted: boolean) => async (request: RouteRequest) => {
    const { confirmation } = readJson(request, Decide, {});
    const approval = await incidents.decide(request.params['id'] ?? '', {
      granted,
      by: approverOf(request.principal),
      ...(confirmation === undefined ? {} : { confirmation }),
    });
    return { status: 200, body: shownApproval(approval) };
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/api/incidents',
      access: 'read',
      about: {
        summary: 'Incidents, newest first',
        query: LISTED,
        answer: z.array(z.union([IncidentSummary, Incident])),
      },
      handle: async ({ query }) => {
        const states = query.get('state')?.split(',').filter(Boolean);
        const checked = states?.length ? States.safeParse(states) : undefined;
        if (checked?.success === false)
          throw fail('input.invalid', `state: it is one of ${INCIDENT_STATES.join(', ')}.`);
        const read = query.get('full') === 'true' ? store.list : store.summaries;
        const body = await read({
          ...(checked ? { states: checked.data } : {}),
          ...optional('service', query.get('service')),
          ...optional('text', query.get('text')),
          ...(query.get('before') ? { before: readNumber(query, 'before', Number.MAX_SAFE_INTEGER) } : {}),
          limit: readNumber(query, 'limit', MOST_LISTED, 50),
        });
        return { status: 200, body };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/incidents',
      access: 'write',
      about: { summary: 'Open an incident by hand', body: Create },
      handle: async (request) => {
        const asked = readJson(request, Create);
        const by = request.principal?.user;
        const [made] = await incidents.take({
          source: 'api',
          alerts: [manualAlert('api', asked, Date.now())],
          ...(by === undefined ? {} : { by }),
        });
        return { status: 201, body: { incident: made?.incident, outcome: made?.outcome } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/incidents/:id',
      access: 'read',
      about: { summary: 'An incident with its alerts and its timeline' },
      handle: async ({ params }) => {
        const incident = await must(params['id'] ?? '');
        const [alerts, facts] = await Promise.all([
          store.alerts(incident.id),
          store.facts(incident.id, 0, MOST_FACTS),
        ]);
        return { status: 200, body: { incident, alerts, facts } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/incidents/:id/evidence/:evidence',
      access: 'read',
      about: { summary: 'What a piece of evidence rests on' },
      handle: async ({ params }) => {
        const { id, round } = await must(params['id'] ?? '');
        const result = (await incidents.archive.results(id, round))[params['evidence'] ?? ''];
        if (!result) throw fail('input.not_found', `${id} has no evidence '${params['evidence']}'.`);
        return { status: 200, body: result };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/incidents/:id/report',
      access: 'read',
      about: { summary: 'The post-mortem', query: REPORT },
      handle: async ({ params, query }) => {
        const { id } = await must(params['id'] ?? '');
        const { markdown, html } = await incidents.report(id, query.get('language') === 'zh' ? 'zh' : 'en');
        return query.get('format') === 'html'
          ? { status: 200, headers: HTML, body: html }
          : { status: 200, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body: markdown };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/incidents/:id/close',
      access: 'write',
      about: { summary: 'Close an incident by hand', body: Close },
      handle: async (request) => {
        const { why } = readJson(request, Close);
        const by = request.principal?.user ?? 'somebody';
        return { status: 200, body: await incidents.closeBy(request.params['id'] ?? '', by, why) };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/incidents/:id/look',
      access: 'write',
      about: { summary: 'Have it looked at again now' },
      handle: async ({ params }) => {
        await incidents.look((await must(params['id'] ?? '')).id);
        return { status: 202, body: { looking: true } };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/inbox',
      access: 'read',
      about: {
        summary: 'What people wrote in channels, newest first',
        query: { all: '`true`: also what was answered', limit: LISTED.limit },
        answer: z.array(InboxMessage),
      },
      handle: async ({ query }) => ({
        status: 200,
        body: await incidents.inbox.list({
          limit: readNumber(query, 'limit', MOST_LISTED, 50),
          ...(query.get('all') === 'true' ? {} : { state: 'waiting' as const }),
        }),
      }),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/approvals',
      access: 'read',
      about: { summary: 'Requests for agreement', query: { all: '`true`: also those that were decided' } },
      handle: async ({ query }) => {
        const found = await incidents.approvals(query.get('all') === 'true');
        return { status: 200, body: found.map(shownApproval) };
      },
    }),
    ...(['approve', 'reject'] as const).map((word) =>
      defineRoute({
        method: 'POST',
        path: `/api/approvals/:id/${word}`,
        access: 'approve',
        person: word === 'approve',
        about: { summary: `${word} what an incident proposes`, body: Decide },
        handle: decide(word === 'approve'),
      }),
    ),
    defineRoute({
      method: 'GET',
      path: '/api/events',
      access: 'read',
      about: {
        summary: 'Every new fact of every incident as server-sent events',
        query: { after: 'the place to go on from' },
      },
      handle: async (request) => {
        return {
          status: 200,
          headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
          body: hub.listen(resumeAfter(request), request.signal),
        };
      },
    }),
  ];
}

/** The page may be opened in a browser: nothing in it may run or load anything. */
const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
};

const approverOf = (principal: Principal | undefined) => ({
  channel: principal?.channel ?? '',
  user: principal?.user ?? '',
});

/** What a person needs to decide. */
const shownApproval = ({ action, requester, ...approval }: Approval) => ({
  ...approval,
  shown: action.shown,
  input: action.input,
  incident: requester.session,
});

const optional = <K extends string>(key: K, value: string | null): { [P in K]?: string } =>
  value ? ({ [key]: value } as { [P in K]: string }) : {};
