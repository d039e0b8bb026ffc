import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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

  it('is put together of the file, the folder of profiles and the notebook', async () => {
    await mkdir(join(home, 'runbook_profiles'));
    await mkdir(join(home, 'memories'));
    const { incidentFile, incidents } = await open({
      'incidents.yaml':
        'services:\n  - { service: payment-service, owner: payments, dependencies: [mysql] }\n',
      'runbook_profiles/payment-service.yaml': 'owner: somebody else\nsignals: [error_ratio]\n',
      'runbook_profiles/orders.md': '# order-service\nowner: orders team\n依赖: redis\n',
      'memories/SERVICE_PROFILE.md': 'payment-service depends on coupon-service\n§\nwe like it short',
    });
    expect((await incidentFile()).services).toMatchObject([
      {
        service: 'payment-service',
        owner: 'payments',
        dependencies: ['mysql', 'coupon-service'],
        signals: ['error_ratio'],
      },
      { service: 'order-service', owner: 'orders team', dependencies: ['redis'] },
    ]);
    expect(await (await incidents()).services()).toEqual(
      expect.arrayContaining(['payment-service', 'order-service', 'coupon-service', 'redis']),
    );
  });

  it('is refused where a profile is none, with its place', async () => {
    await mkdir(join(home, 'runbook_profiles'));
    const { incidentFile } = await open({
      'runbook_profiles/payment-service.yaml': 'owner: payments\ndepends: [mysql]\n',
    });
    await expect(incidentFile()).rejects.toThrow(/runbook_profiles.payment-service\.yaml.*depends/s);
    await rm(join(home, 'runbook_profiles', 'payment-service.yaml'));
    await writeFile(join(home, 'runbook_profiles', 'notes.md'), 'nothing to see');
    await expect(incidentFile()).rejects.toThrow(/notes\.md tells nothing about a service/);
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
