import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Home, homeAt } from '../home.ts';
import { importProfileFile } from './import-profile.ts';
import { loadConfig } from './load-config.ts';

let home: Home;
beforeEach(async () => {
  home = homeAt(await mkdtemp(join(tmpdir(), 'hermes-import-')), 'default');
  await mkdir(join(home.base, 'profiles'));
});
afterEach(() => rm(home.base, { recursive: true, force: true }));

const secretName = () => 'OPENAI_API_KEY';
const write = (name: string, text: string) => writeFile(join(home.base, 'profiles', `${name}.yaml`), text);
const run = (name: string) => importProfileFile(home, name, { secretName });

const BLOCKS = `  llm:
    provider: "openai"
    model: "gpt-4o"
    temperature: 0.3
  memory:
    namespace: "work"
  mcp_servers:
    - name: "postgres"
      config: {url: "\${WORK_DB_URL}"}
  gateway: {platforms: ["slack"]}
`;
const INSIDE = `profile:\n  name: work\n  description: "工作环境\\n第二行"\n${BLOCKS}`;
const BESIDE = `profile:\n  name: work\n  description: "工作环境\\n第二行"\n${BLOCKS.replace(/^ {2}/gm, '')}`;

it.each([INSIDE, BESIDE])('makes a profile and loses nothing (%#)', async (text) => {
  await write('work', text);
  const { home: made, notes } = await run('work');
  expect((await loadConfig(made, {})).config.llm).toMatchObject({
    provider: 'openai',
    model: 'gpt-4o',
    temperature: 0.3,
  });
  expect(await readFile(made.file('config.yaml'), 'utf8')).toMatch(/^# 工作环境\n# 第二行\nllm:/);
  expect(parse(await readFile(made.file('imported.yaml'), 'utf8'))).toEqual({
    memory: { namespace: 'work' },
    mcp_servers: [{ name: 'postgres', config: { url: '${WORK_DB_URL}' } }],
    gateway: { platforms: ['slack'] },
  });
  expect(notes.map((note) => note.split(':')[0])).toEqual(['not taken over', 'mcp_servers', 'gateway']);
});

it('happens once', async () => {
  await write('work', INSIDE);
  await run('work');
  await expect(run('work')).rejects.toMatchObject({ record: { code: 'profile.not_found' } });
  expect(await readFile(join(home.base, 'profiles', 'work.yaml.imported'), 'utf8')).toBe(INSIDE);
});

it('moves secrets to .env and says that the file still has them', async () => {
  await write(
    'work',
    'profile: {llm: {provider: openai, api_key: hunter2, fallback: [{provider: b, api_key: hunter3}]}}',
  );
  const { home: made, notes } = await run('work');
  expect(await readFile(made.file('config.yaml'), 'utf8')).not.toContain('hunter');
  expect((await stat(made.file('.env'))).mode & 0o777).toBe(0o600);
  const { config } = await loadConfig(made, {});
  expect([config.llm.api_key, config.llm.fallback[0]?.api_key]).toEqual(['hunter2', 'hunter3']);
  expect(notes.at(-1)).toContain('clear text');
  expect(notes.join()).not.toContain('hunter');
});

it('keeps single settings that are wrong, with the reason', async () => {
  await write(
    'work',
    'profile: {name: other, description: 3, llm: {model: m, temperature: hot, style: x, fallback: [{model: q}]}}',
  );
  const { home: made, notes } = await run('work');
  expect((await loadConfig(made, {})).config.llm.model).toBe('m');
  expect(parse(await readFile(made.file('imported.yaml'), 'utf8'))).toEqual({
    description: 3,
    llm: { temperature: 'hot', style: 'x', fallback: [{ model: 'q' }] },
  });
  expect(notes).toEqual(
    expect.arrayContaining([
      expect.stringContaining('calls itself "other"'),
      expect.stringContaining('llm.temperature: found hot; allowed: a number from 0 to 2'),
    ]),
  );
});

it('makes nothing of what it cannot read', async () => {
  await write('broken', 'profile: {');
  await write('other', 'llm: {}');
  await expect(run('broken')).rejects.toMatchObject({ record: { code: 'config.invalid' } });
  await expect(run('other')).rejects.toMatchObject({ record: { code: 'profile.invalid' } });
  await expect(run('absent')).rejects.toMatchObject({ record: { code: 'profile.not_found' } });
  await expect(run('../broken')).rejects.toMatchObject({ record: { code: 'profile.invalid' } });
  expect(await readdir(join(home.base, 'profiles'))).toEqual(['broken.yaml', 'other.yaml']);
  expect(await readdir(home.base)).toEqual(['profiles']);
});
