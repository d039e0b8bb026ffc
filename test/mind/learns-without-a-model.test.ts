import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Host, openHost } from '#host';
import { textOf, turn } from '../agent/workplace.ts';

let root: string;
let cwd: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-learns-'));
  cwd = join(root, 'project');
  await mkdir(join(cwd, 'svc'), { recursive: true });
  await writeFile(join(cwd, 'svc', 'app.yaml'), 'port: 8080\n');
});
afterAll(() => rm(root, { recursive: true, force: true }));

const TASK = 'check the svc settings';
const byHand = (folder: string) =>
  `${TASK}\n!ls ${folder}\n!cat ${folder}/app.yaml\n!wc -l ${folder}/app.yaml`;

/** A conversation of its own, as another process would lead it. */
async function say(text: string): Promise<{ text: string; status: Awaited<ReturnType<typeof statusOf>> }> {
  const env = { HERMES_HOME: join(root, 'home'), HOME: root, PATH: process.env.PATH };
  const host = await openHost({ env, version: 'test' });
  const conversation = await host.conversation({ cwd, language: 'en', platform: 'cli' });
  const events = await turn(conversation, text);
  await host.close();
  const again = await openHost({ env, version: 'test' });
  const status = await statusOf(again);
  await again.close();
  return { text: textOf(events), status };
}

const statusOf = async (host: Host) => (await host.skills(cwd)).learning.status();

it('learns a procedure, uses it, notices that the world has changed, and mends it', async () => {
  await say(byHand('svc'));
  await say(byHand('svc'));
  const taught = await say(byHand('svc'));
  expect(taught.status.skills.map(({ name }) => name)).toEqual(['check-svc-settings', 'check_svc_settings']);

  const used = await say(TASK);
  expect(used.text).toContain('1 svc/app.yaml');
  const workflow = ({ skills }: typeof used.status) =>
    skills.find(({ name }) => name === 'check_svc_settings');
  expect(workflow(used.status)?.total).toMatchObject({ uses: 1, successes: 1 });

  await rename(join(cwd, 'svc'), join(cwd, 'service'));
  for (let i = 0; i < 3; i++) await say(TASK);
  const noticed = await say('status');
  expect(workflow(noticed.status)?.demoted).toBeDefined();

  for (let i = 0; i < 3; i++) await say(byHand('service'));
  const mended = await say(TASK);
  expect(mended.text).toContain('1 service/app.yaml');
  expect(workflow(mended.status)?.demoted).toBeUndefined();
  expect(mended.status.ledger.map(({ action }) => action)).toContain('repaired');
}, 120_000);
