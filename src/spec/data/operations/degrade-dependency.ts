import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'degrade', zh: '降级' },
  effect: 'drop_dependency',
  risk: 'safe_write',
  params: { dependency: { required: true } },
  rules: { en: /degrad\w*/, zh: /降级/ },
  undo: 'by_hand',
  verify: { drops: 'dependency' },
});
