import { describe, expect, it } from 'vitest';
import { PROTOCOL_IDS } from '#spec/data';
import type { Provider } from '#spec/ports';
import { describeModel, locate, openEndpoint } from './endpoint.ts';
import { modelInfo } from '#testkit/sample-messages';

const ACME: Provider = {
  id: 'acme',
  label: 'Acme',
  endpoints: {
    chat_completions: 'https://api.acme.example/v1',
    anthropic_messages: 'https://api.acme.example/anthropic/v1',
  },
  auth: 'bearer',
  keys: ['ACME_API_KEY'],
};
const REGIONAL: Provider = {
  ...ACME,
  endpoints: { chat_completions: 'https://${ACME_REGION}.acme.example/${ACME_PATH:-v1}' },
};
const OWN: Provider = { ...ACME, id: 'own', selfHosted: true };

describe('locate', () => {
  it('finds the endpoint of the protocol that suits the model', () => {
    expect(locate(ACME, 'acme-1', {}, {})).toEqual({
      baseUrl: 'https://api.acme.example/v1',
      protocol: 'chat_completions',
    });
    expect(locate(ACME, 'claude-sonnet-4-5', {}, {})).toEqual({
      baseUrl: 'https://api.acme.example/anthropic/v1',
      protocol: 'anthropic_messages',
    });
  });

  it('does what the user set first', () => {
    expect(locate(ACME, 'claude-sonnet-4-5', { protocol: 'chat_completions' }, {}).baseUrl).toBe(
      'https://api.acme.example/v1',
    );
    expect(locate(ACME, 'acme-1', { baseUrl: 'http://127.0.0.1:9000/v1/messages' }, {})).toEqual({
      baseUrl: 'http://127.0.0.1:9000/v1',
      protocol: 'anthropic_messages',
    });
    expect(
      locate(ACME, 'acme-1', { baseUrl: 'http://127.0.0.1:9000', protocol: 'codex_responses' }, {}),
    ).toEqual({ baseUrl: 'http://127.0.0.1:9000/v1', protocol: 'codex_responses' });
  });

  it('takes the usual address for a protocol that the provider does not list', () => {
    expect(locate(ACME, 'acme-1', { protocol: 'codex_responses' }, {}).baseUrl).toBe(
      'https://api.acme.example/v1',
    );
  });

  it('fills in variables, and says which ones are missing and what to do', () => {
    expect(locate(REGIONAL, 'm', {}, { ACME_REGION: 'eu' }).baseUrl).toBe('https://eu.acme.example/v1');
    expect(locate(ACME, 'm', { baseUrl: '${GATEWAY}/v1' }, { GATEWAY: 'http://gw:1' }).baseUrl).toBe(
      'http://gw:1/v1',
    );
    expect(() => locate(REGIONAL, 'm', {}, {})).toThrow(
      expect.objectContaining({
        record: expect.objectContaining({
          code: 'model.unconfigured',
          message: expect.stringContaining('ACME_REGION'),
          hint: expect.stringContaining('ACME_REGION'),
        }),
      }),
    );
  });

  it.each(['not an address', 'localhost', ''])('refuses %j', (baseUrl) => {
    const code = expect.objectContaining({ code: 'config.invalid' });
    expect(() => locate(ACME, 'm', { baseUrl }, {})).toThrow(expect.objectContaining({ record: code }));
  });
});

describe('describeModel', () => {
  it('knows what the table knows, with its price', () => {
    const info = describeModel(ACME, 'claude-sonnet-4-5', 'anthropic_messages', {});
    expect(info).toMatchObject({
      provider: 'acme',
      model: 'claude-sonnet-4-5',
      protocol: 'anthropic_messages',
    });
    expect(info.contextWindow).toBeGreaterThanOrEqual(200_000);
    expect(info.price?.input).toBeGreaterThan(0);
    expect(info).toMatchObject({ images: true, thinking: true });
  });

  it('has no price for what runs on the user’s own machine, unless the user sets one', () => {
    expect(describeModel(OWN, 'claude-sonnet-4-5', 'chat_completions', {})).not.toHaveProperty('price');
    const price = { input: 1, output: 2 };
    expect(describeModel(OWN, 'x', 'chat_completions', { price }).price).toEqual(price);
    expect(describeModel(ACME, 'claude-sonnet-4-5', 'chat_completions', { price }).price).toEqual(price);
  });

  it('believes the user, then the server, then the table, then a careful guess', () => {
    const window = (provider: Provider, model: string, set?: number, told?: number) =>
      describeModel(provider, model, 'chat_completions', { contextWindow: set }, told).contextWindow;
    expect(window(ACME, 'claude-sonnet-4-5', 5_000, 7_000)).toBe(5_000);
    expect(window(ACME, 'claude-sonnet-4-5', undefined, 7_000)).toBe(7_000);
    expect(window(ACME, 'nobody-knows-1')).toBe(128_000);
    expect(window(OWN, 'nobody-knows-1')).toBe(8_192);
  });

  it('leaves most of a window for the input', () => {
    const limit = (contextWindow: number) =>
      describeModel(ACME, 'claude-sonnet-4-5', 'chat_completions', { contextWindow }).maxOutput;
    expect(limit(8_192)).toBe(2_048);
    expect(limit(1_000)).toBe(512);
    expect(limit(1_000_000)).toBeLessThanOrEqual(64_000);
  });
});

describe('openEndpoint', () => {
  const timeouts = { firstByte: 1, stall: 2, total: 3 };

  it.each(PROTOCOL_IDS)('loads %s', async (id) => {
    const info = modelInfo({ protocol: id });
    const endpoint = await openEndpoint(ACME, info, 'https://b.example', timeouts, { A: '1' });
    expect(endpoint).toMatchObject({
      info,
      baseUrl: 'https://b.example',
      auth: 'bearer',
      timeouts,
      env: { A: '1' },
    });
    expect(endpoint.protocol.id).toBe(id);
    expect(endpoint).toMatchObject({ dialect: {}, headers: {} });
  });

  it('carries the ways of the provider', async () => {
    const provider: Provider = {
      ...ACME,
      dialect: { cacheKey: true },
      headers: { 'x-title': 'Hermes' },
      auth: 'api-key',
    };
    expect(await openEndpoint(provider, modelInfo(), 'https://b.example', timeouts, {})).toMatchObject({
      dialect: { cacheKey: true },
      headers: { 'x-title': 'Hermes' },
      auth: 'api-key',
    });
  });
});
