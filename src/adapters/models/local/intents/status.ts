import { defineIntent } from '../intent.ts';

const WORDS =
  /\b(status|state|health(y)?|are you (ok|up|alive)|what model|version|which version)\b|状态|健康|版本|你是谁|在吗|当前模型/i;

export const intent = defineIntent({
  match: (text) => (WORDS.test(text) ? 0.7 : 0),
  summary: { en: 'status: what runs, where, with which model', zh: '状态:运行位置与当前模型' },
  answer: async (gather, language) => {
    const facts = await gather();
    const zh = language === 'zh';
    const none = zh ? '未接入(内置操作员在回答)' : 'none connected (the built-in operator answers)';
    const rows: readonly (readonly [string, string])[] = [
      ['Hermes', `${facts.version}, Node ${facts.nodeVersion}, ${facts.platform}`],
      [zh ? '模型' : 'Model', facts.model ?? none],
      [zh ? '配置档' : 'Profile', `${facts.profile} (${facts.home})`],
      [
        zh ? '配置文件' : 'Configuration',
        facts.configExists
          ? facts.configPath
          : zh
            ? '默认值(尚无 config.yaml)'
            : 'defaults (no config.yaml yet)',
      ],
      [zh ? '密钥' : 'Keys found', facts.keysFound.join(', ') || (zh ? '无' : 'none')],
      [zh ? '本机模型服务' : 'Local model servers', facts.localServers.join(', ') || (zh ? '无' : 'none')],
    ];
    return rows.map(([name, value]) => `- ${name}: ${value}`).join('\n');
  },
});
