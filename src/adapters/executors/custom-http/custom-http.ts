import { z } from 'zod';
import { tell } from '#kit/text';
import { keyNotSet } from '../action-params.ts';
import { fail } from '#kit/app-error';
import { Operation } from '#spec/data';
import { defineExecutor } from '#spec/ports';
import { ASKABLE, type CustomHttpSettings, customHttpExecutor } from './custom-http-executor.ts';
import { SecureUrl } from '#adapters/io/secure-url';

/** Carries actions out through a release platform over HTTP. */
export const executor = defineExecutor<CustomHttpSettings>({
  name: 'custom_http',
  settings: z.strictObject({
    base_url: SecureUrl,
    token_key: z.string().default('ACTION_EXECUTION_API_TOKEN'),
    operations: z.array(Operation).min(1).default(ASKABLE),
    /** For one request. */
    timeout_ms: z.number().int().min(10).max(300_000).default(15_000),
    /** For an action that the platform has only accepted. */
    wait_ms: z.number().int().min(0).max(3_600_000).default(120_000),
    /** How long a key must stay unknown to be believed. */
    settle_ms: z.number().int().min(0).max(60_000).default(2_000),
  }),
  missing: (settings, place) =>
    place.key(settings.token_key)
      ? undefined
      : {
          what: keyNotSet(settings.token_key),
          fix: tell(
            `Put the token of the release platform into ${settings.token_key}.`,
            `将发布平台的令牌写入 ${settings.token_key}。`,
          ),
        },
  open: async (settings, place) => {
    const token = place.key(settings.token_key);
    if (!token) throw fail('config.invalid', keyNotSet(settings.token_key));
    return customHttpExecutor(settings, token);
  },
});
