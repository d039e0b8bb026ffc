import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Config, getConfigValue, readEnvFile } from '#config';
import { type Home, homeAt } from '../home.ts';
import { setConfigValue, unsetConfigValue } from './edit-config.ts';
import { loadConfig } from './load-config.ts';

let home: Home;
beforeEach(async () => {
  home = homeAt(await mkdtemp(join(tmpdir(), 'hermes-edit-')), 'default');
});
afterEach(() => rm(home.root, { recursive: true, force: true }));

const secretName = (config: Config, path: string) =>
  path.startsWith('providers.')
    ? `${path.split('.')[1]?.toUpperCase()}_KEY`
    : `${config.llm.provider ?? 'llm'}_KEY`.toUpperCase();
const set = (key: string, value: string, env = {}) => setConfigValue(home, key, value, { env, secretName });
const write = (text: string) => writeFile(home.file('config.yaml'), text);
const text = () => readFile(home.file('config.yaml'), 'utf8');
const env = async () => readEnvFile(await readFile(home.file('.env'), 'utf8'));
const values = async () => (await loadConfig(home, {})).config;
const invalid = (message: RegExp) => ({
  record: { code: expect.any(String), message: expect.stringMatching(message) },
});

const COMMENTED = `# my settings
language: en # spoken

llm:
  # the usual one
  provider: "openai"
  model: gpt-4o # good enough
  fallback:
  - provider: deepseek # cheap
  credentials: {keys: ['\${A}']}

# the end
`;

