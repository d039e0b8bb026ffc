import type { KnownSecrets } from '#kit/redact';
import { isRecord } from '#kit/is-record';
import { newId } from '#kit/new-id';
import { MEMORY_TAG } from '#kit/memory-fence';
import { scrubTag } from '#kit/scrub-tag';
import type { Experience, ExperienceStep, MemoryScope, Message, ToolCallPart } from '#spec/data';
import { cleanInput, cleanLine, cleanText } from './clean-input.ts';
import { gaveUp } from './judge-success.ts';

/** A turn that is over. */
export interface FinishedTurn {
  readonly session: string;
  readonly turn: number;
  readonly scope: MemoryScope;
  readonly status: 'done' | 'failed' | 'aborted';
  /** Everything of the turn in order; the first is what the user said. */
  readonly messages: readonly Message[];
  /** Model calls. */
  readonly calls: number;
  readonly tokens: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Times and lines of tool calls by their ids, as far as they are known. */
  readonly ended?: ReadonlyMap<string, { readonly ms: number; readonly summary: string }>;
}

/** Tools that drive the conversation itself: they are no part of how a task is done. */
const PLUMBING: ReadonlySet<string> = new Set([
  'skill_view',
  'skill_run',
  'skill_manage',
  'skills_list',
  'memory',
  'memory_search',
  'session_search',
  'todo',
  'clarify',
  'tool_search',
]);
const LONGEST_TASK = 600;
const MOST_STEPS = 120;

/** What the user asked for, without what was put beside it for the model. */
export function taskOf(messages: readonly Message[]): string {
  // What the message refers to, and what is remembered, follows as parts of their own.
  const first = messages[0]?.content.find((part) => part.type === 'text');
  return scrubTag(first?.text ?? '', MEMORY_TAG).trim();
}

/**
 * What a finished turn teaches: the task, the calls, whether it went well. Undefined when nothing was done in it but
 * talk. `versionOf` tells the version of a skill that was looked at.
 */
export function experienceOf(
  turn: FinishedTurn,
  given: {
    readonly versionOf: (skill: string) => string | undefined;
    readonly secrets?: KnownSecrets;
    readonly id?: string;
  },
): Experience | undefined {
  const secrets = given.secrets ?? [];
  const made = callsOf(turn.messages);
  const path = made
    .filter(({ name }) => !PLUMBING.has(name))
    .slice(0, MOST_STEPS)
    .map((call): ExperienceStep => {
      const known = turn.ended?.get(call.id);
      return {
        tool: call.name,
        input: cleanInput(call.input, secrets),
        ok: call.ok,
        ms: known?.ms ?? 0,
        summary: cleanLine(call.text || known?.summary || '', secrets),
      };
    });
  if (!path.length) return undefined;
  const answer = answerOf(turn.messages);
  const closed = turn.messages.some((message) => message.role === 'user' && isClosing(message));
  const success = turn.status === 'done' && (path.at(-1)?.ok ?? false) && !closed && !gaveUp(answer);
  const looked = made.findLast(
    ({ name, ok }) => ok && (name === 'skill_view' || name === 'skill_run'),
  )?.input;
  const skill = isRecord(looked) && typeof looked.name === 'string' ? looked.name : undefined;
  const version = skill === undefined ? undefined : given.versionOf(skill);
  return {
    id: given.id ?? newId('exp'),
    scope: turn.scope,
    kind: 'chat',
    task: cleanText(taskOf(turn.messages), secrets).slice(0, LONGEST_TASK),
    path,
    outcome: cleanLine(answer, secrets),
    success,
    keyDecisions: decisionsOf(path),
    toolCombos: success ? combosOf(path) : [],
    durationMs: Math.max(0, turn.endedAt - turn.startedAt),
    tokens: turn.tokens,
    calls: turn.calls,
    ...(skill !== undefined && version !== undefined ? { skill: { name: skill, version } } : {}),
    session: turn.session,
    turn: turn.turn,
    at: turn.endedAt,
  };
}

interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly ok: boolean;
  readonly text: string;
}

function callsOf(messages: readonly Message[]): MadeCall[] {
  const asked = new Map<string, ToolCallPart>();
  const made: MadeCall[] = [];
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const part of message.content) if (part.type === 'tool_call') asked.set(part.id, part);
    if (message.role !== 'tool') continue;
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    const input = argumentsOf(asked.get(message.callId));
    made.push({ id: message.callId, name: message.name, input, ok: !message.isError, text });
  }
  return made;
}

/** A deferred tool is called through another one, which wraps its arguments. */
function argumentsOf(call: ToolCallPart | undefined): unknown {
  if (!call) return {};
  try {
    const input: unknown = JSON.parse(call.arguments || '{}');
    return call.name === 'tool_call' && isRecord(input) ? (input.arguments ?? {}) : input;
  } catch {
    // The model wrote no JSON: the call was refused, and what it meant cannot be told.
    return {};
  }
}

const answerOf = (messages: readonly Message[]): string =>
  messages
    .findLast(({ role }) => role === 'assistant')
    ?.content.map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
    .trim() ?? '';

/** Hermes has stopped the turn: for its budget, or because it went round in circles. */
const isClosing = (message: Message): boolean =>
  message.content.some(
    (part) =>
      part.type === 'text' && part.text.startsWith('[Hermes]') && part.text.includes('Do not call any more'),
  );

const MOST_DECISIONS = 12;

function decisionsOf(path: readonly ExperienceStep[]): Experience['keyDecisions'] {
  return path
    .flatMap((step, at) => {
      const next = path[at + 1];
      if (step.ok || !next || next.tool === step.tool) return [];
      return [{ step: at + 1, why: `${step.tool} failed: ${step.summary}`.slice(0, 160) }];
    })
    .slice(0, MOST_DECISIONS);
}

const MOST_COMBOS = 10;

function combosOf(path: readonly ExperienceStep[]): string[][] {
  const good = path.filter(({ ok }) => ok).map(({ tool }) => tool);
  const combos = good.flatMap((_, at) => [good.slice(at, at + 2), good.slice(at, at + 3)]);
  const seen = new Set<string>();
  return combos
    .filter((combo) => {
      const key = combo.join(' ');
      return combo.length > 1 && !seen.has(key) && Boolean(seen.add(key));
    })
    .slice(0, MOST_COMBOS);
}
