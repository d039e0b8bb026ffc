import { describeModel, listModels, localOperator, locate, openEndpoint, wireModel } from '#adapters/models';
import { type Candidate, chooseTier, openTurn } from '#engines/models';
import { fail, toErrorRecord } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import type { ErrorRecord } from '#spec/data';
import type { CredentialBook, ListedModel, Model, Provider, RouteMessage } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import { redactingModel } from '../redactor.ts';
import { toolPlace } from '../tools/tool-place.ts';
import { LOCAL, type ModelRef, type Models, parseRef } from '#app/models';
import type { Redactor } from '#app';
import { credentialsFor, findProvider, missingKey, providerWithKey } from './find-provider.ts';

export interface OpenModelsOptions {
  readonly loaded: LoadedConfig;
  readonly book: CredentialBook;
  /** What the built-in operator is to do with a message. */
  readonly route: RouteMessage;
  readonly signal: AbortSignal;
  /** What goes to a model passes it. */
  readonly redactor: () => Promise<Redactor>;
  /** Providers that plugins bring. */
  readonly providers: () => Promise<readonly Provider[]>;
  /** Replaces the configured primary, as `provider/model` or `provider`. */
  readonly override?: string | undefined;
}

/** A server of one's own may take its time: it gets this many times the usual patience. */
const SELF_HOSTED_PATIENCE = 10;

export async function openModels(options: OpenModelsOptions): Promise<Models> {
  const { config, env } = options.loaded;
  const operator = localOperator(options.route, (word) => toolPlace(env, false).program(word) !== undefined);
  const primary = await primaryRef(options);
  const problems: ErrorRecord[] = [];
  const remembered = new Map<string, Promise<Candidate>>();

  const candidate = (ref: ModelRef): Promise<Candidate> => {
    const key = JSON.stringify(ref);
    const known = remembered.get(key) ?? makeCandidate(ref, options);
    remembered.set(key, known);
    return known;
  };
  const standIns = async (): Promise<Candidate[]> => {
    const made = await Promise.allSettled(config.llm.fallback.map(candidate));
    return made.flatMap((result) => {
      if (result.status === 'fulfilled') return [result.value];
      problems.push(toErrorRecord(result.reason));
      return [];
    });
  };
  const route = async (candidates: readonly [Candidate, ...Candidate[]]): Promise<Model> =>
    redactingModel(
      openTurn({
        candidates,
        book: options.book,
        maxRetries: config.llm.max_retries,
        now: Date.now,
        random: Math.random,
        sleep,
      }),
      await options.redactor(),
    );

  return {
    primary,
    problems,
    open: async (ref) => (ref.provider === LOCAL ? operator : route([await candidate(ref)])),
    turn: async (text) => {
      if (!primary) return { model: operator };
      const tiers = options.override ? undefined : config.llm.tiers;
      const tier = tiers && chooseTier(text);
      const tierRef = tier && tiers[tier];
      const first = await candidate(primary);
      const rest = await standIns();
      if (!tierRef) return { model: await route([first, ...rest]) };
      const chosen = await candidate(typeof tierRef === 'string' ? parseRef(tierRef) : tierRef);
      return { model: await route([chosen, first, ...rest]), tier };
    },
  };

  async function primaryRef({ override }: OpenModelsOptions): Promise<ModelRef | undefined> {
    const { provider, model, base_url, api_mode, api_key } = config.llm;
    const ref = override ? parseRef(override) : undefined;
    const id = ref?.provider ?? provider ?? (await providerWithKey(env));
    if (!id || id === LOCAL) return undefined;
    if (id !== provider) return { provider: id, model: ref?.model };
    return { provider: id, model: ref?.model ?? model, base_url, api_mode, api_key };
  }
}

async function makeCandidate(
  ref: ModelRef,
  { loaded, signal, providers }: OpenModelsOptions,
): Promise<Candidate> {
  const { config, env } = loaded;
  const { llm } = config;
  const provider = await findProvider(ref.provider, config, await providers());
  const isPrimary = ref.provider === llm.provider;
  const configured = [
    ref.api_key ?? config.providers[ref.provider]?.api_key,
    ...(isPrimary ? llm.credentials.keys : []),
  ];
  const credentials = credentialsFor(provider, configured, env);
  if (!credentials.length && provider.auth !== 'none' && provider.auth !== 'aws' && !provider.selfHosted) {
    throw missingKey(provider);
  }
  const settings = (model: string) => ({
    baseUrl: ref.base_url,
    protocol: ref.api_mode === 'local' ? undefined : ref.api_mode,
    contextWindow: isPrimary ? llm.context_window : undefined,
    price: config.prices[model],
  });
  const named = ref.model ?? provider.defaultModel;
  const place = locate(provider, named ?? '', settings(named ?? ''), env);
  const served = provider.selfHosted
    ? await listModels(provider, place.baseUrl, credentials[0], env, signal)
    : undefined;
  const model = named ?? firstServed(provider, place.baseUrl, served);
  const window = served?.find(({ id }) => id === model)?.contextWindow;
  const info = describeModel(provider, model, place.protocol, settings(model), window);
  const patience = 1_000 * (provider.selfHosted ? SELF_HOSTED_PATIENCE : 1);
  const timeouts = {
    firstByte: llm.timeouts.first_byte_s * patience,
    stall: llm.timeouts.stall_s * patience,
    total: llm.timeouts.total_s * patience,
  };
  const endpoint = await openEndpoint(provider, info, place.baseUrl, timeouts, env);
  return {
    info,
    credentials,
    strategy: llm.credentials.strategy,
    open: (credential) => wireModel(endpoint, credential),
  };
}

/** A server that lists its models is asked which one; loaded ones answer soonest. */
function firstServed(
  provider: Provider,
  baseUrl: string,
  served: readonly ListedModel[] | undefined,
): string {
  const first = served?.find(({ loaded }) => loaded) ?? served?.[0];
  if (first) return first.id;
  throw fail(
    'model.unconfigured',
    served
      ? `${provider.label} at ${baseUrl} has no model`
      : `no model is named, and ${provider.label} at ${baseUrl} lists none`,
    'Start the server, or name a model: hermes config set llm.model <name>',
  );
}
