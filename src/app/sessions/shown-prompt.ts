import { planCache } from '#kit/cache-plan';
import { estimateTokens } from '#kit/estimate-tokens';
import { type KnownSecrets, redact } from '#kit/redact';
import type * as api from '#spec/api';
import type { CacheTtl, FrozenPrefix, SystemBlock } from '#spec/data';
import { redactDeep } from '#kit/redact';

/** What is sent before the messages, in the order in which vendors cache it: tools, then blocks. */
export type ShownPrompt = api.Given<api.ShownPrompt>;
type ShownSegment = ShownPrompt['blocks'][number]['segments'][number];

/** The frozen prefix of a session. `cacheTtl`: what is configured now. */
export function shownPrompt(
  prefix: FrozenPrefix,
  cacheTtl: CacheTtl | undefined,
  secrets: KnownSecrets,
): ShownPrompt {
  const plan = planCache({ ...prefix, messages: [], ...(cacheTtl ? { cacheTtl } : {}) });
  const list = prefix.tools.map((tool) => ({
    ...redactDeep(tool, secrets),
    tokens: estimateTokens(JSON.stringify(tool)),
  }));
  const blocks = prefix.system.map((block, index) => ({
    segments: segmentsOf(block).map((segment) => ({ ...segment, text: redact(segment.text, secrets) })),
    breakpoint: plan.system.has(index),
  }));
  const counted = [...list, ...blocks.flatMap(({ segments }) => segments)];
  return {
    tools: { list, breakpoint: plan.tools },
    blocks,
    tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** An empty line stands between two segments. */
const GAP = 2;

function segmentsOf({ text, segments }: SystemBlock): ShownSegment[] {
  const whole = [{ name: 'block', text, tokens: estimateTokens(text) }];
  if (!segments?.length) return whole;
  let at = 0;
  const cut = segments.map(({ name, chars }) => {
    const stretch = text.slice(at, at + chars);
    at += chars + GAP;
    return { name, text: stretch, tokens: estimateTokens(stretch) };
  });
  // Names that do not fit their text would tell something wrong.
  return at - GAP === text.length ? cut : whole;
}
