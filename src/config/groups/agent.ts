import { z } from 'zod';
import { includesItself } from '#kit/toolsets';
import { fieldDocs } from '../field-docs.ts';

const names = (en: string, zh: string) => z.array(z.string().register(fieldDocs, { en, zh })).default([]);

const ownToolset = z.strictObject({
  tools: names('A tool', '工具').register(fieldDocs, { en: 'Tools by name', zh: '工具名称' }),
  includes: names('A toolset', '工具集').register(fieldDocs, {
    en: 'Other toolsets, all of which it has',
    zh: '包含的其他工具集',
  }),
});

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
  toolsets: z
    .record(z.string(), ownToolset.register(fieldDocs, { en: 'A toolset of your own', zh: '自定义工具集' }))
    .refine((own) => !includesItself(own))
    .meta({ expects: 'toolsets that do not include themselves' })
    .default({})
    .register(fieldDocs, {
      en: 'Toolsets of your own, for the two lists above',
      zh: '自定义工具集,可用于上面两个列表',
    }),
});
