import { expect, it } from 'vitest';
import { loadReaders } from '../plan/load-readers.ts';
import { batches } from '../plan/batches.ts';
import { validateWorkflow } from '../plan/validate-workflow.ts';
import { parseWorkflow } from './parse-workflow.ts';
import { isCalled } from './workflow.ts';

const FILE = `
skill:
  name: sample
  arguments:
    port: {type: number, default: 80, description: {en: The port, zh: 端口}}
  preconditions:
    - git_installed: true
      message: {en: Git is missing, zh: 没有安装 Git}
  execution:
    steps:
      - name: {en: look, zh: 查看}
        action: look
        args: {title: {en: Report, zh: 报告}, limits: {en: 1, zh: 2}}
        output_key: seen
      - name: {en: mend, zh: 修复}
        action: mend
        requires_confirmation: true
        confirmation_message: {en: "Mend {{port}}?", zh: "修复 {{port}}？"}
        failure_message: {en: Not mended, zh: 没有修好}
      - {name: plain, action: look}
    parallel_steps: [[look, 修复]]
  error_handling:
    timeout: {en: Wait, zh: 请等待}
    not_found: {advice: {en: Search, zh: 请查找}}
  output:
    template: {en: "Seen: {{seen}}", zh: "看到：{{seen}}"}
    on_failure: {notify: {platform: all, message: {en: Failed, zh: 失败}}}
`;
const tools = { names: ['look', 'mend'], find: () => ({}) as never };

function read(language: 'en' | 'zh') {
  const parsed = parseWorkflow(FILE, 'x.yaml', language);
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.workflow;
}

it('gives every text in the language that is asked for, and a plain one in both', () => {
  const texts = (language: 'en' | 'zh') => {
    const { arguments: args, preconditions, steps, errorHandling, output } = read(language);
    return [
      args[0]?.description,
      preconditions[0]?.message,
      steps.map(({ name }) => name),
      steps[0]?.args,
      steps[1]?.confirmationMessage,
      steps[1]?.failureMessage,
      errorHandling.timeout?.advice,
      errorHandling.not_found?.advice,
      output.template,
      output.onFailure.notify[0]?.message,
    ];
  };
  expect(texts('en')).toEqual([
    'The port',
    'Git is missing',
    ['look', 'mend', 'plain'],
    { title: 'Report', limits: { en: 1, zh: 2 } },
    'Mend {{port}}?',
    'Not mended',
    'Wait',
    'Search',
    'Seen: {{seen}}',
    'Failed',
  ]);
  expect(texts('zh')).toEqual([
    '端口',
    '没有安装 Git',
    ['查看', '修复', 'plain'],
    { title: '报告', limits: { en: 1, zh: 2 } },
    '修复 {{port}}？',
    '没有修好',
    '请等待',
    '请查找',
    '看到：{{seen}}',
    '失败',
  ]);
});

it('knows a step by its name in either language, so that the order is the same in each', async () => {
  const readers = await loadReaders();
  const order = (language: 'en' | 'zh') =>
    batches(read(language), readers).map((batch) => batch.map(({ id }) => id));
  expect(order('zh')).toEqual(order('en'));
  expect(order('en')[0]).toEqual(['1', '2', '3']);
  for (const language of ['en', 'zh'] as const) {
    const [first] = read(language).steps;
    expect(['look', '查看', '1', 'other'].map((word) => first && isCalled(first, word))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  }
});

it.each([
  ['template: {en: "Seen: {{seen}}", zh: "看到：{{seen}}"}', 'template: {en: only}'],
  ['message: {en: Git is missing, zh: 没有安装 Git}', 'message: {en: only}'],
  ['message: {en: Git is missing, zh: 没有安装 Git}', 'message: {en: a, zh: b, fr: c}'],
  ['description: {en: The port, zh: 端口}', 'description: 7'],
  ['timeout: {en: Wait, zh: 请等待}', 'timeout: {zh: 请等待}'],
])('refuses a text that lacks a language, or has one that is not spoken: %s → %s', (from, to) => {
  const parsed = parseWorkflow(FILE.replace(from, to), 'x.yaml');
  expect('problems' in parsed && parsed.problems[0]?.line).toBeGreaterThan(1);
});

it('looks for names that nothing makes in both languages, and tells the same problem once', async () => {
  const problemsOf = async (text: string) => (await validateWorkflow(text, 'x.yaml', tools)).problems;
  expect(await problemsOf(FILE)).toEqual([]);
  expect(await problemsOf(FILE.replace('看到：{{seen}}', '看到：{{sene}}'))).toMatchObject([
    { problem: "output.template: nothing makes 'sene'", fix: "Did you mean 'seen'?" },
  ]);
  expect(
    await problemsOf(FILE.replace('Mend {{port}}?', '{{prot}}').replace('修复 {{port}}', '{{prot}}')),
  ).toHaveLength(1);
});
