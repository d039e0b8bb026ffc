import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Host, openHost } from '../open-host.ts';
import { alertRoutes } from './alert-routes.ts';

let home: string;
let host: Host | undefined;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'hermes-mistakes-'));
});
afterEach(async () => {
  await host?.close();
  host = undefined;
  await rm(home, { recursive: true });
});

async function open(files: Readonly<Record<string, string>>): Promise<Host> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(home, name), text);
  return (host = await openHost({ env: { HERMES_HOME: home }, version: '0' }));
}

describe('what people write down about their services', () => {
  it('is refused where a rule is not understood: somebody would believe that it holds', async () => {
    const { incidents } = await open({ 'incidents.yaml': 'rules:\n  - Be nice to the database\n' });
    await expect(incidents()).rejects.toThrow('incidents.yaml#1: this is not a rule that is understood');
  });

  it('is refused where hours are none, before anything happens', async () => {
    await expect(open({ 'config.yaml': 'incidents:\n  peak_hours: evening\n' })).rejects.toThrow(
      '19:00-23:00',
    );
  });

  it('is refused where a list is none, or a webhook does not exist', async () => {
    const { incidents } = await open({ 'backends.yaml': 'telemetry:\n  type: prometheus\n' });
    await expect(incidents()).rejects.toThrow("'telemetry' must be a list");
    await host?.close();
    const other = await open({ 'backends.yaml': '{}', 'gateway.yaml': 'webhooks:\n  pagerdutty: {}\n' });
    await expect(other.incidents().then((found) => alertRoutes(other, found))).rejects.toThrow('pagerdutty');
  });

  it('is taken as it is meant', async () => {
    const opened = await open({
      'config.yaml': 'incidents:\n  peak_hours: 19:00-23:00\n',
      'incidents.yaml': 'rules:\n  - 高峰期不能直接重启 order-service\n',
      'gateway.yaml': 'webhooks:\n  pagerduty: {}\n',
    });
    const incidents = await opened.incidents();
    expect((await alertRoutes(opened, incidents)).on).toContain('alertmanager');
  });
});
