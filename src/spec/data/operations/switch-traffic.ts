import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'switch traffic', zh: '切换流量' },
  effect: 'set_weight',
  risk: 'destructive',
  params: { from: {}, weight: { also: ['to'], required: true, number: { min: 0, max: 100 } } },
  rules: {
    en: /(?:switch|shift|mov|cut|divert|rerout|redirect)\w* (?:over )?(?:the |any |all )?(?:[a-z][\w.-]*(?:'s)? )?traffic|traffic (?:switch|shift)\w*/,
    zh: /切流|切换?[^,,。;;]{0,16}?流量|流量[^,,。;;]{0,8}?切/,
    noun: 'traffic switch',
  },
  undo: { params: { from: 'weight', weight: 'from' } },
  verify: { reaches: 'weight' },
});
