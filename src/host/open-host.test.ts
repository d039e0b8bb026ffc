import { mkdir, mkdtemp, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Host, openHost } from './open-host.ts';

async function homeOf(): Promise<{ readonly host: Host; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'open-host-'));
  const host = await openHost({ env: { HERMES_HOME: folder, HOME: folder, PATH: '' }, version: '0' });
  onTestFinished(async () => {
    await host.close();
    await rm(folder, { recursive: true });
  });
  return { host, folder };
}

it.each([
  ['state.db', (host: Host) => host.database()],
  ['ledger.db', (host: Host) => host.gate()],
  ['memory.db', (host: Host) => host.memory()],
  ['incidents.db', (host: Host) => host.incidents()],
  ['flows.db', (host: Host) => host.incidents({ run: true })],
] as const)('opens %s at the second call when the first one failed', async (name, open) => {
  const { host, folder } = await homeOf();
  const inTheWay = join(folder, name);
  await mkdir(inTheWay);
  await expect(open(host)).rejects.toThrow(/directory|open/i);
  await rmdir(inTheWay);
  const opened = await open(host);
  expect(await open(host)).toBe(opened);
});

it('reads mcp_config.json again when it could not be read, and opens its servers once', async () => {
  const { host, folder } = await homeOf();
  const file = join(folder, 'mcp_config.json');
  await writeFile(file, '{ "mcpServers": ');
  await expect(host.mcp(folder)).rejects.toThrow('mcp_config.json');
  await writeFile(file, '{ "mcpServers": {} }');
  const clients = await host.mcp(folder);
  expect(await host.mcp(folder)).toBe(clients);
});

it('runs incidents for who asks for it, also after somebody has read them', async () => {
  const { host } = await homeOf();
  const read = await host.incidents();
  const running = await host.incidents({ run: true });
  expect(running).not.toBe(read);
  expect(await host.incidents()).toBe(running);
  const { incident } = await running.open({ title: 'checkout fails', severity: 'P3', service: 'checkout' });
  // Only a process that runs incidents collects evidence.
  await expect
    .poll(async () => (await read.store.facts(incident ?? '', 0, 100)).map(({ type }) => type), {
      timeout: 15_000,
    })
    .toContain('evidence.collected');
});

it('refuses to open MCP servers again for another browser', async () => {
  const { host, folder } = await homeOf();
  await host.mcp(folder, async () => undefined);
  await expect(host.mcp(folder)).rejects.toThrow('open already');
});
