import { ProtocolId, STOP_REASONS, Usage } from '#spec/data';
import { z } from 'zod';
import { FaultSpec } from './fault-spec.ts';

const Count = z.int().positive();

/** `arguments` as a string is sent as it stands, so that a script can also write JSON that does not parse. */
const ScriptedCall = z.strictObject({
  id: z.string().min(1).optional(),
  name: z.string().min(1),
  arguments: z.union([z.record(z.string(), z.json()), z.string()]),
});

/**
 * What the model says. In `text` and `thinking`, `{{user}}`, `{{model}}` and `{{images}}` stand for the last
 * user text, the model that was asked for and the number of images.
 */
export const Reply = z.strictObject({
  thinking: z.string().optional(),
  /** Comes back with thinking: Anthropic's and Bedrock's signature, the Responses API's encrypted content. */
  signature: z.string().min(1).optional(),
  redactedThinking: z.string().min(1).optional(),
  text: z.string().optional(),
  toolCalls: z.array(ScriptedCall).optional(),
  /** Default: `tool_calls` when there are any, else `end`. */
  stop: z.enum(STOP_REASONS).optional(),
  /** These numbers replace the counted ones. */
  usage: Usage.partial().strict().optional(),
  /** Characters a delta. */
  chunk: Count.optional(),
  /** Between frames. */
  delayMs: z.number().nonnegative().optional(),
  /** The field of `chat_completions` that carries thinking. */
  thinkingField: z.enum(['reasoning_content', 'reasoning']).optional(),
});
export type Reply = z.infer<typeof Reply>;

function compiles(source: string): boolean {
  try {
    return Boolean(new RegExp(source, 'iu'));
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** All that is set must hold. `contains` and `matches` look at the last user text and ignore case. */
const When = z.strictObject({
  contains: z.string().min(1).optional(),
  matches: z.string().min(1).refine(compiles, 'is not a regular expression').optional(),
  model: z.string().optional(),
  protocol: ProtocolId.optional(),
  /** The request ends with a result of this tool. */
  afterTool: z.string().optional(),
  /** Whether there is an image since the user last spoke. */
  hasImage: z.boolean().optional(),
  /** How many assistant messages precede. */
  turn: z.int().nonnegative().optional(),
});
export type When = z.infer<typeof When>;

const Rule = z
  .strictObject({
    when: When,
    /** A list gives one reply a matching request; the last one repeats. */
    reply: z.union([Reply, z.array(Reply).min(1)]).optional(),
    fault: FaultSpec.optional(),
    times: Count.optional(),
  })
  .refine((rule) => rule.reply !== undefined || rule.fault !== undefined, 'needs a `reply` or a `fault`');
export type Rule = z.infer<typeof Rule>;

const ScriptedModel = z.strictObject({ id: z.string().min(1), contextWindow: Count.optional() });
export type ScriptedModel = z.infer<typeof ScriptedModel>;

/** Everything the server knows to say. Rules are tried in order; the first that matches answers. */
export const Script = z.strictObject({
  models: z.array(ScriptedModel).optional(),
  /** When set, any other key is refused. */
  keys: z.array(z.string().min(1)).optional(),
  rules: z.array(Rule),
  fallback: Reply.optional(),
});
export type Script = z.infer<typeof Script>;
