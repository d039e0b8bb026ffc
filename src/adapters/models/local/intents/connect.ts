import { defineIntent } from '../intent.ts';

const WORDS =
  /\b(connect|set ?up|configure|add|use|choose|pick|switch|change)\b.*\b(model|llm|provider|key|openai|anthropic|claude|gpt|ollama|gemini|deepseek|qwen)\b|\bapi ?key\b|\bwhich models?\b|(连接|接入|配置|设置|添加|选择|切换|换).*(模型|密钥|大模型)|怎么.*模型|密钥/i;

export const intent = defineIntent({
  match: (text) => (WORDS.test(text) ? 0.8 : 0),
  summary: { en: 'how to connect a model', zh: '如何接入模型' },
  answer: async (facts, language) => {
    const { keysFound, localServers, model } = await facts();
    const zh = language === 'zh';
    const lines = [zh ? '接入模型有三种方式:' : 'There are three ways to connect a model:', ''];
    if (zh) {
      lines.push(
        '1. 运行 `hermes model`,在列表中选择;',
        '2. 设置密钥变量,例如 `export OPENAI_API_KEY=…`,再运行 `hermes model use openai`;',
        '3. 本机服务(Ollama、LM Studio、llama.cpp、vLLM)无需密钥:`hermes model use ollama`。',
      );
    } else {
      lines.push(
        '1. Run `hermes model` and pick one from the list.',
        '2. Set a key, for example `export OPENAI_API_KEY=…`, then `hermes model use openai`.',
        '3. A server on this machine (Ollama, LM Studio, llama.cpp, vLLM) needs no key: `hermes model use ollama`.',
      );
    }
    if (keysFound.length)
      lines.push(
        '',
        zh ? `已找到密钥:${keysFound.join('、')}。` : `Keys found for: ${keysFound.join(', ')}.`,
      );
    if (localServers.length)
      lines.push(
        '',
        zh
          ? `本机正在运行:${localServers.join('、')}。`
          : `Answering on this machine: ${localServers.join(', ')}.`,
      );
    if (model) lines.push('', zh ? `当前配置的模型:${model}。` : `Configured now: ${model}.`);
    lines.push(
      '',
      zh
        ? '没有密钥也想试用:`hermes testkit model-server`。'
        : 'To try without any key: `hermes testkit model-server`.',
    );
    return lines.join('\n');
  },
});