describe('setConfigValue', () => {
  it('makes the file, private, and reads values as the schema wants them', async () => {
    await set('llm.model', 'gpt-4o');
    await set('llm.temperature', '0.3');
    await set('providers.mine', '{"base_url": "http://127.0.0.1:1/v1"}');
    await set('providers.mine.self_hosted', 'true');
    await set('llm.tiers.simple_qa', 'openai/gpt-4o-mini');
    await set('llm.fallback.0', '{provider: a}');
    await set('llm.fallback[1]', '{provider: b, model: "123"}');
    await set('prices.gpt-4.1', '{input: 2, output: 8}');
    await set('prices.gpt-4.1.input', '3');
    const config = await values();
    expect(config.llm).toMatchObject({
      model: 'gpt-4o',
      temperature: 0.3,
      tiers: { simple_qa: 'openai/gpt-4o-mini' },
      fallback: [{ provider: 'a' }, { provider: 'b', model: '123' }],
    });
    expect(config.providers['mine']?.self_hosted).toBe(true);
    expect(config.prices).toEqual({ 'gpt-4.1': { input: 3, output: 8 } });
    expect((await stat(home.file('config.yaml'))).mode & 0o777).toBe(0o600);
    expect(await readdir(home.root)).toEqual(['config.yaml']);
  });

  it('keeps text that looks like something else', async () => {
    for (const model of ['123', 'true', 'null', 'a: b', '# x', ' spaced ', "it's", '*x', '模型']) {
      await set('llm.model', model);
      expect((await values()).llm.model).toBe(model);
    }
  });

  it('changes one line and nothing else', async () => {
    await write(COMMENTED);
    await set('llm.model', 'gpt-5');
    expect(await text()).toBe(COMMENTED.replace('gpt-4o #', 'gpt-5 #'));
    await set('llm.temperature', '1');
    expect(await text()).toBe(
      COMMENTED.replace('gpt-4o #', 'gpt-5 #').replace("['${A}']}\n", "['${A}']}\n  temperature: 1\n"),
    );
  });

  it('keeps wide indents and indented lists', async () => {
    const wide = COMMENTED.replace(/^ +/gm, (spaces) => spaces.repeat(2)).replace(/^ +- /m, '        - ');
    await write(wide);
    await set('llm.model', 'gpt-5');
    expect(await text()).toBe(wide.replace('gpt-4o', 'gpt-5'));
  });

  it('keeps comments under a key that had no value, and in a file of nothing else', async () => {
    await write('# top\nllm:\n  # model: later\nlanguage: en\n');
    await set('llm.model', 'x');
    for (const part of ['# top', '# model: later', 'language: en', 'model: x'])
      expect(await text()).toContain(part);
    expect((await values()).llm.model).toBe('x');
    await write('# nothing yet\n# llm: ...\n');
    await set('llm.model', 'x');
    for (const part of ['# nothing yet', '# llm: ...', 'model: x']) expect(await text()).toContain(part);
    expect((await values()).llm.model).toBe('x');
  });

  it('keeps the line ends of the file', async () => {
    await write('# a\r\nlanguage: en\r\n');
    await set('llm.model', 'x');
    expect(await text()).toBe('# a\r\nlanguage: en\r\nllm:\r\n  model: x\r\n');
  });

  it.each([
    ['llm.modl', 'x', /llm\.modl: unknown key; did you mean llm\.model\?/],
    ['model', 'x', /did you mean llm\.model\?/],
    ['llm.model.x', 'y', /llm\.model has no x in it/],
    ['llm.temperature', 'hot', /found hot; allowed: a number from 0 to 2/],
    ['llm.temperature', '', /allowed: a number/],
    ['llm.thinking', 'much', /allowed: off, low, medium, high/],
    ['llm.fallback[3].provider', 'x', /next free place is llm\.fallback\[1\]/],
    ['llm.fallback[0]', '{', /cannot be read/],
    ['llm.timeouts', '5', /allowed: a group/],
    ['providers.mine.model', 'x', /providers\.mine\.base_url: is missing/],
    ['llm.api_key', '', /empty/],
    ['__proto__.x', '1', /unknown key/],
    ['constructor', '1', /unknown key/],
  ])('refuses %s = %j and writes nothing', async (key, value, message) => {
    await write(COMMENTED);
    await expect(set(key, value)).rejects.toMatchObject(invalid(message));
    expect(await text()).toBe(COMMENTED);
    expect(existsSync(home.file('.env'))).toBe(false);
  });

  it('does not write into a file that is wrong elsewhere, but can mend what is wrong', async () => {
    await write('llm: {temperature: hot}\nlanguage: fr\n');
    await expect(set('language', 'en')).rejects.toMatchObject(invalid(/temperature/));
    await write('llm: {temperature: hot}\n');
    await set('llm.temperature', '1');
    expect((await values()).llm.temperature).toBe(1);
    await write('llm: {');
    await expect(set('language', 'en')).rejects.toMatchObject({ record: { code: 'config.invalid' } });
  });

  it('says when an environment variable decides anyway', async () => {
    expect(await set('llm.model', 'x', { HERMES_MODEL: 'y' })).toMatchObject({
      overriddenBy: 'HERMES_MODEL',
    });
    expect(await set('llm.model', 'x')).toMatchObject({ changed: false });
  });
});

