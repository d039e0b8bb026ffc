import { defineOperation } from './define-operation.ts';

export const operation = defineOperation({
  name: { en: 'change the configuration', zh: '修改配置' },
  effect: 'set_config',
  risk: 'destructive',
  params: { key: { required: true }, from: {}, value: { also: ['to'], required: true } },
  rules: {
    en: /config\w* changes?|(?:chang|edit)\w* (?:the |its )?(?:config\w*|settings?)/,
    zh: /(?:修改|变更|调整)配置|配置变更/,
    noun: 'configuration change',
  },
  undoes: ['config', 'flag'],
  undo: { params: { key: 'key', from: 'value', value: 'from' } },
  verify: { reaches: 'value' },
});
