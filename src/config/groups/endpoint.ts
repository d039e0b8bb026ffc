import { z } from 'zod';
import { ProtocolId } from '#spec/data';
import { fieldDocs } from '../field-docs.ts';

/** An address with a user or a password in it is refused: it would show up in logs and errors. */
function isPlainHttpUrl(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** Empty only where a variable it names is unset: whoever needs the address then says so. */
export const httpUrl = () =>
  z
    .string()
    .refine((value) => value === '' || isPlainHttpUrl(value))
    .meta({ expects: 'an http(s) address without a user or password in it' });

// Functions, not constants: a schema carries one description, and each place has its own.
export const name = () => z.string().min(1).meta({ expects: 'text that is not empty' });

/** The keys that say where a model is reached. */
export const endpointShape = () => ({
  model: name().optional().register(fieldDocs, {
    en: "Model name as the provider spells it; without it the provider's usual one",
    zh: '模型名称(按服务商的写法);不填则用该服务商的默认模型',
  }),
  base_url: httpUrl().optional().register(fieldDocs, {
    en: "Address of the API; without it the provider's own",
    zh: 'API 地址;不填则用服务商自己的地址',
  }),
  api_mode: ProtocolId.optional().register(fieldDocs, {
    en: "Wire protocol; without it the provider's usual one",
    zh: '通信协议;不填则用服务商的默认协议',
  }),
  api_key: z.string().optional().register(fieldDocs, {
    en: "Key, as ${NAME}; without it the provider's usual variables are tried",
    zh: '密钥,写成 ${NAME};不填则尝试服务商的惯用环境变量',
    secret: true,
  }),
});
