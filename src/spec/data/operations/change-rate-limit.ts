import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'change the rate limit', zh: '调整限流' },
  effect: 'set_config',
  risk: 'safe_write',
  params: {
    key: {},
    from: {},
    value: { also: ['to'], required: true, number: { min: 1, max: 10_000_000 } },
  },
  rules: {
    en: /(?:chang|rais|lower|adjust|increas|lift)\w* (?:the |its )?rate[- ]?limit|rate[- ]?limit changes?/,
    zh: /(?:调整|修改|提高|降低|放宽)限流/,
    noun: 'rate limit change',
  },
  undo: { params: { key: 'key', from: 'value', value: 'from' } },
  verify: { reaches: 'value' },
});
