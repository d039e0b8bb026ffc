import { afterEach, describe, expect, it } from 'vitest';
import { validateWorkflow } from '../../src/engines/skills/workflow/index.ts';
import { Failing, fixture, openStage, type SampleTool, sampleTool, type Stage } from './stage.ts';

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const REVIEW: readonly SampleTool[] = [
  sampleTool('git_diff', 0, () => ({
    changed_files: ['a.ts', 'b.ts'],
    file_count: 2,
    additions: 10,
    deletions: 3,
  })),
  sampleTool('analyze_files', 0, () => ({ risk_areas: ['a.ts'] })),
  sampleTool('review_code', 0, () => ({
    risk_level: 'high',
    issues: [{ severity: 'high', file: 'a.ts', line: 3, message: '<eval> & {{more}}', suggestion: 'none' }],
    positives: [{ message: 'tests' }],
  })),
  sampleTool('generate_report', 0, () => '# report'),
];

describe('code_review', () => {
  it('runs as it is written', async () => {
    stage = await openStage(REVIEW);
    stage.memory.set('project_conventions', 'tabs');
    const { run } = await stage.run({ text: fixture('code_review') });
    expect(run.state).toBe('done');
    expect(stage.calls.map(({ name, input }) => [name, input])).toEqual([
      ['git_diff', { target: 'main', options: '--stat' }],
      [
        'analyze_files',
        { files: ['a.ts', 'b.ts'], analysis_types: ['complexity', 'dependencies', 'test_coverage'] },
      ],
      ['review_code', { files: ['a.ts', 'b.ts'], focus_areas: ['a.ts'], project_conventions: 'tabs' }],
      ['generate_report', expect.objectContaining({ format: 'markdown', severity_order: true })],
    ]);
    expect(run.result?.text).toBe(
      [
        '## 代码审查报告',
        '',
        '### 📊 概览',
        '- 变更文件数：2',
        '- 新增行数：10',
        '- 删除行数：3',
        '- 风险等级：high',
        '',
        '### 🔍 发现问题',
        '- **[high]** a.ts:3 — <eval> & {{more}}',
        '  💡 建议：none',
        '',
        '### ✅ 亮点',
        '- tests',
      ].join('\n'),
    );
  });

  it('leaves out what memory does not have, and only warns of a group that names no step', async () => {
    stage = await openStage(REVIEW);
    await stage.run({ text: fixture('code_review') });
    expect(stage.calls[2]?.input).not.toHaveProperty('project_conventions');
    const checked = await validateWorkflow(fixture('code_review'), 'code_review.yaml', stage.deps.tools);
    expect(checked.problems).toEqual([]);
    expect(checked.warnings).toMatchObject([
      { line: 58, problem: "No step is called 'fetch_conventions' or does that" },
    ]);
  });

  it('does nothing when a precondition does not hold', async () => {
    stage = await openStage(REVIEW, {
      check: async (check) => ({ holds: check.type !== 'file_exists' }),
    });
    const { run } = await stage.run({ text: fixture('code_review'), language: 'zh' });
    expect(run.state).toBe('unmet');
    expect(run.result?.failure?.message).toBe('条件不满足：需要在 Git 仓库中执行代码审查');
    expect(stage.calls).toEqual([]);
  });
});

const MIGRATION: readonly SampleTool[] = [
  sampleTool('scan_api_usage', 0, () => ({
    package_name: 'zod',
    version: '3.0.0',
    usage_patterns: [],
    files: ['x.ts'],
  })),
  sampleTool('fetch_changelog', 0, () => 'changes'),
  sampleTool('analyze_breaking_changes', 0, () => ({ count: 1 })),
  sampleTool('generate_migration_plan', 0, () => ({ steps: ['edit x.ts'] })),
  sampleTool('execute_migration', 2, () => ({ diff: '-a +b' })),
];

describe('api_migration', () => {
  it('asks before it migrates', async () => {
    const asked: unknown[] = [];
    stage = await openStage(MIGRATION, {
      confirm: async (question) => {
        asked.push(question);
        return true;
      },
    });
    const { run } = await stage.run({ text: fixture('api_migration') });
    expect(run.state).toBe('done');
    expect(asked).toEqual([
      {
        step: '执行迁移（需确认）',
        message: '迁移方案已生成，是否执行？',
        preview: '{"plan":{"steps":["edit x.ts"]},"dry_run":true}',
      },
    ]);
    expect(stage.calls[1]?.input).toEqual({ package: 'zod', from_version: '3.0.0', to_version: 'latest' });
    expect(run.result?.outputs.migration_result).toEqual({ diff: '-a +b' });
  });

  it.each([
    ['a person says no', async () => false, 'it was not agreed to'],
    ['nobody answers', async () => undefined, 'it was not agreed to'],
    ['there is nobody to ask', undefined, 'it needs a confirmation, and there is nobody to ask'],
  ])('does not migrate when %s', async (_, confirm, message) => {
    stage = await openStage(MIGRATION, confirm ? { confirm } : {});
    const { run } = await stage.run({ text: fixture('api_migration') });
    expect(run.state).toBe('refused');
    expect(run.result?.failure).toMatchObject({ kind: 'refused', message });
    expect(stage.calls.map(({ name }) => name)).not.toContain('execute_migration');
  });
});

const anomaly = { severity: 'critical', name: 'Redis', message: 'no answer' };
const monitor = (critical: boolean, success: boolean): readonly SampleTool[] => [
  sampleTool('parallel_health_check', 0, ({ endpoints }) => ({ checked: (endpoints as unknown[]).length })),
  sampleTool('analyze_anomalies', 0, () =>
    critical
      ? { count: 1, has_critical: true, critical: [anomaly], max_severity: 'critical', items: [anomaly] }
      : { count: 0, has_critical: false, critical: [], max_severity: 'none', items: [] },
  ),
  sampleTool('auto_remediate', 2, () => ({ success, actions: ['restart redis'] })),
  sampleTool('generate_report', 0, () => '# health'),
];

