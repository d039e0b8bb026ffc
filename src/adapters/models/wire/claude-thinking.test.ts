import { describe, expect, it } from 'vitest';
import { claudeThinking, takesTemperature } from './claude-thinking.ts';
import { modelInfo } from '#testkit/sample-messages';

const BUDGETED = [
  'claude-3-7-sonnet-20250219',
  'anthropic/claude-3.7-sonnet',
  'claude-sonnet-4-0',
  'claude-sonnet-4-20250514',
  'anthropic/claude-sonnet-4',
  'anthropic/claude-sonnet-4:thinking',
  'claude-opus-4-1-20250805',
  'anthropic/claude-opus-4.1',
  'claude-sonnet-4-5',
  'anthropic/claude-sonnet-4.5',
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  'claude-haiku-4-5-20251001',
];

const ADAPTIVE = [
  'claude-opus-4-6',
  'anthropic/claude-opus-4.6',
  'claude-sonnet-4-6',
  'claude-opus-4-10',
  'claude-sonnet-5-5',
  'us.anthropic.claude-opus-5-v1:0',
];

const info = (model: string, thinking = true) =>
  modelInfo({ model, thinking, protocol: 'anthropic_messages' });

describe('claudeThinking', () => {
  it.each(BUDGETED)('gives %s a budget', (model) => {
    expect(claudeThinking(info(model), 'medium', 64_000)).toEqual({
      thinking: { type: 'enabled', budget_tokens: 8_192 },
    });
  });

  it.each(ADAPTIVE)('asks %s for an effort', (model) => {
    expect(claudeThinking(info(model), 'high', 64_000)).toEqual({
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    });
  });

  it('gives models of others that speak the protocol a budget', () => {
    expect(claudeThinking(info('glm-5.3'), 'low', 64_000)).toEqual({
      thinking: { type: 'enabled', budget_tokens: 2_048 },
    });
  });

  it('leaves room for the answer in the output limit, and does not think where there is none', () => {
    const model = info('claude-sonnet-4-5');
    expect(claudeThinking(model, 'high', 8_000)).toEqual({
      thinking: { type: 'enabled', budget_tokens: 6_976 },
    });
    expect(claudeThinking(model, 'high', 2_048)).toEqual({
      thinking: { type: 'enabled', budget_tokens: 1_024 },
    });
    expect(claudeThinking(model, 'high', 2_047)).toEqual({});
  });

  it('asks for nothing when it is off, unset, or not something the model does', () => {
    expect(claudeThinking(info('claude-opus-4-6'), 'off', 64_000)).toEqual({});
    expect(claudeThinking(info('claude-opus-4-6'), undefined, 64_000)).toEqual({});
    expect(claudeThinking(info('claude-sonnet-4-5', false), 'high', 64_000)).toEqual({});
  });
});

describe('takesTemperature', () => {
  it('is so for budgeted models that do not think now, and for models of others', () => {
    for (const model of [...BUDGETED, 'glm-5.3']) {
      expect(takesTemperature(info(model), 'off')).toBe(true);
      expect(takesTemperature(info(model), undefined)).toBe(true);
      expect(takesTemperature(info(model), 'low')).toBe(false);
      expect(takesTemperature(info(model, false), 'low')).toBe(true);
    }
  });

  it('is never so for the newer generations', () => {
    for (const model of ADAPTIVE) expect(takesTemperature(info(model), 'off')).toBe(false);
  });
});
