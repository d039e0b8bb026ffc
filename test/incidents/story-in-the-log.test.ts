import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LogRecord } from '#spec/data';
import type { IncidentHome } from '#testkit/incident-home';
import { reached, SERVICE, servedStory } from './failing-service.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

async function logsOf(home: IncidentHome, ...args: string[]): Promise<LogRecord[]> {
  const child = spawn(process.execPath, [MAIN, 'logs', ...args], {
    env: home.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as LogRecord);
}

const STORY = [
  'alerts.taken',
  'evidence.collected',
  'rca.concluded',
  'action.proposed',
  'action.rehearsed',
  'checkpoint.created',
  'approval.requested',
  'approval.granted',
  'execution.rehearsed',
  'execution.started',
  'execution.finished',
  'recovery.verified',
  'incident.closed',
  'lesson.recorded',
];

it('hermes logs --incident tells the story of one incident, from its alert to its lesson', async () => {
  const story = await servedStory();
  const { api, home } = story;
  const { incident, approval } = await story.asked();
  expect((await api.approve(approval.id)).status).toBe(200);
  await reached(api, incident.id, 'recovered');
  await api.until('the lesson is written', async () => (await api.incident(incident.id)).incident.lesson);
  const other = await api.send('POST', '/api/incidents', {
    title: 'another one',
    service: 'mail',
    severity: 'P3',
  });
  const { incident: second } = other.body as { incident: string };

  await expect
    .poll(async () => readFile(join(home.folder, 'logs', 'hermes.log'), 'utf8'), { timeout: 10_000 })
    .toMatch(/"event":"lesson.recorded"/);
  const lines = await logsOf(home, '--incident', incident.id);
  expect(new Set(lines.map((line) => line.incident))).toEqual(new Set([incident.id]));
  const told = lines.map(({ event }) => event).filter((event) => STORY.includes(event));
  expect([...new Set(told)]).toEqual(STORY);
  expect(lines.find(({ event }) => event === 'alerts.taken')).toMatchObject({
    outcome: 'created',
    source: 'alertmanager',
    service: SERVICE,
  });
  expect(lines.find(({ event }) => event === 'action.proposed')).toMatchObject({
    operation: 'rollback_canary',
  });
  const stages = lines.filter(({ event }) => event === 'stage.ended').map(({ stage }) => stage);
  expect(new Set(stages)).toEqual(
    new Set([
      ...['evidence', 'rca', 'policy', 'approval', 'decision', 'readiness', 'execution', 'conclusion'],
      ...['verification', 'close', 'learning'],
    ]),
  );
  expect(lines.some(({ level }) => level === 'error')).toBe(false);
  // Only of the other one, and only what matters.
  expect((await logsOf(home, '--incident', second)).every((line) => line.incident === second)).toBe(true);
  expect(await logsOf(home, '--incident', incident.id, '--level', 'error')).toEqual([]);
}, 90_000);
