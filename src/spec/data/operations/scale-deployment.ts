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
    en: /\bscal(?:e|ed|ing)\b/,
    zh: /扩容|缩容|扩缩容|(?:扩|缩)(?:到|成|至)|(?:加|减|调|改|扩|缩).{0,6}副本|副本数?(?:调|改|加|减|扩|缩)/,
  },
  undo: { params: { from: 'replicas', replicas: 'from' } },
  verify: { reaches: 'replicas' },
});
