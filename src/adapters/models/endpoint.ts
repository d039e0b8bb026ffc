import { fail } from '#kit/app-error';
import { expandVariables } from '#kit/expand-variables';
import type { ModelInfo, Price, ProtocolId } from '#spec/data';
import type { Provider } from '#spec/ports';
import { baseUrlOf, detectProtocol } from './detect-protocol.ts';
import { lookUpModel } from './model-table.ts';
import { protocols } from './protocols.gen.ts';
import type { Timeouts } from './wire/deadline.ts';
import type { Endpoint } from './wire/wire-model.ts';

/** What a user may set about an endpoint; everything is optional and wins over what is known otherwise. */
export interface EndpointSettings {
  readonly baseUrl?: string | undefined;
  readonly protocol?: ProtocolId | undefined;
  readonly contextWindow?: number | undefined;
  readonly price?: Price | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Assumed of a model that nothing is known about. */
const UNKNOWN = { contextWindow: 128_000, maxOutput: 8_192, images: true, thinking: true };
/** A self-hosted server that does not tell its window is taken to have a small one. */
const UNKNOWN_SELF_HOSTED = { ...UNKNOWN, contextWindow: 8_192 };

/** The base URL and protocol at which a provider serves a model. */
export function locate(
  provider: Provider,
  model: string,
  settings: EndpointSettings,
  env: Env,
): { baseUrl: string; protocol: ProtocolId } {
  const offered = Object.keys(provider.endpoints) as ProtocolId[];
  const own = settings.baseUrl;
  const usual = offered[0] as ProtocolId;
  const protocol = settings.protocol ?? detectProtocol(own ?? '', model, offered);
  const template = own ?? provider.endpoints[protocol] ?? provider.endpoints[usual] ?? '';
  const missing: string[] = [];
  const expanded = expandVariables(template, env, (name) => missing.push(name));
  if (missing.length) {
    throw fail(
      'model.unconfigured',
      `${provider.label} needs ${missing.join(' and ')} to know its address`,
      `Set ${missing.join(' and ')}, or: hermes config set llm.base_url <address>`,
    );
  }
  if (!URL.canParse(expanded)) {
    throw fail(
      'config.invalid',
      `${JSON.stringify(expanded)} is not an address`,
      'hermes config set llm.base_url https://…',
    );
  }
  return { baseUrl: baseUrlOf(expanded, protocol), protocol };
}

/** What is known of a model: what the user set, what the server said, the dated table, or a careful guess. */
export function describeModel(
  provider: Provider,
  model: string,
  protocol: ProtocolId,
  settings: EndpointSettings,
  toldWindow?: number,
): ModelInfo {
  const known = lookUpModel(model) ?? (provider.selfHosted ? UNKNOWN_SELF_HOSTED : UNKNOWN);
  const contextWindow = settings.contextWindow ?? toldWindow ?? known.contextWindow;
  const listPrice = 'price' in known && !provider.selfHosted ? known.price : undefined;
  const price = settings.price ?? listPrice;
  return {
    provider: provider.id,
    model,
    protocol,
    contextWindow,
    maxOutput: Math.min(known.maxOutput, Math.max(512, Math.floor(contextWindow / 4))),
    images: known.images,
    thinking: known.thinking,
    ...(price ? { price } : {}),
  };
}

/** Everything a call needs, with the protocol's code loaded. */
export async function openEndpoint(
  provider: Provider,
  info: ModelInfo,
  baseUrl: string,
  timeouts: Timeouts,
  env: Env,
): Promise<Endpoint> {
  return {
    info,
    protocol: await protocols[info.protocol as ProtocolId](),
    baseUrl,
    auth: provider.auth,
    dialect: provider.dialect ?? {},
    headers: provider.headers ?? {},
    timeouts,
    env,
  };
}
