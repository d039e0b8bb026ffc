import { type HomeIncidents, manualAlert } from '#app/incidents';
import { fail } from '#kit/app-error';
import { API, ApprovalInput } from '#spec/api';
import type { Approval } from '#spec/data';
import type { Route } from '#spec/ports';
import { EVENT_STREAM, resumeAfter } from '../event-frame.ts';
import type { EventHub } from '../event-hub.ts';
import { implement } from '../implement.ts';

const { incidents: INCIDENTS } = API;
const MOST_FACTS = 5_000;

/** The HTTP API of incidents and approvals. */
export function incidentRoutes(incidents: HomeIncidents, hub: EventHub): Route[] {
  const { store, must, regroup } = incidents;
  return [
    implement(INCIDENTS.list, async ({ query: { state, full, service, text, from, before, limit } }) => {
      const read = full ? store.list : store.summaries;
      const body = await read({
        ...(state?.length ? { states: state } : {}),
        ...(service === undefined ? {} : { service }),
        ...(text === undefined ? {} : { text }),
        ...(from === undefined ? {} : { from }),
        ...(before === undefined ? {} : { before }),
        limit,
      });
      return { body };
    }),
    implement(INCIDENTS.open, async ({ body: asked, principal }) => {
      const by = principal?.user;
      const [made] = await incidents.take({
        source: 'api',
        alerts: [manualAlert('api', asked, Date.now())],
        told: 'opened',
        ...(by === undefined ? {} : { by }),
      });
      return { body: { incident: made?.incident, outcome: made?.outcome } };
    }),
    implement(INCIDENTS.show, async ({ params }) => {
      const incident = await must(params.id);
      const [alerts, members, facts] = await Promise.all([
        store.alerts(incident.id),
        store.members(incident.id),
        store.facts(incident.id, 0, MOST_FACTS),
      ]);
      return { body: { incident, alerts, members, facts } };
    }),
    implement(INCIDENTS.evidence, async ({ params }) => {
      const { id, round } = await must(params.id);
      const result = (await incidents.archive.results(id, round))[params.evidence];
      if (!result) throw fail('input.not_found', `${id} has no evidence '${params.evidence}'.`);
      return { body: result };
    }),
    implement(INCIDENTS.report, async ({ params, query: { format, language } }) => {
      const { id } = await must(params.id);
      const { markdown, html } = await incidents.report(id, language);
      return format === 'html'
        ? { headers: HTML, body: html }
        : { headers: { 'content-type': 'text/markdown; charset=utf-8' }, body: markdown };
    }),
    implement(INCIDENTS.close, async ({ params, body: { why }, principal }) => ({
      body: await incidents.closeBy(params.id, principal?.user ?? 'somebody', why),
    })),
    implement(INCIDENTS.merge, async ({ params, body: { into, learn }, principal }) => ({
      body: await regroup.merge(params.id, into, { by: principal?.user ?? 'somebody', learn }),
    })),
    implement(INCIDENTS.move, async ({ params, body: { service, alert, into, learn }, principal }) => {
      const which = {
        ...(service === undefined ? {} : { service }),
        ...(alert === undefined ? {} : { name: alert }),
      };
      const by = principal?.user ?? 'somebody';
      return { body: await regroup.move(params.id, which, into, { by, learn }) };
    }),
    implement(INCIDENTS.groupingRules, async () => ({ body: await regroup.rules() })),
    implement(INCIDENTS.removeGroupingRule, async ({ params, principal }) => {
      const removed = await regroup.removeRule(params.id, principal?.user ?? 'somebody');
      if (!removed) throw fail('input.not_found', `There is no rule '${params.id}'.`);
      return { body: { removed } };
    }),
    implement(INCIDENTS.look, async ({ params }) => {
      await incidents.look((await must(params.id)).id);
      return { body: { looking: true } };
    }),
    implement(INCIDENTS.inbox, async ({ query: { all, limit } }) => ({
      body: await incidents.inbox.list({ limit, ...(all ? {} : { state: 'waiting' as const }) }),
    })),
    implement(INCIDENTS.approvals, async ({ query: { all } }) => {
      const found = await incidents.approvals(all);
      return { body: found.map(shownApproval) };
    }),
    ...[INCIDENTS.approve, INCIDENTS.reject].map((contract) =>
      implement(contract, async ({ params, body: { confirmation }, principal }) => {
        const approval = await incidents.decide(params.id, {
          granted: contract === INCIDENTS.approve,
          by: { channel: principal?.channel ?? '', user: principal?.user ?? '' },
          ...(confirmation === undefined ? {} : { confirmation }),
        });
        return { body: shownApproval(approval) };
      }),
    ),
    implement(INCIDENTS.events, async ({ headers, query, signal }) => ({
      headers: EVENT_STREAM,
      body: hub.listen(resumeAfter(headers, query.after), signal),
    })),
  ];
}

/** The page may be opened in a browser: nothing in it may run or load anything. */
const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
};

/** What a person needs to decide. */
const shownApproval = ({ action, requester, ...approval }: Approval) => ({
  ...approval,
  shown: action.shown,
  input: ApprovalInput.catch({}).parse(action.input),
  incident: requester.session,
});
