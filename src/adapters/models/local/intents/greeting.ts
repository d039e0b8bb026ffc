import { defineIntent } from '../intent.ts';

const WORDS =
  /^\s*(hi|hello|hey|good (morning|afternoon|evening)|thanks?( you)?|你好|您好|嗨|早上好|晚上好|谢谢)[\s!.,。!]*$/i;

export const intent = defineIntent({
  match: (text) => (WORDS.test(text) ? 0.9 : 0),
  answer: async (_, language) =>
    language === 'zh'
      ? '你好。我是 Hermes 的内置操作员,目前没有接入模型。输入“帮助”查看我能做什么。'
      : 'Hello. I am the built-in operator of Hermes; no model is connected yet. Type "help" to see what I can do.',
});
