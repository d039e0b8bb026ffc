import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** How a turn is led. */
export const agent = z.strictObject({
  max_calls: z.number().int().min(1).max(1000).default(90).register(fieldDocs, {
    en: 'Model calls that one turn may make before it has to close',
    zh: '每轮允许的模型调用次数',
  }),
  interim_messages: z.boolean().default(true).register(fieldDocs, {
    en: 'Show what the model says between its calls; when off, the answer comes all at once',
    zh: '显示模型在工具调用之间的中间文字;关闭后回答一次性显示',
  }),
  enabled_toolsets: z
    .array(z.string().register(fieldDocs, { en: 'A toolset', zh: '工具集' }))
    .default([])
    .register(fieldDocs, {
      en: 'Toolsets that are offered; all of them where the list is empty',
      zh: '启用的工具集;为空则全部启用',
    }),
  disabled_toolsets: z
    .array(z.string().register(fieldDocs, { en: 'A toolset', zh: '工具集' }))
    .default([])
    .register(fieldDocs, {
      en: 'Toolsets that are left out, without a trace in the prompt',
      zh: '停用的工具集(不会出现在提示词中)',
    }),
});
