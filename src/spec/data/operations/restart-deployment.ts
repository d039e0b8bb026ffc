import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'restart', zh: '重启' },
  effect: 'restart',
  risk: 'destructive',
  params: {},
  rules: { en: /restart\w*|reboot\w*/, zh: /重启|重新启动/, noun: 'restart' },
  undo: 'nothing',
  verify: {},
});
