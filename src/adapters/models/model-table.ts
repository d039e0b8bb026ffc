import type { Price } from '#spec/data';

/** What is known of a model family before any server is asked. */
export interface ModelRow {
  /** A prefix of normalised model ids. */
  readonly match: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly images: boolean;
  readonly thinking: boolean;
  /** The vendor's own list price; a reseller may ask another one. */
  readonly price?: Price;
  /** The day the figures of this row stand for. */
  readonly asOf?: string;
}

type Accepts = '' | 'images' | 'thinking' | 'images thinking';
type Figures = readonly [input: number, output: number, read?: number, write5m?: number, write1h?: number];
type Line = readonly [
  match: string,
  contextWindow: number,
  maxOutput: number,
  accepts: Accepts,
  price?: Figures,
];

const K = 1_024;
const M = 1_000_000;

/*
 * One model a line: prefix, context window, longest output, what it accepts, and US dollars for a million
 * tokens: input, output, cache read, cache write for five minutes, cache write for one hour.
 *
 * - Where a price depends on the length of the prompt, the lowest band stands; where it depends on the
 *   hour, the dearest.
 * - Where a vendor names no output limit apart from the window, a quarter of the window stands.
 * - OpenAI has one write price; it stands for both durations.
 * - Open weights have no price: everyone who serves them sets one. Neither has a model whose sources
 *   disagree, or whose thinking is charged apart.
 */

