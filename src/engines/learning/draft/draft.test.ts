import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { experience, step } from '#support/engines/learning/scripted-library';
import { experienceClusters } from '../similarity/experience-clusters.ts';
import { readProcedure } from '../procedure/read-procedure.ts';
import { readWorkflow } from '../procedure/workflow-text.ts';
import { draftOf } from './draft.ts';
import { replay } from './replay.ts';
import { verifyDraft } from './verify-draft.ts';
import { writeDocument } from './write-document.ts';
import { writeWorkflow } from './write-workflow.ts';
import type { Experience } from '#spec/data';

function draft(experiences: readonly Experience[]) {
  const clusters = experienceClusters({ alike: 0.3, mostKept: 100 });
  const all = experiences.map((one) => clusters.add(one));
  const cluster = all.at(-1);
  return cluster && draftOf(cluster, (name) => name === 'restart-deployment', clusters.rarities);
}

const restart = (service: string, namespace: string) =>
  experience(`restart the deployment ${service} in ${namespace}`, [
    step('terminal', { command: `kubectl -n ${namespace} get pods` }, 'pod-4411 CrashLoop'),
    step('terminal', { command: `kubectl -n ${namespace} rollout restart deploy/${service}` }),
    step(
      'terminal',
      { command: `kubectl -n ${namespace} rollout status deploy/${service}` },
      'successfully rolled out',
    ),
  ]);
const RESTARTS = [restart('cart-svc', 'shop'), restart('pay-api', 'money'), restart('mail-worker', 'shop')];

describe('draftOf', () => {
  it('keeps the words of commands and makes slots of what differs', () => {
    expect(draft(RESTARTS)?.procedure).toMatchObject({
      steps: [
        { input: { command: 'kubectl -n <n> get pods' } },
        { input: { command: 'kubectl -n <n> rollout restart deploy/<deploy>' } },
        { input: { command: 'kubectl -n <n> rollout status deploy/<deploy>' } },
      ],
      slots: [
        { name: 'n', from: 'task', example: 'shop' },
        { name: 'deploy', from: 'task', example: 'cart-svc' },
      ],
    });
  });

  it('gives a name of its own that says what it is for', () => {
    expect(draft(RESTARTS)?.name).toBe('restart-deployment-2');
  });

  it('knows what comes out of an earlier call', () => {
    const backup = (db: string, job: string) =>
      experience(`back up ${db}`, [
        step('backup_start', { db }, `started ${job}`),
        step('job_wait', { job }, `${job} finished`),
      ]);
    const made = draft([
      backup('ordersdb1', 'job-71'),
      backup('usersdb2', 'job-85'),
      backup('geodb3', 'job-99'),
    ]);
    expect(made?.procedure.slots).toMatchObject([
      { name: 'db', from: 'task' },
      { name: 'job', from: 'result', step: 1 },
    ]);
    expect(made && writeWorkflow(made, '1.0')).toBeUndefined();
  });

  it('names tasks in Chinese after their tools', () => {
    const drop = (service: string) =>
      experience(`把 ${service} 降级`, [step('breaker_open', { service }), step('cache_warm', { service })]);
    expect(draft([drop('cart-svc'), drop('pay-api'), drop('mail-worker')])?.name).toBe(
      'breaker-open-cache-warm',
    );
  });
});

describe('both forms', () => {
  const made = draft(RESTARTS);
  it('read back as they were meant', () => {
    const document = made && writeDocument(made, '1.0.0');
    expect(readProcedure(document ?? '')?.steps).toEqual(made?.procedure.steps);
    expect(readProcedure(document ?? '')?.slots).toMatchObject([
      { name: 'n', from: 'task' },
      { name: 'deploy', example: 'aaaa-aaa' },
    ]);
    const workflow = made && writeWorkflow(made, '1.0');
    expect(readWorkflow(workflow ?? '')?.steps).toEqual(made?.procedure.steps);
    expect(parse(workflow ?? '')).toMatchObject({
      skill: { name: 'restart_deployment_2', created_from: made?.from },
    });
  });

  it('pass what they come from and fail something else', () => {
    if (!made) throw new Error('there is no draft');
    const document = writeDocument(made, '1.0.0');
    expect(verifyDraft(made, document, RESTARTS)).toMatchObject({ problem: undefined, score: 1 });
    const other = experience('restart cart-svc', [
      step('vm_reset', { vm: 'a' }),
      step('vm_wait', { vm: 'a' }),
    ]);
    expect(verifyDraft(made, document, [other]).problem).toMatch(/0 %/);
    expect(verifyDraft(made, document.replace('get pods', 'delete pods'), RESTARTS).problem).toMatch(
      /differently/,
    );
    expect(verifyDraft(made, document.replace(/^- `deploy`.*\n/m, ''), RESTARTS).problem).toMatch(/'deploy'/);
  });
});

describe('replay', () => {
  it('counts the steps that a solution did without', () => {
    const procedure = {
      steps: [
        { tool: 'a', input: {} },
        { tool: 'b', input: {} },
      ],
      slots: [],
      handlers: [],
    };
    expect(replay(procedure, experience('x', [step('a'), step('!b')]))).toMatchObject({
      covered: 0.5,
      excess: 1,
    });
  });
});
