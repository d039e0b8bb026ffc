import { defineIntent } from '../intent.ts';

const FILE =
  /^\s*(?:(?:read|show|open|cat|读取|查看|打开)(?: (?:the )?file)?[::\s]\s*)`?(?<path>[\w./~-]+\.\w+|[\w.~-]*\/[\w./~-]+)`?\s*$/i;

export const intent = defineIntent({
  summary: { en: 'a file: `read src/app.ts`', zh: '查看文件:`读取 src/app.ts`' },
  call: (text) => {
    const path = FILE.exec(text)?.groups?.['path'];
    return path ? { name: 'read_file', input: { path } } : undefined;
  },
});
