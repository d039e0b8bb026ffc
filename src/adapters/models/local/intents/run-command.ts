import { defineIntent } from '../intent.ts';

const COMMAND = /^\s*(?:!|(?:run|execute|运行|执行)[::\s]\s*`?)(?<command>[^`]+?)`?\s*$/i;

export const intent = defineIntent({
  match: (text) => (COMMAND.test(text) ? 0.95 : 0),
  summary: { en: 'a command: `run df -h` or `!df -h`', zh: '运行命令:`运行 df -h` 或 `!df -h`' },
  call: (text) => ({ name: 'terminal', input: { command: COMMAND.exec(text)?.groups?.command ?? '' } }),
});