// biome-ignore-start format: one row a line
const ROWS: readonly (readonly ModelRow[])[] = [
  // Anthropic
  dated('2026-10-07', [
    ['claude-fable-5-1', 1 * M, 128_000, 'images thinking', [10, 50, 0.25, 12.5, 20]],
    ['claude-mythos-5-1', 1 * M, 128_000, 'images thinking', [10, 50, 0.25, 12.5, 20]],
    ['claude-fable-5', 1 * M, 128_000, 'images thinking', [10, 50, 1, 12.5, 20]],
    ['claude-mythos-5', 1 * M, 128_000, 'images thinking', [10, 50, 1, 12.5, 20]],
    ['claude-opus-5-5', 1 * M, 128_000, 'images thinking', [4, 20, 0.2, 5, 8]],
    ['claude-opus-5', 1 * M, 128_000, 'images thinking', [5, 25, 0.5, 6.25, 10]],
    ['claude-opus-4-8', 1 * M, 128_000, 'images thinking', [5, 25, 0.5, 6.25, 10]],
    ['claude-opus-4-7', 1 * M, 128_000, 'images thinking', [5, 25, 0.5, 6.25, 10]],
    ['claude-opus-4-6', 1 * M, 128_000, 'images thinking', [5, 25, 0.5, 6.25, 10]],
    ['claude-opus-4-5', 200_000, 64_000, 'images thinking', [5, 25, 0.5, 6.25, 10]],
    ['claude-opus-4-1', 200_000, 32_000, 'images thinking', [15, 75, 1.5, 18.75, 30]],
    ['claude-opus-4', 200_000, 32_000, 'images thinking', [15, 75, 1.5, 18.75, 30]],
    ['claude-sonnet-5-5', 1 * M, 128_000, 'images thinking', [2, 10, 0.1, 2.5, 4]],
    ['claude-sonnet-5', 1 * M, 128_000, 'images thinking', [2, 10, 0.2, 2.5, 4]],
    ['claude-sonnet-4-6', 1 * M, 64_000, 'images thinking', [3, 15, 0.3, 3.75, 6]],
    ['claude-sonnet-4-5', 200_000, 64_000, 'images thinking', [3, 15, 0.3, 3.75, 6]],
    ['claude-sonnet-4', 200_000, 64_000, 'images thinking', [3, 15, 0.3, 3.75, 6]],
    ['claude-haiku-5-5', 1 * M, 128_000, 'images thinking', [0.1, 0.5, 0.01, 0.125, 0.2]],
    ['claude-haiku-4-5', 200_000, 64_000, 'images thinking', [1, 5, 0.1, 1.25, 2]],
    ['claude-3-7-sonnet', 200_000, 64_000, 'images thinking', [3, 15, 0.3, 3.75, 6]],
    ['claude-3-5-sonnet', 200_000, 8_192, 'images', [3, 15, 0.3, 3.75, 6]],
    ['claude-3-5-haiku', 200_000, 8_192, 'images', [0.8, 4, 0.08, 1, 1.6]],
    ['claude-3-opus', 200_000, 4_096, 'images', [15, 75, 1.5, 18.75, 30]],
    ['claude-3-haiku', 200_000, 4_096, 'images', [0.25, 1.25, 0.03, 0.3, 0.5]],
  ]),
  // OpenAI
  dated('2026-10-26', [
    ['gpt-6.1-sol', 1_050_000, 128_000, 'images thinking', [2, 10, 0.1, 2.5, 2.5]],
    ['gpt-6.1-terra', 1_050_000, 128_000, 'images thinking', [1, 5, 0.05, 1.25, 1.25]],
    ['gpt-6-astra', 1_050_000, 128_000, 'images thinking', [10, 50, 1, 12.5, 12.5]],
    ['gpt-6-sol', 1_050_000, 128_000, 'images thinking', [2, 10, 0.2, 2.5, 2.5]],
    ['gpt-6-luna', 1_050_000, 128_000, 'images thinking', [0.1, 0.5, 0.01, 0.125, 0.125]],
    ['gpt-5.6-sol', 1_050_000, 128_000, 'images thinking'],
    ['gpt-5.6-terra', 1_050_000, 128_000, 'images thinking', [2, 12, 0.2]],
    ['gpt-5.6-luna', 1_050_000, 128_000, 'images thinking', [0.2, 1.2, 0.02]],
  ]),
  dated('2026-06-30', [
    ['gpt-5.5', 1_050_000, 128_000, 'images thinking', [5, 30, 0.5]],
    ['gpt-5.5-pro', 1_050_000, 128_000, 'images thinking', [30, 180]],
    ['gpt-5.4', 1_050_000, 128_000, 'images thinking', [2.5, 15, 0.25]],
    ['gpt-5.4-pro', 1_050_000, 128_000, 'images thinking', [30, 180]],
    ['gpt-5.4-mini', 400_000, 128_000, 'images thinking', [0.75, 4.5, 0.075]],
    ['gpt-5.4-nano', 400_000, 128_000, 'images thinking', [0.2, 1.25, 0.02]],
  ]),
  dated('2025-12-31', [
    ['gpt-5.2', 400_000, 128_000, 'images thinking', [1.75, 14, 0.175]],
    ['gpt-5.2-pro', 400_000, 128_000, 'images thinking', [21, 168]],
    ['gpt-5.1', 400_000, 128_000, 'images thinking', [1.25, 10, 0.125]],
    ['gpt-5', 400_000, 128_000, 'images thinking', [1.25, 10, 0.125]],
    ['gpt-5-pro', 400_000, 272_000, 'images thinking', [15, 120]],
    ['gpt-5-mini', 400_000, 128_000, 'images thinking', [0.25, 2, 0.025]],
    ['gpt-5-nano', 400_000, 128_000, 'images thinking', [0.05, 0.4, 0.005]],
    ['gpt-4.1', 1_047_576, 32_768, 'images', [2, 8, 0.5]],
    ['gpt-4.1-mini', 1_047_576, 32_768, 'images', [0.4, 1.6, 0.1]],
    ['gpt-4.1-nano', 1_047_576, 32_768, 'images', [0.1, 0.4, 0.025]],
    ['gpt-4o', 128_000, 16_384, 'images', [2.5, 10, 1.25]],
    ['gpt-4o-mini', 128_000, 16_384, 'images', [0.15, 0.6, 0.075]],
    ['gpt-4-turbo', 128_000, 4_096, 'images', [10, 30]],
    ['o4-mini', 200_000, 100_000, 'images thinking', [1.1, 4.4, 0.275]],
    ['o3', 200_000, 100_000, 'images thinking', [2, 8, 0.5]],
    ['o3-pro', 200_000, 100_000, 'images thinking', [20, 80]],
    ['o3-mini', 200_000, 100_000, 'thinking', [1.1, 4.4, 0.55]],
    ['o1', 200_000, 100_000, 'images thinking', [15, 60, 7.5]],
  ]),
  // Google
  dated('2026-09-02', [
    ['gemini-3.8-flash', K * K, 64 * K, 'images thinking', [0.75, 3.75, 0.075]],
    ['gemini-3.7-flash', K * K, 64 * K, 'images thinking'],
    ['gemini-3.6-flash', K * K, 64 * K, 'images thinking'],
  ]),
  dated('2026-05-19', [
    ['gemini-3.5-flash', K * K, 64 * K, 'images thinking', [1.5, 9, 0.15]],
    ['gemini-3.1-pro', K * K, 64 * K, 'images thinking', [2, 12, 0.2]],
    ['gemini-3.1-flash-lite', K * K, 64 * K, 'images thinking', [0.25, 1.5, 0.025]],
    ['gemini-3-pro', K * K, 64 * K, 'images thinking', [2, 12, 0.2]],
    ['gemini-3-flash', K * K, 64 * K, 'images thinking', [0.5, 3, 0.05]],
    ['gemini-2.5-pro', K * K, 64 * K, 'images thinking', [1.25, 10, 0.125]],
    ['gemini-2.5-flash', K * K, 64 * K, 'images thinking', [0.3, 2.5, 0.03]],
    ['gemini-2.5-flash-lite', K * K, 64 * K, 'images thinking', [0.1, 0.4, 0.01]],
    ['gemma-4', 256 * K, 32 * K, 'images thinking'],
    ['gemma-3', 128 * K, 8 * K, 'images'],
  ]),
  // DeepSeek
  dated('2026-09-10', [
    ['deepseek-v4-pro', 1 * M, 384 * K, 'thinking', [1.32, 3.96, 0.044]],
    ['deepseek-flash', 1 * M, 384 * K, 'images thinking', [0.3, 1.2, 0.006]],
    ['deepseek-v4-flash', 1 * M, 384 * K, 'thinking', [0.3, 1.2, 0.006]],
    ['deepseek-v4.1-flash', 1 * M, 384 * K, 'images thinking'],
    ['deepseek-v3', 128_000, 32_768, 'thinking'],
    ['deepseek-r1', 128_000, 32_768, 'thinking'],
  ]),
  // Qwen
  dated('2026-08-03', [['qwen3.8-max', 1 * M, 128 * K, 'images thinking', [2, 6]]]),
  dated('2026-06-04', [
    ['qwen3.7-max', 1 * M, 64 * K, 'thinking'],
    ['qwen3.7-plus', 1 * M, 64 * K, 'images thinking', [0.4, 1.6, 0.08, 0.5, 0.5]],
    ['qwen3.5-plus', 1 * M, 64 * K, 'images thinking', [0.4, 2.4, 0.04, 0.5, 0.5]],
    ['qwen3-max', 256 * K, 64 * K, '', [1.2, 6, 0.24, 1.5, 1.5]],
    ['qwen3-coder-plus', 1 * M, 64 * K, '', [1, 5, 0.2, 1.25, 1.25]],
    ['qwen-plus', 1 * M, 32 * K, 'thinking'],
    ['qwen3-coder', 256 * K, 64 * K, ''],
    ['qwen3', 128 * K, 16 * K, 'thinking'],
    ['qwen2.5', 128 * K, 8 * K, ''],
  ]),
  // Moonshot
  dated('2026-07-17', [
    ['kimi-k3', K * K, 256 * K, 'images thinking', [3, 15, 0.3]],
    ['kimi-k2.7-code', 256 * K, 64 * K, 'thinking'],
  ]),
  dated('2026-04-21', [
    ['kimi-k2.6', 256 * K, 64 * K, 'images thinking', [0.95, 4, 0.16]],
    ['kimi-k2.5', 256 * K, 64 * K, 'images thinking'],
    ['kimi-k2-thinking', 256 * K, 64 * K, 'thinking'],
    ['kimi-k2', 256 * K, 64 * K, ''],
  ]),
  // Z.ai
  dated('2026-08-28', [
    ['glm-5.3', 1 * M, 128 * K, 'thinking', [1.4, 4.4, 0.26]],
    ['glm-5.3-flash', 1 * M, 128 * K, 'images thinking', [0.15, 0.5]],
    ['glm-5.2', 1 * M, 128 * K, 'thinking', [1.4, 4.4, 0.26]],
    ['glm-5.1', 200_000, 128_000, 'thinking', [1.4, 4.4]],
    ['glm-5', 200_000, 128_000, 'thinking', [1, 3.2]],
    ['glm-5v-turbo', 200_000, 128_000, 'images thinking', [1.2, 4]],
    ['glm-4.7', 200 * K, 128 * K, 'thinking', [0.6, 2.2, 0.11]],
    ['glm-4.6', 200 * K, 128 * K, 'thinking'],
    ['glm-4.5', 128 * K, 96 * K, 'thinking'],
    ['glm-4.5-air', 128 * K, 96 * K, 'thinking', [0.2, 1.1, 0.03]],
  ]),
  // MiniMax
  dated('2026-09-11', [['minimax-m3', 1 * M, 128 * K, 'images thinking', [0.3, 1.2, 0.06]]]),
  dated('2026-04-21', [
    ['minimax-m2.7', 200 * K, 128 * K, 'thinking', [0.3, 1.2, 0.06, 0.375, 0.375]],
    ['minimax-m2', 200 * K, 128 * K, 'thinking'],
  ]),
  // xAI
  dated('2026-09-21', [
    ['grok-4.7', 500_000, 125_000, 'images thinking', [2, 6, 0.5]],
    ['grok-4.6', 500_000, 125_000, 'images thinking', [2, 6, 0.5]],
    ['grok-4.5', 500_000, 125_000, 'images thinking', [2, 6, 0.5]],
  ]),
  dated('2026-07-13', [
    ['grok-4.3', 1 * M, 30_000, 'images thinking', [1.25, 2.5, 0.2]],
    ['grok-4.20', 1 * M, 30_000, 'images thinking', [1.25, 2.5]],
    ['grok-4', 256_000, 64_000, 'images thinking'],
    ['grok-3', 131_072, 32_768, ''],
    ['grok-3-mini', 131_072, 32_768, 'thinking'],
  ]),
  // Mistral
  dated('2026-10-06', [['mistral-large-4', K * K, 256 * K, 'images thinking', [1.36, 4.18, 0.14]]]),
  dated('2026-08-27', [
    ['mistral-medium-latest', 256_000, 64_000, 'images thinking', [1.5, 7.5]],
    ['mistral-medium-3-5', 256_000, 64_000, 'images thinking', [1.5, 7.5]],
    ['mistral-medium-3.5', 256_000, 64_000, 'images thinking', [1.5, 7.5]],
    ['mistral-medium', 256_000, 64_000, 'images thinking'],
    ['mistral-large-2512', 256 * K, 64 * K, 'images', [0.5, 1.5]],
    ['mistral-large-3', 256 * K, 64 * K, 'images', [0.5, 1.5]],
    ['mistral-large', 128_000, 32_000, ''],
    ['mistral-small', 128_000, 16_384, 'images'],
    ['devstral', 256_000, 64_000, ''],
  ]),
  // Amazon
  dated('2026-08-06', [
    ['nova-2-lite', 1 * M, 64_000, 'images thinking'],
    ['nova-pro', 300_000, 10_000, 'images', [0.8, 3.2]],
    ['nova-lite', 300_000, 10_000, 'images', [0.06, 0.24]],
    ['nova-micro', 128_000, 8_192, '', [0.035, 0.14]],
  ]),
  // Open weights
  dated('2026-08-06', [
    ['gpt-oss', 131_072, 32_768, 'thinking'],
    ['hermes-4', 128 * K, 32 * K, 'thinking'],
    ['llama-4', 1 * M, 16_384, 'images'],
    ['llama-3.3', 128_000, 4_096, ''],
    ['llama-3.2', 128_000, 4_096, ''],
    ['llama-3.1', 128_000, 4_096, ''],
    ['nemotron-3-super', 256 * K, 64 * K, 'thinking'],
  ]),
];
// biome-ignore-end format: one row a line

