import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'scale', zh: '扩缩容' },
  effect: 'set_replicas',
  risk: 'safe_write',
  params: {
    from: {},
    replicas: { also: ['to'], required: true, number: { min: 0, max: 10_000, whole: true } },
  },
  rules: {
    en: /\bscal(?:e|ed|ing)\b|(?:chang|touch|adjust|rais|lower|reduc|increas|add|remov|bump|set)\w* (?:the |its |any |more )?(?:number of |[a-z][\w.-]*(?:'s)? )?replicas?\b|replicas? (?:count )?changes?/,
    zh: /扩容|缩容|扩缩容|(?:扩|缩)(?:到|成|至)|(?:加|减|调(?!用)|改|扩|缩|(?<![自启])动)[^,,。;;]{0,24}?副本|副本数?[^,,。;;]{0,8}?(?:调|改|加|减|扩|缩|(?<![自启])动)/,
  },
  undo: { params: { from: 'replicas', replicas: 'from' } },
  verify: { reaches: 'replicas' },
});
