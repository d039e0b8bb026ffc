import type { Usage } from '#spec/data';
import type { InputCounts } from './cache-simulator.ts';
import { newId } from './new-id.ts';
import type { Reply } from './script.ts';
import type { Seals } from './seals.ts';
import { countTokens } from './transcript.ts';
import type { Answer, NormalCall } from './wire-protocol.ts';

const DEFAULT_CHUNK = 12;

/** Scripted numbers win over counted ones. */
function chosen(counted: Usage, scripted: NonNullable<Reply['usage']>): Usage {
  const set = Object.entries(scripted).filter(([, count]) => count !== undefined);
  return { ...counted, ...Object.fromEntries(set) };
}

/** Fills in what a reply leaves open, and notes what the client will have to send back. */
export function buildAnswer(reply: Reply, counts: InputCounts, callIdPrefix: string, seals: Seals): Answer {
  const { thinking = '', text = '', redactedThinking = '' } = reply;
  const signature = reply.signature ?? seals.seal(thinking);
  const calls = (reply.toolCalls ?? []).map(
    (call): NormalCall => ({
      id: call.id ?? newId(callIdPrefix),
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    }),
  );
  seals.issue(signature, thinking);
  if (redactedThinking) seals.issue(redactedThinking, '');
  seals.issueCalls(
    calls.map((call) => call.id),
    thinking !== '' || redactedThinking !== '',
  );
  const { cacheWrite1h, ...input } = counts;
  const reasoning = countTokens(thinking);
  const said = calls.reduce((sum, call) => sum + countTokens(call.name + call.arguments), countTokens(text));
  const usage = chosen({ ...input, output: reasoning + said, reasoning }, reply.usage ?? {});
  return {
    thinking,
    signature,
    redactedThinking,
    text,
    calls,
    stop: reply.stop ?? (calls.length > 0 ? 'tool_calls' : 'end'),
    usage,
    cacheWrite1h: Math.min(cacheWrite1h, usage.cacheWrite),
    chunk: reply.chunk ?? DEFAULT_CHUNK,
    delayMs: reply.delayMs ?? 0,
    thinkingField: reply.thinkingField ?? 'reasoning_content',
  };
}
