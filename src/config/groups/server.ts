import { z } from 'zod';
import { fieldDocs } from '../field-docs.ts';

/** The HTTP side of Hermes. */
export const server = z.strictObject({
  host: z.string().default('127.0.0.1').register(fieldDocs, {
    en: 'Address to listen on',
    zh: '监听地址',
  }),
  port: z.number().int().min(0).max(65_535).default(8_000).register(fieldDocs, {
    en: 'Port to listen on',
    zh: '监听端口',
  }),
  allowed_hosts: z.array(z.string()).default([]).register(fieldDocs, {
    en: 'Further names under which it may be asked',
    zh: '允许的其他主机名',
  }),
  openapi: z.boolean().default(false).register(fieldDocs, {
    en: 'Describe the API at /api/openapi.json',
    zh: '在 /api/openapi.json 提供接口描述',
  }),
});