describe('secrets', () => {
  it('go to .env, never to config.yaml', async () => {
    await write('llm:\n  provider: openai # mine\n');
    const done = await set('llm.api_key', 'sk-hunter2 #"x');
    expect(done).toMatchObject({
      changed: true,
      secrets: [{ path: 'llm.api_key', variable: 'OPENAI_KEY', shadowed: false }],
    });
    expect(await text()).toBe('llm:\n  provider: openai # mine\n  api_key: ${OPENAI_KEY}\n');
    expect(await env()).toEqual({ OPENAI_KEY: 'sk-hunter2 #"x' });
    expect((await stat(home.file('.env'))).mode & 0o777).toBe(0o600);
    expect((await values()).llm.api_key).toBe('sk-hunter2 #"x');
    expect(JSON.stringify(done)).not.toContain('hunter2');
  });

  it('may be given as a reference', async () => {
    expect(await set('llm.api_key', '${OPENAI_API_KEY}')).toMatchObject({ secrets: [] });
    expect(await text()).toContain('api_key: ${OPENAI_API_KEY}');
    expect(existsSync(home.file('.env'))).toBe(false);
  });

  it('are found inside groups and lists, each with a variable of its own', async () => {
    await set('providers.mine', '{base_url: "http://x", api_key: hunter2-a}');
    await set('llm.credentials.keys', 'hunter2-b, ${C}, hunter2-d');
    await set('llm.fallback', '[{provider: x, api_key: hunter2-e}]');
    await set('llm.api_key', 'hunter2-b');
    expect(await text()).not.toContain('hunter2');
    const config = await values();
    expect(config.providers['mine']?.api_key).toBe('hunter2-a');
    expect(config.llm.credentials.keys).toEqual(['hunter2-b', '', 'hunter2-d']);
    expect(config.llm.fallback[0]?.api_key).toBe('hunter2-e');
    expect(config.llm.api_key).toBe('hunter2-b');
    expect(await env()).toMatchObject({
      MINE_KEY: 'hunter2-a',
      LLM_KEY: 'hunter2-b',
      LLM_KEY_2: 'hunter2-d',
      LLM_KEY_3: 'hunter2-e',
    });
  });

  it('replace the older one, and leave comments of .env alone', async () => {
    await writeFile(home.file('.env'), '# keys\nOTHER=1\n', { mode: 0o644 });
    await set('llm.api_key', 'first');
    await set('llm.api_key', 'second');
    expect(await readFile(home.file('.env'), 'utf8')).toBe('# keys\nOTHER=1\nLLM_KEY=second\n');
    expect((await stat(home.file('.env'))).mode & 0o777).toBe(0o600);
  });

  it('tell when the process has another value', async () => {
    expect((await set('llm.api_key', 'x', { LLM_KEY: 'y' })).secrets).toMatchObject([{ shadowed: true }]);
  });
});

describe('unsetConfigValue', () => {
  it('removes a key and keeps the rest', async () => {
    await write(COMMENTED);
    expect(await unsetConfigValue(home, 'llm.model', { env: {} })).toMatchObject({
      changed: true,
      path: 'llm.model',
    });
    expect(await text()).toBe(COMMENTED.replace(/ +model:.*\n/, ''));
    expect(await unsetConfigValue(home, 'llm.temperature', { env: {} })).toMatchObject({ changed: false });
    expect(await unsetConfigValue(home, 'llm.tiers.simple_qa', { env: {} })).toMatchObject({
      changed: false,
    });
  });

  it('names the secret that stays in .env', async () => {
    await set('llm.api_key', 'x');
    expect(await unsetConfigValue(home, 'llm.api_key', { env: {} })).toMatchObject({
      leftInEnv: ['LLM_KEY'],
    });
    expect((await values()).llm.api_key).toBeUndefined();
  });

  it('removes the secret too where that is asked for, whichever variable holds it', async () => {
    const purge = { env: {}, secretName: () => 'LLM_KEY' };
    await set('llm.api_key', 'swordfish');
    expect(await unsetConfigValue(home, 'llm.api_key', purge)).toMatchObject({
      changed: true,
      removedFromEnv: ['LLM_KEY'],
      leftInEnv: [],
    });
    // It stands in .env alone, where it is found by itself.
    await set('llm.api_key', 'swordfish');
    await unsetConfigValue(home, 'llm.api_key', { env: {} });
    expect(await unsetConfigValue(home, 'llm.api_key', purge)).toMatchObject({ changed: true });
    expect(await readFile(home.file('.env'), 'utf8')).not.toContain('swordfish');
    expect(await unsetConfigValue(home, 'llm.api_key', purge)).toMatchObject({ changed: false });
  });

  it('refuses what would leave the rest invalid', async () => {
    await set('providers.a', '{base_url: "http://x"}');
    await expect(unsetConfigValue(home, 'providers.a.base_url', { env: {} })).rejects.toMatchObject(
      invalid(/is missing/),
    );
    await unsetConfigValue(home, 'providers.a', { env: {} });
    expect((await values()).providers).toEqual({});
  });
});

