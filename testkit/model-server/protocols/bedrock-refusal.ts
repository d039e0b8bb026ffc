import { asList, asRecord, asText } from '../read-json.ts';
import type { Seals } from '../seals.ts';
import type { NormalRequest, Refusal } from '../wire-protocol.ts';

type Json = Readonly<Record<string, unknown>>;
interface Turn {
  readonly role: string;
  readonly blocks: readonly Json[];
}

const MOST_MARKERS = 4;

const idsOf = (turn: Turn | undefined, field: 'toolUse' | 'toolResult'): readonly string[] =>
  (turn?.blocks ?? []).flatMap((block) =>
    block[field] === undefined ? [] : [asText(asRecord(block[field]).toolUseId)],
  );

function refuseOrder(turns: readonly Turn[]): string | undefined {
  if (turns[0]?.role !== 'user') {
    return 'A conversation must start with a user message. Try again with a conversation that starts with a user message.';
  }
  if (turns.some((turn, index) => index > 0 && turn.role === turns[index - 1]?.role)) {
    return 'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.';
  }
  return undefined;
}

function refuseBlank(turns: readonly Turn[]): string | undefined {
  for (const [index, turn] of turns.entries()) {
    if (turn.blocks.length === 0) {
      return `The content field in the Message object at messages.${index} is empty. Add a ContentBlock object to the content field and try again.`;
    }
    const at = turn.blocks.findIndex((block) => typeof block.text === 'string' && block.text.trim() === '');
    if (at >= 0) {
      return `The text field in the ContentBlock object at messages.${index}.content.${at} is blank. Add text to the text field, and try again.`;
    }
  }
  return undefined;
}

function refuseToolPairs(turns: readonly Turn[], body: Json): string | undefined {
  const usesTools = turns.some(
    (turn) => [...idsOf(turn, 'toolUse'), ...idsOf(turn, 'toolResult')].length > 0,
  );
  if (usesTools && asList(asRecord(body.toolConfig).tools).length === 0) {
    return 'The toolConfig field must be defined when using toolUse and toolResult content blocks.';
  }
  for (let index = 0; index <= turns.length; index++) {
    const called = idsOf(turns[index - 1], 'toolUse');
    const answered = idsOf(turns[index], 'toolResult');
    const missing = called.filter((id) => !answered.includes(id));
    if (missing.length > 0) {
      return `Expected toolResult blocks at messages.${index}.content for the following Ids: ${missing.join(', ')}`;
    }
    if (answered.some((id) => !called.includes(id))) {
      return `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`;
    }
  }
  return undefined;
}

function refuseSignatures(turns: readonly Turn[], seals: Seals): string | undefined {
  for (const [index, turn] of turns.entries()) {
    for (const [at, block] of turn.blocks.entries()) {
      const reasoning = asRecord(asRecord(block.reasoningContent).reasoningText);
      if (typeof reasoning.text !== 'string') continue;
      if (seals.fits(asText(reasoning.signature), reasoning.text)) continue;
      return `The model returned the following errors: messages.${index}.content.${at}: Invalid \`signature\` in \`thinking\` block`;
    }
  }
  return undefined;
}

function refuseMarkers({ pieces }: NormalRequest): string | undefined {
  const markers = pieces.filter((piece) => piece.cache !== undefined).length;
  if (markers <= MOST_MARKERS) return undefined;
  return `The model returned the following errors: A maximum of ${MOST_MARKERS} blocks with cache_control may be provided. Found ${markers}.`;
}

/** What Converse refuses and clients get wrong. */
export function refuseBedrock(request: NormalRequest, seals: Seals): Refusal | undefined {
  const turns = asList(request.body.messages)
    .map(asRecord)
    .map(({ role, content }) => ({ role: asText(role), blocks: asList(content).map(asRecord) }));
  const message =
    refuseOrder(turns) ??
    refuseBlank(turns) ??
    refuseToolPairs(turns, request.body) ??
    refuseSignatures(turns, seals) ??
    refuseMarkers(request);
  return message === undefined ? undefined : { message };
}
