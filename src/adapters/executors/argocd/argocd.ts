import { z } from 'zod';
import { tell } from '#kit/text';
import { keyNotSet } from '../action-params.ts';
import { fail } from '#kit/app-error';
import { defineExecutor } from '#spec/ports';
import type { ArgoSettings } from './argo-api.ts';
import { argocdExecutor } from './argocd-executor.ts';
import { SecureUrl } from '#adapters/io/secure-url';

/** Rolls applications of Argo CD back, and restarts their deployments. */
export const executor = defineExecutor<ArgoSettings>({
  name: 'argocd',
  settings: z.strictObject({
    base_url: SecureUrl,
    token_key: z.string().default('ARGOCD_AUTH_TOKEN'),
    /** The application of a service: `{service}` stands for its name. */
    application: z.string().default('{service}'),
    applications: z.record(z.string(), z.string()).default({}),
    project: z.string().optional(),
    timeout_ms: z.number().int().min(10).max(300_000).default(15_000),
    /** For an operation to end. */
    wait_ms: z.number().int().min(0).max(3_600_000).default(180_000),
    settle_ms: z.number().int().min(0).max(60_000).default(2_000),
  }),
  missing: ({ token_key }, place) =>
    place.key(token_key)
      ? undefined
      : {
          what: keyNotSet(token_key),
          fix: tell(`Put a token of Argo CD into ${token_key}.`, `将 Argo CD 的令牌写入 ${token_key}。`),
        },
  open: async (settings, place) => {
    const token = place.key(settings.token_key);
    if (!token) throw fail('config.invalid', keyNotSet(settings.token_key));
    return argocdExecutor(settings, token);
  },
});
