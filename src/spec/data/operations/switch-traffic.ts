import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'switch traffic', zh: '切换流量' },
  effect: 'set_weight',
  risk: 'destructive',
  params: { from: {}, weight: { also: ['to'], required: true, number: { min: 0, max: 100 } } },
  rules: {
    en: /(?:switch|shift|mov|cut)\w* (?:over )?(?:the )?traffic|traffic (?:switch|shift)\w*/,
    zh: /切流|切换流量|流量切换/,
    noun: 'traffic switch',
  },
  undo: { params: { from: 'weight', weight: 'from' } },
  verify: { reaches: 'weight' },
});
