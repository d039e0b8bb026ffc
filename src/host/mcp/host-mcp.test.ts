import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptLog } from '#testkit/log';
import { smallServer } from '#testkit/mcp';
import { toolContext } from '#testkit/tool-context';
import { loadConfig } from '../config/load-config.ts';
import { homeAt } from '../home.ts';
import { hostMcp, mcpSecretValues } from './host-mcp.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hermes-host-mcp-'));
  mkdirSync(join(folder, 'real/profiles/work'), { recursive: true });
  symlinkSync(join(folder, 'real'), join(folder, 'base'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openHome(servers: object) {
  const home = homeAt(join(folder, 'base'), 'work');
  writeFileSync(home.file('mcp_config.json'), JSON.stringify({ mcp_servers: servers }));
  return { home, loaded: await loadConfig(home, { PATH: process.env.PATH }) };
}

describe('hostMcp', () => {
  it('lets no server into the home, its other profiles, or where it really lies', async () => {
    const small = { command: process.execPath, args: smallServer('good') };
    const { home, loaded } = await openHome({ small });
    const sample = async () => undefined;
    const clients = await hostMcp({ home, loaded, version: '0', cwd: folder, sample, log: keptLog() });
    const echo = (await clients?.tools())?.find(({ name }) => name === 'mcp_small_echo');
    for (const path of ['base/profiles/work/config.yaml', 'base/.env', 'real/profiles/other/state.db']) {
      const input = { text: join(folder, path) };
      expect(echo?.deed?.(input).refuse).toContain('its own files');
      await expect(echo?.run(input, toolContext())).rejects.toThrow('its own files');
    }
    expect(echo?.deed?.({ text: join(folder, 'notes.txt') }).refuse).toBeUndefined();
    await clients?.close();
  });
});

describe('mcpSecretValues', () => {
  it('has the secrets of the file and of what was signed in to', async () => {
    const { home, loaded } = await openHome({
      far: { url: 'https://far.example/mcp', headers: { 'X-Key': 'header-secret' } },
    });
    const tokens = { far: { url: 'https://far.example/mcp', tokens: { access_token: 'kept-token' } } };
    writeFileSync(home.file('mcp_tokens.json'), JSON.stringify(tokens));
    expect(await mcpSecretValues(home, loaded)).toEqual(['header-secret', 'kept-token']);
    rmSync(home.file('mcp_config.json'));
    expect(await mcpSecretValues(home, loaded)).toEqual([]);
  });
});
