import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { Tool, ToolContext } from '#spec/ports';
import { type TemporaryWorkspace, temporaryWorkspace } from '#testkit/files';
import { toolContext } from '#testkit/tool-context';
import { tool as analyzeAnomalies } from '../../src/adapters/tools/actions/health/analyze-anomalies.ts';
import { tool as analyzeFiles } from '../../src/adapters/tools/actions/review/analyze-files.ts';
import { tool as autoRemediate } from '../../src/adapters/tools/actions/health/auto-remediate.ts';
import { tool as generateReport } from '../../src/adapters/tools/actions/report/generate-report.ts';
import { tool as gitDiff } from '../../src/adapters/tools/actions/git/git-diff.ts';
import { tool as parallelHealthCheck } from '../../src/adapters/tools/actions/health/parallel-health-check.ts';
import { tool as reviewCode } from '../../src/adapters/tools/actions/review/review-code.ts';
import { tool as tcpCheck } from '../../src/adapters/tools/actions/machine/tcp-check.ts';
import { localFiles } from '../../src/adapters/tools/local-files.ts';
import { spawnedCommands } from '#testkit/tool-context';
import { tool as terminal } from '../../src/adapters/tools/terminal/terminal.ts';
import { fixture, openStage, type Stage } from './stage.ts';

const COMMIT = 'git -c user.name=Ops -c user.email=ops@example.com commit -qm';

interface Place {
  readonly workspace: TemporaryWorkspace;
  shell(command: string): Promise<unknown>;
}

/** The tools as they are, in a folder of their own, without a gate and without a network. */
async function inPlace(tools: readonly Tool[], test: (stage: Stage, place: Place) => Promise<void>) {
  const workspace = await temporaryWorkspace();
  const commands = spawnedCommands(workspace.root);
  const known = new Map([terminal, ...tools].map((tool) => [tool.name, tool]));
  const callTool: ToolContext['callTool'] = async (name, input) => {
    const tool = known.get(name) as Tool;
    return tool.run(tool.input.parse(input), context);
  };
  const refused = async () => {
    throw fail('tool.failed', 'connect ECONNREFUSED');
  };
  const files = localFiles({ root: workspace.root, protectedPaths: [] });
  const context = toolContext({
    files,
    commands,
    callTool,
    web: { fetch: refused, reach: refused, resolve: refused, certificate: refused },
  });
  const stage = await openStage([], {
    tools: { names: [...known.keys()], find: (name) => known.get(name) },
    callTool,
  });
  try {
    const shell = (command: string) =>
      commands.run({ command, cwd: workspace.root }, new AbortController().signal);
    await test(stage, { workspace, shell });
  } finally {
    await stage.close();
    await commands.close();
    await workspace.close();
  }
}

/** The monitor, with nothing in it that would be looked for outside of this machine. */
const monitor = fixture('service_monitor')
  .replaceAll(/(?:db|redis)\.internal/g, '127.0.0.1')
  .replaceAll(/port: \d+/g, 'port: 1');

describe("the seed's files with the real actions", () => {
  it('review a real change', () =>
    inPlace([gitDiff, analyzeFiles, reviewCode, generateReport], async (stage, { workspace, shell }) => {
      await workspace.put('pay.py', 'def pay(amount):\n    return amount\n');
      await shell(`git init -q -b main && git add . && ${COMMIT} 'pay'`);
      await workspace.put('pay.py', 'import os\ndef pay(amount):\n    os.system("pay " + amount)\n');
      for (const dryRun of [true, false]) {
        const { run } = await stage.run({ text: fixture('code_review'), dryRun });
        expect(
          run.steps.map(({ state, level }) => [state, level]),
          run.result?.text,
        ).toEqual(run.steps.map(() => ['done', 0]));
        expect(run.steps).toHaveLength(4);
        expect(run.state).toBe(dryRun ? 'shown' : 'done');
        if (dryRun) continue;
        expect(run.result?.text).toMatch(/变更文件数：1\n- 新增行数：2\n- 删除行数：1\n- 风险等级：high/);
        expect(run.result?.text).toMatch(/- \*\*\[high\]\*\* pay\.py:3 — .+\n {2}💡 建议：.+/);
      }
    }));

  it('watch services that do not answer', () =>
    inPlace(
      [parallelHealthCheck, analyzeAnomalies, autoRemediate, generateReport, tcpCheck],
      async (stage) => {
        for (let i = 0; i < 2; i++) {
          const { run } = await stage.run({ text: monitor });
          expect(run.steps.map(({ name, state }) => [name, state])).toEqual([
            ['检查所有端点', 'done'],
            ['异常分析', 'done'],
            ['自愈尝试', 'done'],
            ['生成报告', 'done'],
          ]);
          expect(run.result?.outputs.anomalies).toMatchObject({ has_critical: true, history_runs: i });
          expect(run.result?.text).toContain('主站 API');
        }
        expect(stage.notices[0]?.message).toMatch(/\[critical\] 主站 API: .*connect ECONNREFUSED/);
        expect(stage.notices[0]?.message).toContain('❌ 自动修复失败，需要人工介入');
      },
    ));

  it('runs the example of the documents', () =>
    inPlace([terminal], async (stage) => {
      const page = readFileSync(join(import.meta.dirname, '../../docs/workflows.md'), 'utf8');
      const [, text = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
      const { run } = await stage.run({ text, args: { path: '/', limit: '100' } });
      expect(run.steps.map(({ state }) => state)).toEqual(['done', 'skipped']);
      expect(run.result?.text).toMatch(/^\/: \d+ % used$/);
      const refused = await stage.run({ text, args: { path: '/', limit: -1 } });
      expect(refused.run.result?.warnings).toEqual([
        "'clean up' failed, and the run went on: it needs a confirmation, and there is nobody to ask",
      ]);
      expect(stage.notices).toEqual([{ platform: 'all', message: '/ is filling up' }]);
    }));

  it('run commands with the real terminal', () =>
    inPlace([terminal], async (stage, { workspace }) => {
      await workspace.put('a b.txt', 'inside\n');
      const text = `skill: {name: sample, execution: {steps: [
        {command: "cat {{file}}", output_key: read},
        {command: "printf %s {{read.output}}", output_key: printed},
        {command: "exit 3"}]}}`;
      const { run } = await stage.run({ text, args: { file: 'a b.txt' } });
      expect(run.result?.outputs).toMatchObject({
        read: { output: 'inside', code: 0 },
        printed: { output: 'inside' },
      });
      expect(run.steps[0]?.level).toBe(0);
      expect(run.result?.failure).toMatchObject({ kind: 'command_failed', step: 'exit 3' });
    }));
});
