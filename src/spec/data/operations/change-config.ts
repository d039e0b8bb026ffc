import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'change the configuration', zh: '修改配置' },
  effect: 'set_config',
  risk: 'destructive',
  params: { key: { required: true }, from: {}, value: { also: ['to'], required: true } },
  rules: {
    en: /config\w* changes?|(?:chang|edit|touch|modif|alter|tweak|updat)\w* (?:the |its |any )?(?:[a-z][\w.-]*(?:'s)? )?(?:config\w*|settings?)/,
    zh: /(?:修改|变更|调整|改|调(?!用)|(?<![自启])动)(?:(?!限流|缓存|副本|流量)[^,,。;;]){0,24}?配置|配置变更|配置(?:项|文件)?[^,,。;;]{0,8}?(?:修改|变更|调整|(?<![自启])动(?!态)|改(?!为|成))/,
    noun: 'configuration change',
  },
  undoes: ['config', 'flag'],
  undo: { params: { key: 'key', from: 'value', value: 'from' } },
  verify: { reaches: 'value' },
});
