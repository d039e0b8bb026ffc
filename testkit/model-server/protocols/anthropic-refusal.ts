import { asList, asRecord, asText } from '../read-json.ts';
import type { Seals } from '../seals.ts';
import type { NormalRequest, Refusal } from '../wire-protocol.ts';

type Json = Readonly<Record<string, unknown>>;
interface Turn {
  readonly role: string;
  readonly blocks: readonly Json[];
}

const LEAST_BUDGET = 1024;
const MOST_MARKERS = 4;
const ROLES: readonly string[] = ['user', 'assistant', 'system'];

const ofType = (blocks: readonly Json[], type: string) => blocks.filter((block) => block.type === type);

function turnsOf(body: Json): readonly Turn[] {
  return asList(body.messages)
    .map(asRecord)
    .map(({ role, content }) => ({
      role: asText(role),
      blocks: typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asRecord),
    }));
}

function refuseSettings({ model, body }: NormalRequest): string | undefined {
  if (!model) return 'model: Field required';
  if (body.max_tokens === undefined) return 'max_tokens: Field required';
  const maxTokens = Number(body.max_tokens);
  if (!(maxTokens >= 1)) return 'max_tokens: Input should be greater than or equal to 1';
  const thinking = asRecord(body.thinking);
  if (thinking.type !== 'enabled') return undefined;
  const budget = Number(thinking.budget_tokens);
  if (thinking.budget_tokens === undefined) return 'thinking.enabled.budget_tokens: Field required';
  if (budget < LEAST_BUDGET) {
    return `thinking.enabled.budget_tokens: Input should be greater than or equal to ${LEAST_BUDGET}`;
  }
  if (budget >= maxTokens) return '`max_tokens` must be greater than `thinking.budget_tokens`.';
  if (body.temperature !== undefined && body.temperature !== 1) {
    return '`temperature` may only be set to 1 when thinking is enabled.';
  }
  return undefined;
}

function refuseMarkers({ pieces }: NormalRequest): string | undefined {
  const markers = pieces.flatMap((piece) => (piece.cache ? [piece.cache] : []));
  if (markers.length > MOST_MARKERS) {
    return `A maximum of ${MOST_MARKERS} blocks with cache_control may be provided. Found ${markers.length}.`;
  }
  const firstShort = markers.indexOf('5m');
  if (firstShort >= 0 && markers.indexOf('1h', firstShort) >= 0) {
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.";
  }
  return undefined;
}

/** Neighbours with the same role count as one turn. */
function merged(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role !== turn.role) joined.push(turn);
    else joined[joined.length - 1] = { ...last, blocks: [...last.blocks, ...turn.blocks] };
  }
  return joined;
}

/** The results that a turn begins with: the API overlooks any that come after something else. */
function leadingResults({ blocks }: Turn): readonly string[] {
  const end = blocks.findIndex((block) => block.type !== 'tool_result');
  return blocks.slice(0, end < 0 ? blocks.length : end).map((block) => asText(block.tool_use_id));
}

/** Each call is answered in the very next turn, and nothing is answered that was not called. */
function refuseToolPairs(turns: readonly Turn[]): string | undefined {
  for (const [index, turn] of turns.entries()) {
    const results = leadingResults(turn);
    const before = turns[index - 1];
    const called = before?.role === 'assistant' ? ofType(before.blocks, 'tool_use') : [];
    const stray = results.find((id) => !called.some((call) => call.id === id));
    if (stray !== undefined) {
      const at = turn.blocks.findIndex((block) => block.tool_use_id === stray);
      return `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    const missing = called.map((call) => asText(call.id)).filter((id) => !results.includes(id));
    if (missing.length > 0) return unanswered(index - 1, missing);
  }
  const last = turns.at(-1);
  const pending = last?.role === 'assistant' ? ofType(last.blocks, 'tool_use') : [];
  if (pending.length === 0) return undefined;
  return unanswered(
    turns.length - 1,
    pending.map((call) => asText(call.id)),
  );
}

function unanswered(index: number, ids: readonly string[]): string {
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
}

function refuseText(turns: readonly Turn[]): string | undefined {
  if (turns.length === 0) return 'messages: at least one message is required';
  for (const [index, turn] of turns.entries()) {
    if (!ROLES.includes(turn.role)) return `messages.${index}.role: Input should be 'user' or 'assistant'`;
    if (turn.blocks.some((block) => block.type === 'text' && asText(block.text) === '')) {
      return 'messages: text content blocks must be non-empty';
    }
  }
  return undefined;
}

/** Thinking that is sent back must be what was sent out. */
function refuseSignatures(turns: readonly Turn[], seals: Seals): string | undefined {
  const latest = turns.findLastIndex((turn) => turn.role === 'assistant');
  for (const [index, turn] of turns.entries()) {
    for (const [at, block] of turn.blocks.entries()) {
      if (block.type !== 'thinking') continue;
      const place = `messages.${index}.content.${at}`;
      if (typeof block.signature !== 'string') return `${place}.thinking.signature: Field required`;
      if (seals.fits(block.signature, asText(block.thinking))) continue;
      return index === latest && seals.genuine(block.signature)
        ? `${place}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`
        : `${place}: Invalid \`signature\` in \`thinking\` block`;
    }
  }
  return undefined;
}

/**
 * With thinking enabled, a tool loop is one assistant turn and must begin with the thinking it began with.
 * A call that was scripted without thinking is let pass: the client has nothing to send back.
 */
function refuseLostThinking(turns: readonly Turn[], seals: Seals): string | undefined {
  const index = turns.length - 2;
  const turn = turns[index];
  const inLoop = ofType(turns.at(-1)?.blocks ?? [], 'tool_result').length > 0;
  const first = turn?.blocks[0];
  if (!inLoop || !turn || !first || turn.role !== 'assistant') return undefined;
  if (first.type === 'thinking' || first.type === 'redacted_thinking') return undefined;
  const calls = ofType(turn.blocks, 'tool_use');
  if (calls.every((call) => seals.calledWithoutThinking(asText(call.id)))) return undefined;
  return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${asText(first.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`;
}

/** What the Messages API refuses and clients get wrong. */
export function refuseAnthropic(request: NormalRequest, seals: Seals): Refusal | undefined {
  const turns = turnsOf(request.body);
  const thinks = asRecord(request.body.thinking).type === 'enabled';
  const message =
    refuseSettings(request) ??
    refuseMarkers(request) ??
    refuseText(turns) ??
    refuseToolPairs(merged(turns)) ??
    refuseSignatures(turns, seals) ??
    (thinks ? refuseLostThinking(merged(turns), seals) : undefined);
  return message === undefined ? undefined : { message };
}
