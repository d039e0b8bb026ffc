import { closeByHand, type IncidentInput } from '#engines/aiops';
import { fail, messageOf, toErrorRecord } from '#kit/app-error';
import { tell } from '#kit/text';
import { newId } from '#kit/new-id';
import { type Approval, type Approver, type Incident, OPEN_STATES } from '#spec/data';
import type { Admission, DurableEngine, Flow, IncidentLists, IncidentStore, Logger } from '#spec/ports';
import type { HomeGate } from '../approvals/home-gate.ts';
import { closingTeller } from './closing-teller.ts';

const MOST_OPEN = 10_000;

interface MoveParts {
  readonly store: IncidentStore & IncidentLists;
  readonly flows: DurableEngine;
  readonly flow: Flow<IncidentInput>;
  readonly gate: HomeGate;
  readonly log: Logger;
}

/** What moves incidents on: alerts, answers, people. */
export function incidentMoves({ store, flows, flow, gate, log }: MoveParts) {
  const tellClosings = closingTeller({
    store,
    flows,
    now: Date.now,
    report: (incident, thrown) => log.warn('part.failed', { part: 'closing', incident, thrown }),
  });
  const begin = (incident: string) => flows.start(flow, incident, { incident });
  /** Begins its flow, or tells it that alerts have changed. */
  const changed = async (incident: string): Promise<void> => {
    if (!(await begin(incident))) await flows.signal(incident, 'alerts.changed', {}, newId('alerts'));
  };
  const must = async (id: string): Promise<Incident> => {
    const found = await store.get(id);
    if (!found)
      throw fail(
        'input.not_found',
        tell(`There is no incident '${id}'.`, `没有事故 '${id}'。`),
        'hermes incident list --all',
      );
    return found;
  };
  return {
    must,
    changed,
    follow: async (admissions: readonly Admission[]): Promise<void> => {
      const touched = new Set(
        admissions.flatMap(({ incident, outcome }) =>
          incident === undefined || outcome === 'known' ? [] : [incident],
        ),
      );
      // A flow that does not hear of it here hears of it when it is looked for closings.
      for (const incident of new Set(admissions.flatMap(({ merged = [] }) => merged))) {
        touched.delete(incident);
        await flows.signal(incident, 'incident.closed', {}, 'closed');
      }
      for (const incident of touched) await changed(incident);
    },
    /**
     * What a process wrote down and did not live to pass on: incidents that were not begun, answers, alerts that have gone
     * away, closings. To tell a flow again what it knows changes nothing.
     */
    sweep: async (): Promise<void> => {
      const open = await store.list({ states: OPEN_STATES, limit: MOST_OPEN });
      for (const { id, state, approval, firing, updatedAt } of open) {
        if (await begin(id)) continue;
        const request =
          state === 'awaiting_approval' && approval ? await gate.approvals.get(approval) : undefined;
        if (request && request.state !== 'pending')
          await flows.signal(id, 'approval.decided', { approval }, `decided ${request.id}`);
        if (firing === 0) await flows.signal(id, 'alerts.changed', {}, `gone ${updatedAt}`);
      }
      await tellClosings();
    },
    decide: async (
      id: string,
      {
        by,
        ...decision
      }: { readonly granted: boolean; readonly confirmation?: string; readonly by: Approver },
    ): Promise<Approval> => {
      const request = await gate.approvals.get(id);
      if (request?.requester.platform !== 'incident')
        throw fail(
          'input.not_found',
          tell(`There is no request '${id}'.`, `没有请求 '${id}'。`),
          'hermes incident list',
        );
      const { session: incident } = request.requester;
      try {
        const decided = await gate.decide(id, { ...decision, scope: 'once', by });
        await flows.signal(incident, 'approval.decided', { approval: id }, `decided ${id}`);
        return decided;
      } catch (thrown) {
        const why = messageOf(toErrorRecord(thrown));
        await store.record(
          incident,
          {
            key: newId('refused'),
            facts: [
              { type: 'approval.refused', data: { approval: id, by: `${by.channel}:${by.user}`, why } },
            ],
          },
          Date.now(),
        );
        throw thrown;
      }
    },
    closeBy: async (id: string, by: string, why: string): Promise<Incident> => {
      const closed = await closeByHand(await must(id), { by, why }, { store, now: Date.now });
      await flows.signal(id, 'incident.closed', {}, 'closed');
      return closed;
    },
  };
}
