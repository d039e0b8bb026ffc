import { commandIn, programOf } from '#kit/shell-form';
import { defineIntent } from '../intent.ts';

const PLAIN = /^\s*(?:!|(?:run|execute|运行|执行)[::\s]\s*`)(?<command>[^`]+?)`?\s*$/i;
const WORDS = /^\s*(?:run|execute|运行|执行)[::\s]\s*(?<command>(?<program>\S+)[^`]*?)\s*$/i;

export const intent = defineIntent({
  summary: { en: 'a command: `run df -h` or `!df -h`', zh: '运行命令:`运行 df -h` 或 `!df -h`' },
  // `run the disk check` is no command: what is to run is a program that is there.
  call: (text, isProgram) => {
    const bare = programOf(text);
    if (bare !== undefined && isProgram(bare))
      return { name: 'terminal', input: { command: commandIn(text) } };
    const { command, program } = { ...WORDS.exec(text)?.groups, ...PLAIN.exec(text)?.groups };
    const meant = PLAIN.test(text) || (program !== undefined && isProgram(program));
    return command && meant ? { name: 'terminal', input: { command } } : undefined;
  },
});