describe('getConfigValue', () => {
  it('gives values, groups, nothing for what is not set, and no secret', async () => {
    await write(
      'llm: {model: m, api_key: "${K}", fallback: [{provider: a, api_key: k}]}\nproviders: {mine: {base_url: "http://x", headers: {X: hunter2}}}\n',
    );
    await writeFile(home.file('.env'), 'K=hunter2\n');
    const config = await values();
    expect(getConfigValue(config, 'llm.model')).toBe('m');
    expect(getConfigValue(config, 'llm.timeouts')).toEqual({
      first_byte_s: 120,
      stall_s: 180,
      total_s: 1800,
    });
    expect(getConfigValue(config, 'llm.temperature')).toBeUndefined();
    expect(getConfigValue(config, 'llm.tiers.simple_qa')).toBeUndefined();
    expect(getConfigValue(config, 'llm.api_key')).toBe('[set]');
    expect(getConfigValue(config, 'llm.fallback[0].api_key')).toBe('[set]');
    expect(getConfigValue(config, 'providers.mine.api_key')).toBe('[not set]');
    expect(JSON.stringify(getConfigValue(config, ''))).not.toContain('hunter2');
    expect(() => getConfigValue(config, 'llm.modell')).toThrow('did you mean llm.model?');
    expect(() => getConfigValue(config, 'providers.mime.model')).toThrow('did you mean providers.mine?');
    expect(() => getConfigValue(config, 'llm.fallback[1]')).toThrow('There is no llm.fallback[1]');
  });
});

it('loses nothing when several processes write at once', async () => {
  await write('# kept\n');
  const script = `
    import { setConfigValue } from ${JSON.stringify(new URL('./edit-config.ts', import.meta.url).href)};
    import { homeAt } from ${JSON.stringify(new URL('../home.ts', import.meta.url).href)};
    const home = homeAt(process.argv[1], 'default');
    for (let i = 0; i < 5; i++) {
      const options = { env: {}, secretName: (_, path) => path.replace(/\\W/g, '_').toUpperCase() };
      await setConfigValue(home, 'providers.p' + process.argv[2] + i, '{base_url: "http://x", api_key: key' + process.argv[2] + i + '}', options);
    }
  `;
  const codes = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      once(
        spawn(process.execPath, ['--input-type=module', '-e', script, home.root, name], { stdio: 'inherit' }),
        'exit',
      ),
    ),
  );
  expect(codes.map(([code]) => code)).toEqual([0, 0, 0]);
  const { providers } = await values();
  expect(Object.keys(providers)).toHaveLength(15);
  for (const [name, { api_key }] of Object.entries(providers)) expect(api_key).toBe(`key${name.slice(1)}`);
  expect(await text()).toContain('# kept');
});

describe('a key and its provider', () => {
  const named = (config: Config, path: string) =>
    path === 'llm.api_key' && config.llm.provider === undefined ? 'LLM_API_KEY' : secretName(config, path);
  const put = (key: string, value: string) =>
    setConfigValue(home, key, value, { env: {}, secretName: named });

  it('gives a key that came first to the provider that comes then', async () => {
    const first = await put('llm.api_key', 'sk-one');
    expect(first.overriddenBy).toBeUndefined();
    const then = await put('llm.provider', 'openai');
    expect(then.secrets).toEqual([{ path: 'llm.api_key', variable: 'OPENAI_KEY', shadowed: false }]);
    expect(await env()).toEqual({ OPENAI_KEY: 'sk-one' });
    expect((await values()).llm).toMatchObject({ provider: 'openai', api_key: 'sk-one' });
  });

  it('does not take the place of a key that the provider has already', async () => {
    await writeFile(home.file('.env'), 'OPENAI_KEY=sk-old\n');
    await put('llm.api_key', 'sk-one');
    await put('llm.provider', 'openai');
    expect(await env()).toEqual({ OPENAI_KEY: 'sk-old', OPENAI_KEY_2: 'sk-one' });
    expect((await values()).llm.api_key).toBe('sk-one');
  });

  it('never carries a key to another provider', async () => {
    await put('llm.provider', 'openai');
    await put('llm.api_key', 'sk-one');
    expect((await put('llm.provider', 'anthropic')).formerKey).toBe('OPENAI_KEY');
    expect((await values()).llm).toEqual(
      expect.not.objectContaining({ api_key: expect.anything() as unknown }),
    );
    expect(await env()).toEqual({ OPENAI_KEY: 'sk-one' });
    expect((await put('llm.provider', 'anthropic')).formerKey).toBeUndefined();
  });
});
