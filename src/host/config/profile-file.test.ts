import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveHome } from '../home.ts';
import { setConfigValue } from './edit-config.ts';
import { loadConfig } from './load-config.ts';
import { formatProblem } from '#config';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'hermes-profile-file-'));
  await mkdir(join(base, 'profiles'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const home = () => resolveHome({ env: { HERMES_HOME: base }, profile: 'work' });
const load = () => loadConfig(home(), {});
const write = (text: string) => writeFile(join(base, 'profiles', 'work.yaml'), text);

const BLOCKS = `  llm:
    provider: "openai"
    model: "gpt-4o"
    temperature: 0.3
  memory:
    namespace: "work"
    retention_days: 180
  mcp_servers:
    - name: "jira"
  gateway:
    platforms: ["slack"]
`;
const INSIDE = `profile:\n  name: work\n  description: "工作环境"\n${BLOCKS}`;
const BESIDE = `profile:\n  name: work\n  description: "工作环境"\n${BLOCKS.replace(/^ {2}/gm, '')}`;

describe('profiles/NAME.yaml', () => {
  it.each([INSIDE, BESIDE])('is the configuration of its profile (%#)', async (text) => {
    await write(text);
    const { config, profileFile } = await load();
    expect(config.llm).toMatchObject({ provider: 'openai', model: 'gpt-4o', temperature: 0.3 });
    expect(config.memory.retention_days).toBe(180);
    expect(profileFile?.unread.map(({ path, line }) => [path.replace('profile.', ''), line])).toEqual([
      ['memory.namespace', 9],
      ['mcp_servers', 11],
      ['gateway', 13],
    ]);
  });

  it('lies under config.yaml of its folder, and is never written to', async () => {
    await write(INSIDE);
    const edit = { env: {}, secretName: () => 'OPENAI_API_KEY' };
    await setConfigValue(home(), 'llm.model', 'gpt-5', edit);
    expect((await load()).config.llm).toMatchObject({ provider: 'openai', model: 'gpt-5', temperature: 0.3 });
    expect(await readFile(join(base, 'profiles', 'work.yaml'), 'utf8')).toBe(INSIDE);
  });

  it('says what is wrong in the file where it stands', async () => {
    await write('profile:\n  llm:\n    modle: x\n    temperature: hot\n');
    const thrown = await load().catch((error: Error) => error.message.replaceAll(`${base}/`, ''));
    expect(thrown).toContain('profiles/work.yaml:3:5: llm.modle: unknown key; did you mean llm.model?');
    expect(thrown).toContain('profiles/work.yaml:4:18: llm.temperature: found hot');
    await write('profile: 3');
    expect(await load().catch((error: Error) => error.message)).toContain(
      'work.yaml:1:1: profile: must hold',
    );
    await write('profile: {');
    expect(await load().catch((error: Error) => error.message)).toContain('work.yaml:1:');
  });

  it('warns of a key in clear text', async () => {
    await write('profile:\n  llm:\n    provider: openai\n    api_key: sk-abcdef\n');
    const { warnings } = await load();
    expect(warnings.map((problem) => formatProblem(problem)).join()).toMatch(
      /work\.yaml:4:\d+: llm\.api_key: holds a key in clear text/,
    );
    expect(warnings.map((problem) => formatProblem(problem)).join()).not.toContain('sk-abcdef');
  });
});
