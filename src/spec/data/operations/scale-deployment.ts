import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'scale', zh: '扩缩容' },
  effect: 'set_replicas',
  risk: 'safe_write',
  params: {
    from: {},
    replicas: { also: ['to'], required: true, number: { min: 0, max: 10_000, whole: true } },
  },
  rules: { en: /\bscal(?:e|ed|ing)\b/, zh: /扩容|缩容|扩缩容/ },
  undo: { params: { from: 'replicas', replicas: 'from' } },
  verify: { reaches: 'replicas' },
});
