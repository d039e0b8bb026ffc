import { z } from 'zod';
import type { AuthScheme } from '#spec/ports';
import { fieldDocs } from '../field-docs.ts';
import { endpointShape, httpUrl } from './endpoint.ts';

const AUTH_SCHEMES = [
  'bearer',
  'x-api-key',
  'api-key',
  'aws',
  'none',
] as const satisfies readonly AuthScheme[];

const { model, api_mode, api_key } = endpointShape();

const provider = z.strictObject({
  base_url: httpUrl().register(fieldDocs, { en: 'Address of the API', zh: 'API 地址' }),
  api_mode,
  api_key,
  auth: z
    .enum(AUTH_SCHEMES)
    .optional()
    .register(fieldDocs, { en: 'How requests prove who sends them', zh: '鉴权方式' }),
  model,
  headers: z
    .record(
      z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
      z.string().register(fieldDocs, { en: 'Value of the header', zh: '请求头的值', hidden: true }),
    )
    .optional()
    .register(fieldDocs, { en: 'Extra headers for every request', zh: '附加请求头' }),
  self_hosted: z.boolean().optional().register(fieldDocs, {
    en: 'Runs on your own machine or network: slow starts are normal, a key is optional',
    zh: '自建服务:首字较慢属正常,密钥可不填',
  }),
});

/** Providers of the user's own, by name. An entry named like a built-in one replaces it. */
export const providers = z.record(
  z
    .string()
    .regex(/^[a-z0-9][a-z0-9_.-]{0,63}$/)
    .meta({ expects: 'a name of small letters, digits, - _ and .' }),
  provider,
);
