import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** What tools may reach over the network. */
export const web = z.strictObject({
  allow_private: z
    .array(
      z
        .string()
        .min(1)
        .register(fieldDocs, { en: 'A host with its port, or an address', zh: '主机:端口 或 地址' }),
    )
    .default([])
    .register(fieldDocs, {
      en: 'Private services that web tools and the browser may reach all the same',
      zh: '允许网页工具和浏览器访问的内网服务',
    }),
});