/** `asOf` is the day of the newest figures; every row has its own. */
export const MODEL_TABLE: { readonly asOf: string; readonly rows: readonly ModelRow[] } = {
  asOf: '2026-10-26',
  rows: ROWS.flat(),
};

function dated(asOf: string, lines: readonly Line[]): readonly ModelRow[] {
  return lines.map(([match, contextWindow, maxOutput, accepts, price]) => ({
    match,
    contextWindow,
    maxOutput,
    images: accepts.includes('images'),
    thinking: accepts.includes('thinking'),
    ...(price ? { price: priceOf(price) } : {}),
    asOf,
  }));
}

function priceOf([input, output, read, write5m, write1h]: Figures): Price {
  return {
    input,
    output,
    ...(read === undefined ? {} : { cacheRead: read }),
    ...(write5m === undefined ? {} : { cacheWrite5m: write5m }),
    ...(write1h === undefined ? {} : { cacheWrite1h: write1h }),
  };
}

/** The spellings of hosts and servers, undone in this order. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^.*\//, ''], // a vendor's or an account's path, an ARN
  [/^(?:[a-z-]+\.)+(?=[a-z])/, ''], // Bedrock's region and vendor: us.anthropic.
  [/-v?\d+:\d+(?::\w+)?$/, ''], // Bedrock's version: -v1:0, -1:0, -v1:0:24k
  [/[:@].*$/, ''], // :free, :8b, @20250929
  [/-v1$/, ''], // Bedrock's short version
  [/(\d)p(?=\d)/g, '$1.'], // Fireworks: glm-5p3
  [/^meta-(?=llama)/, ''],
  [/^(llama|gemma)(?=\d)/, '$1-'], // Ollama: llama3.3
  [/^(llama-\d)-(?=\d-)/, '$1.'], // Bedrock: llama3-3-70b
];

function normalise(model: string): string {
  const id = SPELLINGS.reduce((text, [pattern, by]) => text.replace(pattern, by), model.trim().toLowerCase());
  return id.startsWith('claude') ? id.replaceAll('.', '-') : id;
}

/** A suffix that dates a model or names its channel, and does not make another model of it. */
const SNAPSHOT = /^(?:-(?:latest|preview|exp|beta|\d{4}-\d{2}-\d{2}|\d{2}-\d{2,4}|\d{4,8}))*$/;

/**
 * The row with the longest prefix of the model's id. A model that only begins like a known one (a later
 * version, a faster variant) is taken to be able to do the same, but its price is not known.
 */
export function lookUpModel(model: string): ModelRow | undefined {
  const id = normalise(model);
  let best: ModelRow | undefined;
  for (const row of MODEL_TABLE.rows) {
    if (id.startsWith(row.match) && row.match.length > (best?.match.length ?? 0)) best = row;
  }
  if (!best || SNAPSHOT.test(id.slice(best.match.length))) return best;
  const { price: _, ...rest } = best;
  return rest;
}
