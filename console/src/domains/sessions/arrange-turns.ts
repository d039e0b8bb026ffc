import type { AgentEvent, ErrorRecord, Usage } from '#spec/data';
import type { SessionApproval } from '#spec/api';

export type Facts = readonly AgentEvent[];

type StepKind = 'model' | 'tool' | 'approval' | 'compaction' | 'steering' | 'plan' | 'error';

/** `cut`: it never came to an end, as far as is known. */
type StepState = 'done' | 'error' | 'open' | 'cut';

/** Something that a turn spent time on, or that happened in it. Milliseconds since the epoch. */
export interface Step {
  readonly key: string;
  readonly kind: StepKind;
  /** The name of a tool, or `provider/model`. */
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly state: StepState;
  /** When it began was not written down: it is taken to have begun when what came before it ended. */
  readonly estimated: boolean;
  /** It has no length. */
  readonly instant: boolean;
  readonly firstMs?: number;
  readonly spent?: Spent;
  readonly summary?: string;
  /** What was written with it: the answer of a model, the result of a tool. */
  readonly message?: string;
  readonly approval?: SessionApproval;
  readonly error?: ErrorRecord;
  readonly facts: Facts;
}

export interface Spent {
  readonly usage: Usage;
  readonly cost?: number;
  readonly context: number;
  readonly window: number;
}

export type TurnStatus = 'done' | 'failed' | 'aborted' | 'running' | 'unended' | 'between';

export interface Turn {
  readonly key: string;
  /** Zero: what happened between two turns. */
  readonly number: number;
  readonly text: string;
  /** The message that began it. */
  readonly message?: string;
  readonly start: number;
  readonly end: number;
  readonly status: TurnStatus;
  /** The user has taken it back since. */
  readonly undone: boolean;
  readonly steps: readonly Step[];
  readonly usage: Usage;
  readonly cost?: number;
  readonly error?: ErrorRecord;
}

/** A turn of which nothing has been heard for so long has probably lost its process. */
const SILENT_MS = 600_000;
const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

const timeOf = ({ at }: AgentEvent): number => new Date(at).getTime();

/** Whether the newest turn has begun, has not ended, and was heard of lately. */
export function isRunning(facts: Facts, now: number): boolean {
  const last = facts.at(-1);
  const edge = facts.findLast(({ type }) => type === 'turn.started' || type === 'turn.ended');
  return last !== undefined && edge?.type === 'turn.started' && now - timeOf(last) < SILENT_MS;
}

/** The turns of a session, oldest first, each with its steps in the order in which they began. */
export function arrangeTurns(facts: Facts, approvals: readonly SessionApproval[], now: number): Turn[] {
  const groups = splitTurns(facts);
  const running = isRunning(facts, now);
  const turns = groups.map((group, index) =>
    arrange(group, approvals, running && index === groups.length - 1 ? now : undefined),
  );
  return turns.map((turn, index) => {
    const undone =
      turn.number > 0 && turns.slice(index + 1).some(({ number }) => number > 0 && number <= turn.number);
    return undone ? { ...turn, undone } : turn;
  });
}

interface Group {
  readonly facts: AgentEvent[];
  readonly message?: string;
}

/** A turn reaches from its start to its end; a conversation may be compacted between two of them. */
function splitTurns(facts: Facts): Group[] {
  const groups: Group[] = [];
  let open = false;
  let said: string | undefined;
  for (const fact of facts) {
    if (fact.type === 'turn.started') {
      groups.push({ facts: [fact], ...(said === undefined ? {} : { message: said }) });
      open = true;
    } else if (open) groups.at(-1)?.facts.push(fact);
    else if (fact.type === 'context.compacted') groups.push({ facts: [fact] });
    if (fact.type === 'turn.ended') open = false;
    said = fact.type === 'message.added' && fact.data.role === 'user' ? fact.data.message : undefined;
  }
  return groups.map((group) => withoutNext(group));
}

/** The user's message of the next turn stands before its start; where a turn never ended it seems to be of that one. */
function withoutNext(group: Group): Group {
  const last = group.facts.at(-1);
  const isNext = last?.type === 'message.added' && last.data.role === 'user';
  return isNext ? { ...group, facts: group.facts.slice(0, -1) } : group;
}

function arrange(
  { facts, message }: Group,
  approvals: readonly SessionApproval[],
  now: number | undefined,
): Turn {
  const [first] = facts;
  const began = facts.find((fact) => fact.type === 'turn.started')?.data;
  const ended = facts.find((fact) => fact.type === 'turn.ended')?.data;
  const start = first ? timeOf(first) : 0;
  const last = facts.reduce((most, fact) => Math.max(most, timeOf(fact)), start);
  const end = now === undefined ? last : Math.max(now, last);
  const own = stepsOf(facts, start, end, now !== undefined);
  const asked = approvals
    .filter(({ createdAt }) => began && createdAt >= start && createdAt <= end)
    .map((approval) => approvalStep(approval, end));
  const steps = [...own, ...asked].toSorted((one, other) => one.start - other.start);
  const spent = steps.flatMap((step) => (step.spent ? [step.spent] : []));
  const costs = spent.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  return {
    key: `t${first?.seq ?? 0}`,
    number: began?.turn ?? 0,
    text: began?.text ?? '',
    ...(message === undefined ? {} : { message }),
    start,
    end: Math.max(end, ...steps.map((step) => step.end)),
    status: began ? (ended?.status ?? (now === undefined ? 'unended' : 'running')) : 'between',
    undone: false,
    steps,
    usage: sumUsage(spent.map(({ usage }) => usage)),
    ...(costs.length ? { cost: costs.reduce((sum, cost) => sum + cost, 0) } : {}),
    ...(ended?.error ? { error: ended.error } : {}),
  };
}

