import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** Which plugins are switched on. */
export const plugins = z.strictObject({
  allowed: z
    .array(z.string().min(1).register(fieldDocs, { en: 'A plugin, as name@digest', zh: '名称@摘要' }))
    .default([])
    .register(fieldDocs, {
      en: 'Plugins that are on, each with the digest of what was allowed (hermes plugins allow)',
      zh: '已启用的插件及其内容摘要(hermes plugins allow)',
    }),
});
