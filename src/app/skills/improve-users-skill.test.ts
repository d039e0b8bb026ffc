import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { homeScope } from '#engines/memory';
import type { Experience, ExperienceStep } from '#spec/data';
import { localView } from '../terminal/find-session.ts';
import { openHost } from '#host';
import { approveSkillWrite } from './approve-skill-write.ts';

const workflow = (improvement: string) => `# how we patch
skill:
  name: patch_host
  description: patch the kernel of a host
  trigger:
    keywords: [patch the kernel]
  execution:
    steps:
      - action: read_file
        args: {path: /etc/hosts}
      - action: list_files
        args: {path: /srv}
      - action: search_files
        args: {pattern: kernel}
${improvement}`;

const call = (tool: string, input: unknown, ok = true): ExperienceStep => ({
  tool,
  input,
  ok,
  ms: 1,
  summary: ok ? 'ok' : 'error: no such folder',
});

/** A run in which the second step failed and something else worked. */
const run = (at: number): Experience => ({
  id: `exp_${at}`,
  scope: homeScope('note', localView()),
  kind: 'chat',
  task: 'patch the kernel of node-9',
  path: [
    call('read_file', { path: '/etc/hosts' }),
    call('list_files', { path: '/srv' }, false),
    call('web_search', { query: 'kernel' }),
    call('search_files', { pattern: 'kernel' }),
  ],
  outcome: 'done',
  success: true,
  keyDecisions: [],
  toolCombos: [],
  durationMs: 1,
  tokens: 100,
  calls: 5,
  at,
  skill: { name: 'patch_host', version: '1.0' },
});

async function home(improvement: string) {
  const root = await mkdtemp(join(tmpdir(), 'improve-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const file = join(root, 'skills', 'patch_host.yaml');
  await mkdir(join(root, 'skills'));
  await writeFile(file, workflow(improvement));
  const host = await openHost({ env: { HERMES_HOME: root }, version: 'test' });
  onTestFinished(() => host.close());
  const { learning } = await host.skills(root);
  const waiting = async () =>
    (await (await host.memory()).staged.list([homeScope('note', localView())])).filter(
      ({ tool }) => tool === 'skill_change',
    );
  return { host, learning, waiting, text: () => readFile(file, 'utf8') };
}

it('leaves a workflow alone whose owner has not said otherwise', async () => {
  const { learning, waiting, text } = await home('');
  for (let at = 1; at <= 6; at++) await learning.record(run(at));
  expect(await text()).toBe(workflow(''));
  expect(await waiting()).toEqual([]);
});

it('has its owner asked, and then changes it', async () => {
  const wanted = '  improvement:\n    auto_update: true\n    min_samples_for_update: 2\n';
  const { host, learning, waiting, text } = await home(wanted);
  await learning.record(run(1));
  expect(await waiting()).toEqual([]);
  await learning.record(run(2));
  const [write] = await waiting();
  expect(write?.shown).toContain('web_search');
  expect(await text()).toBe(workflow(wanted));
  if (write) await approveSkillWrite(host, write);
  expect(await text()).toContain('web_search');
  expect(await text()).toContain('# how we patch');
});

it('changes it without asking where its owner does not want to be asked', async () => {
  const wanted =
    '  improvement:\n    auto_update: true\n    min_samples_for_update: 2\n    require_confirmation: false\n';
  const { learning, waiting, text } = await home(wanted);
  for (let at = 1; at <= 2; at++) await learning.record(run(at));
  expect(await waiting()).toEqual([]);
  expect(await text()).toContain('web_search');
});
