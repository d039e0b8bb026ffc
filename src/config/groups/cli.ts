import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** The chat in a terminal. */
export const cli = z.strictObject({
  prompt_style: z.enum(['rich', 'plain']).default('rich').register(fieldDocs, {
    en: 'How a chat in a terminal looks: rich, or plain lines as on a pipe',
    zh: '终端对话的样式:rich(富文本界面)或 plain(纯文本行)',
  }),
});
