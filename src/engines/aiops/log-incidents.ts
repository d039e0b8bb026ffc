import { spoken } from '#kit/text';
import type { IncidentFacts, LogFields } from '#spec/data';
import type { Admission, IncidentStore, Logger, NewFact } from '#spec/ports';

type Written = Pick<IncidentStore, 'admit' | 'record'>;

/** The same store, which tells the log of everything that is written to an incident. */
export function logIncidents<S extends Written>(store: S, log: Logger): S {
  const logged: Written = {
    admit: async (delivery, place, at) => {
      const admissions = await store.admit(delivery, place, at);
      const titles = new Map(delivery.alerts.map((alert) => [alert.fingerprint, alert]));
      for (const [first, ...more] of together(admissions)) {
        if (!first) continue;
        const { incident, outcome, fingerprint } = first;
        const { title, severity, service } = titles.get(fingerprint) ?? {};
        const fields = { incident, source: delivery.source, outcome, alerts: more.length + 1 };
        // The same alert is sent again and again while it fires.
        const tell = outcome === 'known' ? log.debug : log.info;
        tell('alerts.taken', { ...fields, title, severity, service });
      }
      return admissions;
    },
    record: async (id, entry, at) => {
      const incident = await store.record(id, entry, at);
      for (const fact of entry.facts) {
        const tell = WORRYING.has(fact.type) ? log.warn : log.info;
        tell(fact.type, { incident: id, ...fieldsOf(fact) });
      }
      return incident;
    },
  };
  return { ...store, ...logged };
}

const WORRYING: ReadonlySet<keyof IncidentFacts> = new Set([
  'rca.inconclusive',
  'approval.denied',
  'approval.expired',
  'approval.refused',
  'execution.refused',
  'recovery.failed',
]);

/** What came to the same end in the same incident is one line. */
function together(admissions: readonly Admission[]): Iterable<readonly Admission[]> {
  return Map.groupBy(admissions, ({ incident, outcome }) => `${outcome} ${incident ?? ''}`).values();
}

/** The short of a fact; all of it is kept with the incident. */
function fieldsOf(stored: NewFact): LogFields {
  // The log speaks one language.
  const fact = spoken(stored, 'en');
  switch (fact.type) {
    case 'alert.normalized': {
      const { title, severity, service, status } = fact.data.alert;
      return { title, severity, service, status };
    }
    case 'rca.read': {
      const { model, round, outcome, said } = fact.data.reading;
      return { model, round, outcome, said };
    }
    case 'action.proposed': {
      const { operation, service, risk, reason } = fact.data.action;
      return { operation, service, risk, reason };
    }
    case 'execution.finished': {
      const { status, detail } = fact.data.execution;
      return { status, detail };
    }
    case 'recovery.verified':
    case 'recovery.failed': {
      const { status, checks } = fact.data.recovery;
      return { status, good: checks.filter(({ ok }) => ok === true).length, checks: checks.length };
    }
    case 'lesson.recorded': {
      const { memories, skill, workflow, knowledge } = fact.data.lesson;
      return { memories: memories.length, skill, workflow, knowledge };
    }
    default:
      return fact.data;
  }
}
