import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'fail over', zh: '主备切换' },
  effect: 'set_active',
  risk: 'destructive',
  params: { dependency: {}, from: {}, to: { default: 'replica' } },
  rules: {
    en: /fail(?:ing|ed)?[- ]?overs?/,
    zh: /主[备从]切换|故障转移|切换?到?备/,
    noun: 'failover',
  },
  undo: { params: { dependency: 'dependency', from: 'to', to: 'from' } },
  verify: { reaches: 'to' },
});
