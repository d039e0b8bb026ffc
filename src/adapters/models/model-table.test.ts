import { describe, expect, it } from 'vitest';
import { Price } from '#spec/data';
import { lookUpModel, MODEL_TABLE, type ModelRow } from './model-table.ts';

const { rows } = MODEL_TABLE;
const named = (found: readonly ModelRow[]): readonly string[] => found.map((row) => row.match);

describe('the rows', () => {
  it('never have the same prefix twice', () => {
    const seen = named(rows);
    expect(seen.filter((match, index) => seen.indexOf(match) !== index)).toEqual([]);
  });

  it('are found under their own names, whole', () => {
    expect(rows.map((row) => lookUpModel(row.match))).toEqual(rows);
  });

  it('leave room for input', () => {
    expect(named(rows.filter((row) => row.maxOutput >= row.contextWindow))).toEqual([]);
  });

  it('have prices in a sane order: cache read below input, cache write and output not', () => {
    const odd = rows.filter(({ price }) => {
      if (!price) return false;
      const { input, output, cacheRead = 0, cacheWrite5m = input, cacheWrite1h = input } = Price.parse(price);
      return output < input || cacheRead >= input || cacheWrite5m < input || cacheWrite1h < cacheWrite5m;
    });
    expect(named(odd)).toEqual([]);
  });

  it('have dates, of which the newest is the table’s', () => {
    const dates = rows.map((row) => row.asOf ?? 'none').toSorted();
    expect(dates.filter((date) => !/^\d{4}-\d{2}-\d{2}$/.test(date))).toEqual([]);
    expect(dates.at(-1)).toBe(MODEL_TABLE.asOf);
  });
});

describe('lookUpModel', () => {
  it('takes the longest prefix', () => {
    expect(lookUpModel('gpt-4o-2024-08-06')?.match).toBe('gpt-4o');
    expect(lookUpModel('gpt-4o-mini-2024-07-18')?.match).toBe('gpt-4o-mini');
    expect(lookUpModel('claude-opus-5-5')?.match).toBe('claude-opus-5-5');
    expect(lookUpModel('claude-opus-4-20250514')?.match).toBe('claude-opus-4');
  });

  it.each([
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['global.anthropic.claude-sonnet-5-5', 'claude-sonnet-5-5'],
    ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'claude-3-5-sonnet'],
    ['us-gov.anthropic.claude-3-haiku-20240307-v1:0:48k', 'claude-3-haiku'],
    ['arn:aws:bedrock:us-east-1:1234:inference-profile/eu.amazon.nova-pro-v1:0', 'nova-pro'],
    ['openai.gpt-oss-120b-1:0', 'gpt-oss'],
    ['meta.llama3-3-70b-instruct-v1:0', 'llama-3.3'],
    ['global.zai.glm-5.3', 'glm-5.3'],
  ])('reads Bedrock’s %s as %s', (id, match) => {
    expect(lookUpModel(id)?.match).toBe(match);
  });

  it.each([
    ['anthropic/claude-sonnet-5.5', 'claude-sonnet-5-5'],
    ['anthropic/claude-3.5-haiku', 'claude-3-5-haiku'],
    ['deepseek/deepseek-r1:free', 'deepseek-r1'],
    ['MiniMaxAI/MiniMax-M3:fireworks-ai', 'minimax-m3'],
    ['accounts/fireworks/models/glm-5p3-flash', 'glm-5.3-flash'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo', 'llama-3.1'],
    ['llama3.3:70b', 'llama-3.3'],
    ['gemma3:27b', 'gemma-3'],
    ['MiniMax-M2.7', 'minimax-m2.7'],
  ])('reads %s as %s', (id, match) => {
    expect(lookUpModel(id)?.match).toBe(match);
  });

  it.each(['gpt-5-2025-08-07', 'claude-haiku-4-5-20251001', 'gemini-3.1-pro-preview', 'qwen3.8-max-0902'])(
    'keeps the price of %s',
    (id) => {
      expect(lookUpModel(id)?.price).toBeDefined();
    },
  );

  it.each(['claude-opus-5-9', 'gpt-5.9', 'gpt-5-turbo', 'claude-opus-5-5-fast', 'o1-pro', 'glm-5.3-air'])(
    'lends %s abilities, but no price',
    (id) => {
      const row = lookUpModel(id);
      expect(row?.contextWindow).toBeGreaterThan(0);
      expect(row).not.toHaveProperty('price');
    },
  );

  it.each(['', 'my-own-model', 'vendor/', 'claude', ':free', 'constructor'])('does not know "%s"', (id) => {
    expect(lookUpModel(id)).toBeUndefined();
  });
});