function sumUsage(all: readonly Usage[]): Usage {
  return all.reduce(
    (sum, usage) => ({
      input: sum.input + usage.input,
      output: sum.output + usage.output,
      cacheRead: sum.cacheRead + usage.cacheRead,
      cacheWrite: sum.cacheWrite + usage.cacheWrite,
      reasoning: sum.reasoning + usage.reasoning,
    }),
    NOTHING,
  );
}

function stepsOf(facts: Facts, start: number, end: number, running: boolean): Step[] {
  const steps: Step[] = [];
  const tools = new Map<string, Step>();
  /** When what is known to have ended last has ended. */
  let free = start;
  const add = (step: Step): void => {
    steps.push(step);
    free = Math.max(free, step.end);
  };
  for (const [index, fact] of facts.entries()) {
    const at = timeOf(fact);
    const before = facts[index - 1];
    const message = before?.type === 'message.added' ? { message: before.data.message } : {};
    const base = {
      key: `f${fact.seq}`,
      start: at,
      end: at,
      state: 'done',
      estimated: false,
      facts: [fact],
    } as const;
    const point = { ...base, instant: true };
    switch (fact.type) {
      case 'usage.recorded':
        add({ ...base, instant: false, ...message, ...modelStep(fact.data, at, free) });
        break;
      case 'tool.started':
        tools.set(fact.data.call, {
          ...base,
          kind: 'tool',
          title: fact.data.name,
          instant: false,
          state: 'cut',
        });
        break;
      case 'tool.ended': {
        const { call, name, ms, isError, summary } = fact.data;
        const begun = tools.get(call);
        tools.delete(call);
        const from = begun?.start ?? at - ms;
        add({
          ...(begun ?? base),
          ...message,
          kind: 'tool',
          title: name,
          start: from,
          end: Math.max(from + ms, from),
          instant: false,
          state: isError ? 'error' : 'done',
          summary,
          facts: [...(begun?.facts ?? []), fact],
        });
        break;
      }
      case 'context.compacted':
        add({
          ...base,
          kind: 'compaction',
          title: fact.data.how,
          start: free,
          instant: free === at,
          estimated: free < at,
        });
        break;
      case 'steering.applied':
        steps.push({ ...point, kind: 'steering', title: fact.data.text });
        break;
      case 'plan.changed':
        steps.push({ ...point, kind: 'plan', title: String(fact.data.todos.length) });
        break;
      case 'turn.ended':
        if (fact.data.error) add(failedStep(fact, fact.data.error, free));
        break;
    }
  }
  for (const step of tools.values()) steps.push({ ...step, end, state: running ? 'open' : 'cut' });
  // Whatever a running turn is not known to do, it waits for the model.
  if (running && !tools.size) steps.push(waitingStep(free, end));
  return steps;
}

type UsageFact = Extract<AgentEvent, { type: 'usage.recorded' }>['data'];

function modelStep(
  { ms, firstMs, usage, cost, context, window, model }: UsageFact,
  at: number,
  free: number,
) {
  return {
    kind: 'model' as const,
    title: model,
    start: ms === undefined ? Math.min(free, at) : at - ms,
    estimated: ms === undefined,
    ...(firstMs === undefined ? {} : { firstMs }),
    spent: { usage, ...(cost === undefined ? {} : { cost }), context, window },
  };
}

/** A call that failed leaves no usage: what is known is when the turn ended with it. */
function failedStep(fact: AgentEvent, error: ErrorRecord, free: number): Step {
  const at = timeOf(fact);
  const ofModel = error.code.startsWith('model.');
  return {
    key: `f${fact.seq}`,
    kind: ofModel ? 'model' : 'error',
    title: error.code,
    start: ofModel ? Math.min(free, at) : at,
    end: at,
    state: 'error',
    estimated: ofModel,
    instant: !ofModel,
    summary: error.message,
    error,
    facts: [fact],
  };
}

const waitingStep = (start: number, end: number): Step => ({
  key: 'open',
  kind: 'model',
  title: '',
  start: Math.min(start, end),
  end,
  state: 'open',
  estimated: true,
  instant: false,
  facts: [],
});

function approvalStep(approval: SessionApproval, end: number): Step {
  const { id, state, tool, createdAt, decidedAt, expiresAt } = approval;
  const states = {
    pending: 'open',
    granted: 'done',
    used: 'done',
    denied: 'error',
    expired: 'cut',
    withdrawn: 'cut',
  } as const;
  return {
    key: id,
    kind: 'approval',
    title: tool,
    start: createdAt,
    end: Math.max(createdAt, decidedAt ?? Math.min(expiresAt, end)),
    state: states[state],
    estimated: false,
    instant: false,
    approval,
    facts: [],
  };
}