describe('service_monitor', () => {
  it('is quiet when all is well, and goes on without what was not done', async () => {
    stage = await openStage(monitor(false, false));
    const { run } = await stage.run({ text: fixture('service_monitor') });
    expect(run.state).toBe('done');
    expect(run.steps.map(({ state }) => state)).toEqual(['done', 'done', 'skipped', 'done']);
    expect(stage.calls.at(-1)?.input).toEqual({ health: { checked: 4 }, anomalies: expect.anything() });
    expect(stage.notices).toEqual([]);
    expect(run.result?.text).toBe('# health');
  });

  it.each([
    [true, '✅ 已自动修复：restart redis'],
    [false, '❌ 自动修复失败，需要人工介入'],
  ])('mends, tells and remembers (%s)', async (success, line) => {
    stage = await openStage(monitor(true, success));
    await stage.run({ text: fixture('service_monitor') });
    expect(stage.notices).toEqual([
      {
        platform: 'telegram',
        message: `⚠️ 监控告警\n\n异常数量：1\n严重级别：critical\n\n详情：\n- [critical] Redis: no answer\n\n${line}\n`,
      },
    ]);
    await stage.run({ text: fixture('service_monitor') });
    const history = stage.memory.get('monitoring_history') as { anomalies: { count: number } }[];
    expect(history.map(({ anomalies }) => anomalies.count)).toEqual([1, 1]);
    expect(stage.calls.findLast(({ name }) => name === 'analyze_anomalies')?.input.history).toHaveLength(1);
  });

  it('tells when it breaks', async () => {
    const broken = sampleTool('parallel_health_check', 0, () => {
      throw new Failing('ECONNREFUSED');
    });
    stage = await openStage([broken, ...monitor(true, true).slice(1)]);
    const { run } = await stage.run({ text: fixture('service_monitor') });
    expect(run.state).toBe('failed');
    expect(run.result?.failure).toMatchObject({ step: '检查所有端点', kind: 'network_error' });
    expect(stage.notices).toEqual([
      { platform: 'telegram', message: '🚨 监控脚本执行异常，请检查 Hermes 日志' },
    ]);
  });

  it('takes the arguments that a schedule gives it', async () => {
    stage = await openStage(monitor(false, false));
    const { run } = await stage.run({ text: fixture('service_monitor'), args: { alert_threshold: 2 } });
    expect(run.result?.warnings).toEqual(['Nothing uses these arguments: alert_threshold']);
  });
});

describe('docker_deploy', () => {
  const args = { project_name: 'shop', version: '1.0', port: 8080, internal_port: 80 };
  const docker = (answer: (command: string) => string) =>
    sampleTool('terminal', 2, ({ command }) => ({ output: answer(String(command)) }));

  it('runs its commands', async () => {
    const checks: unknown[] = [];
    stage = await openStage([docker(() => 'ok')], {
      check: async (check) => {
        checks.push(check);
        return { holds: true };
      },
    });
    const { run } = await stage.run({ text: fixture('docker_deploy'), args });
    expect(run.state).toBe('done');
    expect(stage.calls.map(({ input }) => input.command)).toEqual([
      'docker build -t shop:1.0 .',
      'docker scout cves shop:1.0',
      'docker run -d -p 8080:80 shop:1.0',
    ]);
    expect(checks).toEqual([
      { type: 'command_available', command: 'docker' },
      { type: 'file_exists', path: 'Dockerfile' },
      { type: 'port_available', port: '8080' },
      { type: 'container_running', container: 'shop:1.0' },
      { type: 'http_ok', url: 'http://127.0.0.1:8080/' },
    ]);
  });

  it('warns and goes on, and gives its advice', async () => {
    const answer = (command: string) => {
      if (command.includes('scout')) throw new Failing('3 critical');
      if (command.includes('run'))
        throw new Failing('Bind for 0.0.0.0:8080 failed: port is already allocated');
      return 'ok';
    };
    stage = await openStage([docker(answer)]);
    const { run } = await stage.run({ text: fixture('docker_deploy'), args, language: 'zh' });
    expect(run.state).toBe('failed');
    expect(run.result?.failure).toMatchObject({
      step: '启动容器',
      kind: 'port_conflict',
      advice: '自动检测空闲端口并重试',
    });
    expect(run.result?.warnings).toEqual(['“安全扫描”失败，运行继续：3 critical']);
    expect(run.result?.text).toContain('建议：自动检测空闲端口并重试');
  });

  it('says what a failed build is', async () => {
    const answer = () => {
      throw new Failing('failed to solve: process "/bin/sh -c npm ci" did not complete');
    };
    stage = await openStage([docker(answer)]);
    const { run } = await stage.run({ text: fixture('docker_deploy'), args });
    expect(run.result?.failure).toMatchObject({
      kind: 'build_failure',
      advice: '分析错误日志，建议修复方案',
    });
    expect(stage.calls).toHaveLength(1);
  });

  it('does not start without what it needs', async () => {
    stage = await openStage([docker(() => 'ok')]);
    await expect(stage.run({ text: fixture('docker_deploy'), args: { version: '1' } })).rejects.toMatchObject(
      {
        record: {
          code: 'input.invalid',
          message: 'docker_deploy needs project_name, port, internal_port',
          hint: 'Give --arg project_name=… --arg port=… --arg internal_port=…',
        },
      },
    );
  });
});
