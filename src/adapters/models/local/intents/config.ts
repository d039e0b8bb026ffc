import { defineIntent } from '../intent.ts';

const WORDS =
  /\b(config(uration)?|settings?|preferences?|config\.yaml|profile|language)\b|配置|设置|语言|偏好/i;

export const intent = defineIntent({
  match: (text) => (WORDS.test(text) ? 0.6 : 0),
  summary: { en: 'configuration: where it is and how to change it', zh: '配置:位置与修改方法' },
  answer: async (facts, language) => {
    const { configPath, profile } = await facts();
    const lines =
      language === 'zh'
        ? [
            `配置文件:${configPath}(配置档 ${profile})`,
            '',
            '- 查看全部:`hermes config list`',
            '- 读取一项:`hermes config get llm.model`',
            '- 修改一项:`hermes config set language zh`',
            '- 用编辑器打开:`hermes config edit`(保存后会检查)',
            '- 密钥只写入 `.env`,不会进入 config.yaml。',
          ]
        : [
            `Configuration file: ${configPath} (profile ${profile})`,
            '',
            '- See everything: `hermes config list`',
            '- Read one value: `hermes config get llm.model`',
            '- Change one value: `hermes config set language zh`',
            '- Open it in your editor: `hermes config edit` (it is checked when you save)',
            '- Keys go to `.env` only, never into config.yaml.',
          ];
    return lines.join('\n');
  },
});
