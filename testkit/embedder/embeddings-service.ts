import type { LoopbackHandler } from '#testkit/web';

interface Asked {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions?: number;
}

const DIMENSIONS = 64;

/** OpenAI's `/embeddings` on the wire: vectors of the words of a text, sent out of order, far from unit length. */
export const embeddingsService = (apiKey: string): LoopbackHandler => {
  return ({ method, path, headers, body }) => {
    if (method !== 'POST' || path !== '/v1/embeddings') return { status: 404, body: 'no such route' };
    if (headers.authorization !== `Bearer ${apiKey}`)
      return { status: 401, body: { error: { message: 'Incorrect API key provided' } } };
    const { model, input, dimensions = DIMENSIONS } = JSON.parse(body.toString()) as Asked;
    if (input.some((text) => text === ''))
      return { status: 400, body: { error: { message: 'empty input' } } };
    const data = input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: vectorOf(text, dimensions),
    }));
    return {
      body: { object: 'list', model, data: data.toReversed(), usage: { prompt_tokens: 1, total_tokens: 1 } },
    };
  };
};

function vectorOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01);
  for (const word of text.toLowerCase().split(/\s+/)) {
    let hash = 7;
    for (const character of word) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 5;
  }
  return vector;
}
