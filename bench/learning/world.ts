import { z } from 'zod';
import { defineTool, type Tool } from '#spec/ports';

/** What a call does here: a tool with one of its choices. */
export interface Act {
  readonly tool: string;
  readonly choice: string;
}

interface Kind {
  /** The shape of names of such things. */
  readonly pattern: string;
  readonly names: readonly string[];
  /** Tools that only look. */
  readonly looks: readonly string[];
  /** Tools that change something, with their choices. */
  readonly acts: Readonly<Record<string, readonly string[]>>;
}

/** Five kinds of things, fourteen calls each: enough to get lost in. */
export const KINDS: Readonly<Record<string, Kind>> = {
  service: {
    pattern: '^[a-z]+-(?:api|svc|worker|gateway)$',
    names: [
      'checkout-api',
      'cart-svc',
      'billing-worker',
      'edge-gateway',
      'search-api',
      'profile-svc',
      'mail-worker',
    ],
    looks: ['service_status', 'service_logs'],
    acts: {
      service_restart: ['rolling', 'hard'],
      service_scale: ['up', 'down'],
      traffic_shift: ['standby', 'primary'],
      config_apply: ['safe', 'stored'],
      breaker_set: ['open', 'closed'],
      cache_flush: ['local', 'shared'],
    },
  },
  host: {
    pattern: '^(?:node|rack|edge)-\\d+$',
    names: ['node-17', 'node-4', 'rack-203', 'rack-88', 'edge-5', 'edge-61'],
    looks: ['host_probe', 'host_processes'],
    acts: {
      host_cordon: ['on', 'off'],
      host_clean: ['logs', 'images', 'temp'],
      host_reboot: ['soft', 'cold'],
      host_agent: ['reload', 'drain'],
      host_limits: ['raise', 'reset', 'default'],
    },
  },
  queue: {
    pattern: '^q\\.[a-z]+$',
    names: ['q.orders', 'q.mails', 'q.invoices', 'q.clicks', 'q.refunds'],
    looks: ['queue_inspect', 'queue_consumers'],
    acts: {
      queue_pause: ['on', 'off'],
      queue_move: ['parking', 'retry'],
      queue_scale: ['consumers', 'partitions'],
      queue_reset: ['offsets', 'group'],
      queue_quota: ['raise', 'lower'],
      queue_copy: ['mirror', 'snapshot'],
    },
  },
  database: {
    pattern: '^[a-z]+db\\d$',
    names: ['ordersdb1', 'usersdb2', 'ledgerdb1', 'stockdb3', 'geodb2'],
    looks: ['db_activity', 'db_sizes'],
    acts: {
      db_maintain: ['vacuum', 'analyze', 'reindex'],
      db_sessions: ['cancel', 'close'],
      db_replica: ['rebuild', 'promote'],
      db_snapshot: ['take', 'load'],
      db_settings: ['safe', 'tuned', 'stored'],
    },
  },
  bucket: {
    pattern: '^bkt-[a-z]+$',
    names: ['bkt-media', 'bkt-exports', 'bkt-backups', 'bkt-reports', 'bkt-raw'],
    looks: ['bucket_list', 'bucket_usage'],
    acts: {
      bucket_policy: ['private', 'shared', 'locked'],
      bucket_lifecycle: ['archive', 'expire'],
      bucket_versions: ['restore', 'purge'],
      bucket_sync: ['start', 'stop'],
      bucket_access: ['grant', 'revoke', 'review'],
    },
  },
};

/** A task that waits to be done: these acts on this thing, in this order. Nobody but the world knows them. */
export interface Assignment {
  readonly kind: string;
  readonly thing: string;
  readonly solution: readonly Act[];
}

export const COMPLETE = 'TASK COMPLETE';

/** Tools over one world. What they say depends on the task that is set, and on how far it has come. */
export function openWorld() {
  let task: Assignment | undefined;
  let done = 0;
  const call = (tool: string, thing: string, choice: string | undefined, looks: boolean) => {
    const next = task?.solution[done];
    const right = next?.tool === tool && next.choice === choice && task?.thing === thing;
    if (right) done++;
    const complete = right && done === task?.solution.length;
    const shown = [tool, thing, choice].filter(Boolean).join(' ');
    if (right) return say(`done: ${shown}${complete ? `. ${COMPLETE}` : ''}`);
    return looks
      ? say(`info: ${shown}: nothing unusual`)
      : say(`refused: ${shown} is not possible in this state`, true);
  };
  const tools = Object.entries(KINDS).flatMap(([kind, { pattern, looks, acts }]) => [
    ...looks.map((name) => toolOf(name, kind, pattern, [], (thing) => call(name, thing, undefined, true))),
    ...Object.entries(acts).map(([name, choices]) =>
      toolOf(name, kind, pattern, choices, (thing, choice) => call(name, thing, choice, false)),
    ),
  ]);
  return {
    tools,
    set: (assignment: Assignment) => {
      [task, done] = [assignment, 0];
    },
    solved: () => task !== undefined && done === task.solution.length,
  };
}

const say = (text: string, isError = false) => ({
  content: [{ type: 'text' as const, text }],
  summary: text,
  isError,
});

function toolOf(
  name: string,
  kind: string,
  pattern: string,
  choices: readonly string[],
  run: (thing: string, choice: string | undefined) => ReturnType<typeof say>,
): Tool {
  const thing = z.string().regex(new RegExp(pattern));
  const description = `${name.replaceAll('_', ' ')} of a ${kind}`;
  const common = { name, toolset: 'ops', description, effect: (): 0 | 2 => (choices.length ? 2 : 0) };
  if (!choices.length)
    return defineTool({
      ...common,
      input: z.strictObject({ [kind]: thing }),
      run: async (input) => run(String(input[kind]), undefined),
    });
  return defineTool({
    ...common,
    input: z.strictObject({ [kind]: thing, mode: z.enum(choices as [string, ...string[]]) }),
    run: async (input) => run(String(input[kind]), String(input.mode)),
  });
}

/** Every act that changes a kind of thing. */
export const actsOf = (kind: string): Act[] =>
  Object.entries(KINDS[kind]?.acts ?? {}).flatMap(([tool, choices]) =>
    choices.map((choice) => ({ tool, choice })),
  );
