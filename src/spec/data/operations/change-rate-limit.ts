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
    en: /(?:chang|rais|lower|adjust|increas|lift|touch|modif|loosen|tighten)\w* (?:the |its |any )?(?:[a-z][\w.-]*(?:'s)? )?rate[- ]?limit|rate[- ]?limit changes?/,
    zh: /(?:调整|修改|提高|降低|放宽|改|调(?!用)|(?<![自启])动)[^,,。;;]{0,24}?限流|限流(?:配置|阈值|规则|值)?[^,,。;;]{0,8}?(?:修改|调整|提高|降低|放宽|改|调|(?<![自启])动)/,
    noun: 'rate limit change',
  },
  undo: { params: { key: 'key', from: 'value', value: 'from' } },
  verify: { reaches: 'value' },
});
