import { defineIntent } from '../intent.ts';

const ADDRESS = /^\s*(?:(?:read|fetch|open|get|extract|读取|打开|抓取)[::\s]\s*)?(?<url>https?:\/\/\S+)\s*$/i;

export const intent = defineIntent({
  summary: { en: 'a page: its address, `https://…`', zh: '网页:直接输入地址 `https://…`' },
  call: (text) => {
    const url = ADDRESS.exec(text)?.groups?.['url'];
    return url ? { name: 'web_extract', input: { url } } : undefined;
  },
});
