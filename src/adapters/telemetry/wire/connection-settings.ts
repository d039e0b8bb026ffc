import { tell, type Text } from '#kit/text';
import { z } from 'zod';
import type { Missing, TelemetryPlace } from '#spec/ports';

/** An address of the operator's own, private ones too. Credentials do not belong into it: addresses are shown. */
const BaseUrl = z.url({ protocol: /^https?$/ }).refine((text) => {
  const url = URL.parse(text);
  return !url?.username && !url?.password && !url?.search && !url?.hash;
}, 'must be an http(s) address without user, password, query and fragment; keys are named by token_key or password_key');

const HEADER_TEXT = /^[\x21-\x7e]+$/;

/** What every backend over HTTP is told: where it is, and which keys of the profile open it. */
export const connectionSettings = {
  base_url: BaseUrl,
  /** Where people open it, if that is another address. Links use it. */
  link_url: BaseUrl.optional(),
  token_key: z.string().min(1).optional(),
  username: z.string().min(1).optional(),
  password_key: z.string().min(1).optional(),
  /** Sent as `X-Scope-OrgID`. */
  tenant: z.string().regex(HEADER_TEXT, 'must be printable characters without spaces').optional(),
  timeout_seconds: z.number().positive().max(300).default(15),
  max_response_mb: z.number().positive().max(512).default(32),
};

const Connection = z.object(connectionSettings);
export type ConnectionSettings = z.infer<typeof Connection>;

/** Labels of a service where it does not bear its own name, such as `{job: 'pay'}`. */
export const ServiceLabels = z.record(
  z.string().min(1),
  z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of a label'), z.string().min(1)),
);
export type ServiceLabels = z.infer<typeof ServiceLabels>;

export const LabelNames = z
  .array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of a label'))
  .min(1)
  .optional();

const keyNotSet = (name: string): Text => tell(`The key ${name} is not set.`, `未设置密钥 ${name}。`);

export function missingKey(
  { token_key, password_key }: Pick<ConnectionSettings, 'token_key' | 'password_key'>,
  { key }: TelemetryPlace,
): Missing | undefined {
  const absent = [token_key, password_key].find((name) => name !== undefined && !key(name));
  return absent === undefined
    ? undefined
    : {
        what: keyNotSet(absent),
        fix: tell(
          `Put ${absent} into the .env file of the profile.`,
          `将 ${absent} 写入该配置档的 .env 文件。`,
        ),
      };
}
