import { createServer as createTcp, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skillFiles } from '#adapters/store';
import { parseWorkflow } from '#engines/skills';
import type { Language } from '#kit/language';
import { openSkillPlace, type SkillPlace, UNHURRIED } from './skill-place.ts';

const ROOT = join(import.meta.dirname, '../..');
const CHINESE = /\p{Script=Han}/u;
/** Three words in a row are no identifier. */
const SENTENCE = /(?:\b[a-z']{2,}\b[ ,;:]+){2,}[a-z]{2,}/i;

/** A text without what is not said in any language: placeholders, code, what commands printed, addresses. */
const spokenPart = (text: string): string =>
  text
    .replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
    .replaceAll(/\{\{[^}]*\}\}|\$\{[^}]*\}|`[^`\n]*`|https?:\S+/g, '');

const englishLines = (text: string): string[] =>
  spokenPart(text)
    .split('\n')
    // The rows of a table hold what was found: names of processes, files and hosts.
    .filter((line) => SENTENCE.test(line) && !/^\|.*\d/.test(line));

/** Every text of a workflow that people read, by where it stands. */
function toldTexts(text: string, path: string, language: Language): Map<string, string> {
  const parsed = parseWorkflow(text, path, language);
  if (!('workflow' in parsed)) throw new Error(`${path} cannot be read`);
  const { workflow } = parsed;
  const { onSuccess, onFailure, template } = workflow.output;
  const handlers = Object.entries(workflow.errorHandling);
  const steps = [...workflow.steps, ...handlers.flatMap(([, handler]) => handler.steps)];
  const found: [string, string | undefined][] = [
    ['output.template', template],
    ...[...onSuccess.notify, ...onFailure.notify].map(({ message }, i): [string, string] => [
      `notify ${i + 1}`,
      message,
    ]),
    ...[...workflow.preconditions, ...workflow.postconditions].map(({ message }, i): [string, string] => [
      `check ${i + 1}`,
      message ?? 'it has no message',
    ]),
    ...workflow.arguments.map(({ name, description }): [string, string | undefined] => [name, description]),
    ...handlers.map(([name, { advice }]): [string, string | undefined] => [`advice ${name}`, advice]),
    ...steps.flatMap((step): [string, string | undefined][] => [
      [`name of step ${step.id}`, step.name],
      [`question of step ${step.id}`, step.confirmationMessage],
      [`failure of step ${step.id}`, step.failureMessage],
    ]),
  ];
  return new Map(found.flatMap(([where, told]) => (told === undefined ? [] : [[where, told]])));
}

it('every text for people of a shipped workflow has its Chinese', async () => {
  const all = await skillFiles({ builtin: join(ROOT, 'skills'), home: join(ROOT, 'no-such-home') }).scan();
  const workflows = all.filter(({ path }) => path.endsWith('.yaml'));
  expect(workflows.length).toBeGreaterThanOrEqual(35);
  const missing = workflows.flatMap(({ text, path }) =>
    [...toldTexts(text, path, 'zh')].flatMap(([where, told]) => {
      const said = spokenPart(told).trim();
      // A single word, such as npm, is a name.
      const isChinese = CHINESE.test(said) || !/[a-z]/i.test(said) || /^[\w.-]+$/.test(said);
      return isChinese && englishLines(told).length === 0 ? [] : [`${path} ${where}: ${said.slice(0, 80)}`];
    }),
  );
  expect(missing).toEqual([]);
  const mixed = workflows.flatMap(({ text, path }) =>
    [...toldTexts(text, path, 'en')].flatMap(([where, told]) =>
      CHINESE.test(told) ? [`${path} ${where}`] : [],
    ),
  );
  expect(mixed).toEqual([]);
});

describe('in Chinese', UNHURRIED, () => {
  let place: SkillPlace;
  let port = 0;

  beforeAll(async () => {
    const gone = createTcp();
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
    port = (gone.address() as AddressInfo).port;
    await new Promise((resolve) => gone.close(resolve));
    place = await openSkillPlace({ commands: 'machine', reach: [`127.0.0.1:${port}`] });
    await place.put('backups/empty/.keep', '');
    await place.program('docker', 'exit 0');
  });
  afterAll(() => place.close());

  it.each<[string, () => Record<string, unknown>, string]>([
    ['port_conflict', () => ({ port }), 'done'],
    ['disk_pressure', () => ({ path: place.cwd, threshold: 1 }), 'done'],
    ['slow_host', () => ({ top: 3 }), 'done'],
    ['ops_daily_report', () => ({}), 'done'],
    ['cert_expiry', () => ({ hosts: ['127.0.0.1'], port }), 'done'],
    ['backup_check', () => ({ backup_dirs: [join(place.cwd, 'backups')] }), 'done'],
    [
      'service_monitor',
      () => ({
        endpoints: [
          { name: 'shop', url: `http://127.0.0.1:${port}/` },
          { name: 'database', type: 'tcp', host: '127.0.0.1', port, timeout: 2 },
        ],
      }),
      'done',
    ],
    ['docker_deploy', () => ({ project_name: 'shop' }), 'unmet'],
    ['ci_setup', () => ({}), 'failed'],
  ])('%s speaks no English', async (name, args, state) => {
    const run = await place.run(name, args(), { language: 'zh' });
    expect([run.state, run.text]).toEqual([state, expect.stringMatching(CHINESE)]);
    expect(englishLines([run.text, ...run.warnings].join('\n'))).toEqual([]);
    // Where nobody can be told, that is one line at most.
    expect(run.warnings.filter((line) => line.includes('未发送通知')).length).toBeLessThanOrEqual(1);
  });

  it('names the steps in the language that was asked in', async () => {
    const run = await place.run('port_conflict', { port }, { language: 'zh' });
    expect(Object.keys(run.steps)).toContain('谁在监听');
    expect(Object.keys((await place.run('port_conflict', { port })).steps)).toContain('who listens');
  });
});
