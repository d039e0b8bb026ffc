import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'flush the cache', zh: '清空缓存' },
  effect: 'flush_cache',
  risk: 'destructive',
  params: {},
  rules: {
    en: /(?:flush|clear|empty|purg|invalidat)\w* (?:the |its |any )?(?:[a-z][\w.-]*(?:'s)? )?caches?|cache flush\w*/,
    zh: /(?:清空|清理|清除|清掉?|刷新?)[^,,。;;]{0,24}?缓存|缓存[^,,。;;]{0,8}?(?:清|刷)/,
    noun: 'cache flush',
  },
  undo: 'nothing',
  verify: {},
});
