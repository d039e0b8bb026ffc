import { type PastAlert, replayGrouping } from '#engines/aiops';
import { fail } from '#kit/app-error';
import { isRegroupable } from '#kit/is-regroupable';
import { newId } from '#kit/new-id';
import { tell, type Text } from '#kit/text';
import { ENDED_STATES, type Incident, type Requester, type Topology } from '#spec/data';
import type {
  AlertsOf,
  AuditLog,
  DurableEngine,
  GroupingRule,
  IncidentGroups,
  IncidentStore,
} from '#spec/ports';

interface Parts {
  readonly store: IncidentStore & IncidentGroups;
  readonly must: (id: string) => Promise<Incident>;
  /** Has an incident gone on with that was opened or whose alerts have changed. */
  readonly follow: (incident: string) => Promise<void>;
  readonly flows: Pick<DurableEngine, 'signal'>;
  readonly audit: Pick<AuditLog, 'append'>;
  readonly profile: string;
}

/** `learn`: the same two services are treated alike from now on. */
interface Regrouping {
  readonly by: string;
  readonly learn: boolean;
}

export type Regroup = ReturnType<typeof regroup>;

const MOST_PAST = 20_000;

/** Grouping as people mend it: what they do is a fact, a line of the audit log and, unless they say otherwise, a rule. */
export function regroup({ store, must, follow, flows, audit, profile }: Parts) {
  const free = async (id: string): Promise<Incident> => {
    const incident = await must(id);
    if (ENDED_STATES.includes(incident.state))
      throw fail('input.conflict', tell(`${id} has ended already.`, `${id} 已经结束。`));
    if (!isRegroupable(incident))
      throw fail(
        'input.conflict',
        tell(`${id} waits for agreement or is being acted on.`, `${id} 正在等待审批或执行动作。`),
      );
    return incident;
  };
  const note = async (by: string, data: Readonly<Record<string, unknown>>): Promise<void> => {
    const requester: Requester = {
      caller: 'api',
      platform: 'incident',
      profile,
      session: String(data['incident']),
      user: by,
    };
    await audit.append('incident.regrouped', requester, data);
  };
  const learnt = async (
    verdict: GroupingRule['verdict'],
    one: string | undefined,
    other: string | undefined,
    by: string,
  ): Promise<void> => {
    if (one === undefined || other === undefined || one === other) return;
    await store.addRule({ id: newId('grp'), services: [one, other], verdict, by, at: Date.now() });
  };
  const byHand = (by: string): Text => tell(`${by} put it here`, `由 ${by} 归入`);

  return {
    rules: store.rules,
    removeRule: async (id: string, by: string): Promise<boolean> => {
      const removed = await store.removeRule(id);
      if (removed) await note(by, { incident: '', what: 'rule removed', rule: id });
      return removed;
    },
    merge: async (from: string, into: string, { by, learn }: Regrouping): Promise<Incident> => {
      if (from === into) throw fail('input.invalid', 'An incident cannot become part of itself.');
      const [gone, kept] = [await free(from), await free(into)];
      const merged = await store.merge(from, into, byHand(by), Date.now());
      if (learn) await learnt('together', gone.service, kept.service, by);
      await note(by, { incident: into, what: 'merge', from, learn });
      await flows.signal(from, 'incident.closed', {}, 'closed');
      await follow(into);
      return merged;
    },
    /** Without `into` a new incident is opened for them. */
    move: async (
      from: string,
      which: AlertsOf,
      into: string | undefined,
      { by, learn }: Regrouping,
    ): Promise<Incident> => {
      if (which.service === undefined && which.name === undefined)
        throw fail(
          'input.invalid',
          tell('Name the service or the alert that is moved.', '请指定要移动的服务或告警。'),
        );
      const source = await free(from);
      const target = into === undefined ? undefined : await free(into);
      const moved = await store.move(from, which, into ?? newId('inc'), byHand(by), Date.now());
      if (learn) {
        await learnt('apart', which.service, source.service, by);
        await learnt('together', which.service, target?.service, by);
      }
      await note(by, {
        incident: moved.id,
        what: into === undefined ? 'split' : 'move',
        from,
        ...which,
        learn,
      });
      for (const id of [from, moved.id]) await follow(id);
      return moved;
    },
    /** What the alerts since then would make if grouping were another, beside what they make as it is. */
    replay: async (
      since: number,
      { topology, windowMs }: { readonly topology: Topology; readonly windowMs: number },
      other: OtherGrouping,
    ): Promise<GroupingReplay> => {
      const past = await store.past({ from: since, limit: MOST_PAST });
      const rules = await store.rules();
      const before = partitionOf(past, { topology, maintenance: [], windowMs, rules });
      const after = partitionOf(past, {
        topology: {
          edges: [
            ...topology.edges.filter((edge) => !other.withoutCalls.some((gone) => sameCall(gone, edge))),
            ...other.calls,
          ],
        },
        maintenance: [],
        windowMs: other.windowMs ?? windowMs,
        rules: [...rules.filter(({ id }) => !other.without.includes(id)), ...other.add],
      });
      return {
        alerts: past.length,
        incidents: [before.count, after.count],
        joined: changes(after, before),
        parted: changes(before, after),
      };
    },
  };
}

type Call = Topology['edges'][number];
const sameCall = (one: Call, other: Call): boolean => one.from === other.from && one.to === other.to;

/** What would be other than it is. */
export interface OtherGrouping {
  /** Rules about pairs of services: further ones, and the ids of those that would not hold. */
  readonly add: readonly GroupingRule[];
  readonly without: readonly string[];
  /** Alerts that began this close together may be one incident. */
  readonly windowMs?: number | undefined;
  /** Who would call whom beside what is known, and which calls would not be there. */
  readonly calls: readonly Call[];
  readonly withoutCalls: readonly Call[];
}

export interface GroupingReplay {
  readonly alerts: number;
  /** As it is, and as it would be. */
  readonly incidents: readonly [number, number];
  /** Pairs of services that would come together, and that would come apart. */
  readonly joined: readonly (readonly [string, string])[];
  readonly parted: readonly (readonly [string, string])[];
}

interface Partition {
  readonly count: number;
  readonly pairs: ReadonlySet<string>;
}

const MOST_SERVICES = 100;

function partitionOf(past: readonly PastAlert[], options: Parameters<typeof replayGrouping>[1]): Partition {
  const groups = replayGrouping(past, options);
  const pairs = groups.flatMap(({ services }) => {
    const named = services.toSorted().slice(0, MOST_SERVICES);
    return named.flatMap((one, at) => named.slice(at + 1).map((other) => `${one}\n${other}`));
  });
  return { count: groups.length, pairs: new Set(pairs) };
}

const changes = (of: Partition, against: Partition): (readonly [string, string])[] =>
  [...of.pairs].flatMap((pair) => {
    const [one = '', other = ''] = pair.split('\n');
    return against.pairs.has(pair) ? [] : [[one, other] as const];
  });
