import type { ModelInfo, ThinkingLevel } from '#spec/data';

/** Claude models up to the 4.5 generation, which take a token budget; later ones take an effort and nothing else. */
const BUDGETED_CLAUDE =
  /claude-(3|instant|2)|claude-(opus|sonnet|haiku)-4([-.@](0|1|5|20\d{6})\b|(?![-.@]?\w))/;

const BUDGETS: Readonly<Record<Exclude<ThinkingLevel, 'off'>, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 24_576,
};

/** The fields that ask a Claude-style endpoint to think, or none. */
export function claudeThinking(
  info: ModelInfo,
  level: ThinkingLevel | undefined,
  maxOutput: number,
): Readonly<Record<string, unknown>> {
  if (!level || level === 'off' || !info.thinking) return {};
  const isClaude = /claude/.test(info.model);
  if (isClaude && !BUDGETED_CLAUDE.test(info.model)) {
    return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: level } };
  }
  const budget = Math.min(BUDGETS[level], maxOutput - 1_024);
  return budget < 1_024 ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** Thinking and the newer generations fix the sampling themselves. */
export function takesTemperature(info: ModelInfo, level: ThinkingLevel | undefined): boolean {
  const thinks = info.thinking && level !== undefined && level !== 'off';
  const fixed = /claude/.test(info.model) && !BUDGETED_CLAUDE.test(info.model);
  return !thinks && !fixed;
}
