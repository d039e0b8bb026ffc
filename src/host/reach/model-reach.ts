import { locate, probeModel } from '#adapters/models';
import { hintOf, messageOf, toErrorRecord } from '#kit/app-error';
import { tell } from '#kit/text';
import { credentialsFor, findProvider, missingKey } from '../models/find-provider.ts';
import type { ModelRef } from '#app/models';
import type { Host } from '../open-host.ts';
import type { PartReachable } from '#app/status';

type Needs = Pick<Host, 'loaded' | 'models' | 'plugins'>;

/** A vendor is not asked more often than this. */
const EVERY_MS = 300_000;

/** The model that answers and its stand-ins. */
export async function modelReach(host: Needs): Promise<PartReachable[]> {
  const { primary } = await host.models();
  if (!primary)
    return [
      {
        name: 'model',
        missing: {
          what: tell(
            'No model is connected: the built-in operator answers.',
            '没有连接模型：由内置操作员回答。',
          ),
          fix: 'hermes model',
        },
      },
    ];
  return Promise.all([primary, ...host.loaded.config.llm.fallback].map((ref) => reachOf(host, ref)));
}

async function reachOf(host: Needs, ref: ModelRef): Promise<PartReachable> {
  const { config, env } = host.loaded;
  const name = [ref.provider, ref.model].filter(Boolean).join('/');
  try {
    const provider = await findProvider(ref.provider, config, (await host.plugins()).providers);
    const pool = ref.provider === config.llm.provider ? config.llm.credentials.keys : [];
    const configured = [ref.api_key ?? config.providers[ref.provider]?.api_key, ...pool];
    const [credential] = credentialsFor(provider, configured, env);
    const model = ref.model ?? provider.defaultModel ?? '';
    const { baseUrl } = locate(provider, model, { baseUrl: ref.base_url }, env);
    if (!credential && provider.auth !== 'none' && provider.auth !== 'aws' && !provider.selfHosted)
      throw missingKey(provider);
    return {
      name: ref.model ? name : [ref.provider, model].filter(Boolean).join('/'),
      everyMs: EVERY_MS,
      probe: (signal) => probeModel({ provider, baseUrl, model, credential }, env, signal),
    };
  } catch (thrown) {
    const record = toErrorRecord(thrown);
    return { name, missing: { what: messageOf(record), fix: hintOf(record) ?? 'hermes model' } };
  }
}
