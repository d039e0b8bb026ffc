import type { ProtocolId } from '#spec/data';

/** What an address says about the protocol spoken there. */
const ADDRESSES: readonly (readonly [RegExp, ProtocolId])[] = [
  [/\/chat\/completions\/?$/, 'chat_completions'],
  [/\/responses\/?$/, 'codex_responses'],
  [/\/\/api\.anthropic\.com|\/anthropic(\/v1)?\/?$|\/messages\/?$/, 'anthropic_messages'],
  [/\/\/bedrock-runtime[.-]/, 'bedrock_converse'],
];

/** What a model's name says about the protocol it is best reached through. */
const MODELS: readonly (readonly [RegExp, ProtocolId])[] = [
  [/(^|\/)claude-/, 'anthropic_messages'],
  [/codex|(^|\/)gpt-[5-9]/, 'codex_responses'],
];

/**
 * The protocol to use where none is set. The address decides when it is telling; then the model's name, if that
 * protocol is spoken there; then the provider's usual one.
 */
export function detectProtocol(address: string, model: string, offered: readonly ProtocolId[]): ProtocolId {
  const [place = ''] = address.split('?');
  const byAddress = ADDRESSES.find(([pattern]) => pattern.test(place))?.[1];
  if (byAddress) return byAddress;
  const byModel = MODELS.find(([pattern]) => pattern.test(model))?.[1];
  if (byModel && offered.includes(byModel)) return byModel;
  return offered[0] ?? 'chat_completions';
}

const OPERATION = /\/(chat\/completions|responses|messages)\/?$/;

/** The base URL that operations are appended to, from whatever form of address people paste. */
export function baseUrlOf(address: string, protocol: ProtocolId): string {
  const [path = '', query] = address.split('?');
  let base = path.replace(OPERATION, '').replace(/\/+$/, '');
  const bare = /^[a-z]+:\/\/[^/]+$/.test(base) || base.endsWith('/anthropic');
  if (bare && protocol !== 'bedrock_converse') base += '/v1';
  return query ? `${base}?${query}` : base;
}
