import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { textOf } from './call-shell.ts';
import { answer } from '../text/answer.ts';

const input = z.strictObject({
  message: z.string().min(1).max(20_000),
  platform: z.string().min(1).max(50).default('all').describe('such as telegram, slack, email, all'),
  to: z.string().max(200).optional().describe('a chat or person there'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'notify',
  toolset: 'actions',
  description: 'Send a message to people over a messaging platform. Says so when nobody took it.',
  input,
  deferred: true,
  effect: () => 2,
  footprint: () => undefined,
  // The tool that sends says where to, and the gate asks it.
  async run({ message, platform, to }, { callTool }) {
    const result = await callTool('send_message', { platform, message, ...(to === undefined ? {} : { to }) });
    const delivered = !result.isError;
    const reason = delivered ? '' : textOf(result).slice(0, 300);
    const text = delivered ? `Sent to ${platform}.` : `Nobody took the message for ${platform}: ${reason}`;
    return answer(text, text.slice(0, 160), { delivered, platform, reason, message });
  },
});
