import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'flush the cache', zh: '清空缓存' },
  effect: 'flush_cache',
  risk: 'destructive',
  params: {},
  rules: {
    en: /(?:flush|clear|empty)\w* (?:the |its )?cache|cache flush\w*/,
    zh: /(?:清空|清理|清除|刷新?)缓存/,
    noun: 'cache flush',
  },
  undo: 'nothing',
  verify: {},
});
