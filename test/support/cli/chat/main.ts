import type { Message } from '#spec/data';
import type { CliContext } from '../../../../src/cli/command.ts';
import { texts } from '../../../../src/cli/text/index.ts';
import { runTerminalChat } from '../../../../src/cli/chat/index.ts';
import { scriptedConversation } from './scripted-conversation.ts';

// Runs the chat over a scripted conversation: `main.ts [history file] [past]`.
const [historyFile, past] = process.argv.slice(2);
const controller = new AbortController();
process.once('SIGINT', () => controller.abort());
process.once('SIGTERM', () => controller.abort());

const context: CliContext = {
  version: '0.0.0',
  language: 'en',
  text: texts[process.env.LANG?.startsWith('zh') ? 'zh' : 'en'],
  profile: undefined,
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: controller.signal,
  host: () => Promise.reject(new Error('the scripted conversation has no home')),
};
const said: Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'why is checkout slow?' }] },
  {
    role: 'assistant',
    origin: { provider: 'openai', model: 'gpt-5', protocol: 'local' },
    content: [{ type: 'text', text: 'Because of **v2.4.1**.' }],
  },
];
const conversation = scriptedConversation(past ? said : []);
process.exitCode = await runTerminalChat(conversation, context, { historyFile });
