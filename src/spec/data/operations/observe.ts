import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'observe', zh: '观察' },
  effect: 'none',
  risk: 'read_only',
  params: {},
  rules: { en: /observ\w*/, zh: /观察/ },
  undo: 'nothing',
  verify: {},
});
