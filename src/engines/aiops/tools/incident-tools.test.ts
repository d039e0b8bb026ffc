import { asText } from '#kit/text';
import { describe, expect, it } from 'vitest';
import { fail } from '#kit/app-error';
import type { Incident, ProposedAction, Telemetry } from '#spec/data';
import type { TelemetrySources, ToolResult } from '#spec/ports';
import { bundleSources, callTraces, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { toolContext } from '#testkit/tool-context';
import { diagnose } from '../rca/diagnose.ts';
import { groundEvidence } from '../rca/grounding/ground-evidence.ts';
import type { ActionRequest, IncidentDesk } from './incident-desk.ts';
import { incidentTools } from './incident-tools.ts';

const NOW = (INCIDENT_START + 900) * 1000;

function troubled(): Telemetry {
  const traces = callTraces({
    calls: 40,
    fails: (during, call) => during && call % 4 === 0,
    says: (during) => [
      { level: 'INFO', message: 'charged' },
      ...(during ? [{ level: 'ERROR', message: 'pool exhausted, key sk-abcdefghijklmnop1234, 503' }] : []),
    ],
  });
  return {
    ...withSeries(sampleSystem(), 'web', 'latency_ms_avg', (usual, during) => usual * (during ? 8 : 1)),
    ...traces,
    changes: [
      {
        id: 'd1',
        kind: 'deploy',
        service: 'web',
        time: new Date(NOW - 20 * 60_000).toISOString(),
        summary: 'web v2 | canary',
      },
      {
        id: 'd0',
        kind: 'deploy',
        service: 'orders',
        time: new Date(NOW - 60 * 60_000).toISOString(),
        summary: 'orders v9',
      },
    ],
  };
}

const telemetry = troubled();
const { rca } = groundEvidence(diagnose(telemetry), telemetry, []);

const action: ProposedAction = {
  id: 'act_1',
  operation: 'rollback_canary',
  service: 'web',
  params: { to: 'v1', from: 'v2' },
  risk: 'destructive',
  reason: asText('the deploy is to blame'),
  evidence: ['ev_metric_1'],
  confirmTwice: true,
  separateApprover: false,
  rules: [],
};

const incident: Incident = {
  id: 'inc_1',
  title: 'web is slow',
  severity: 'P1',
  state: 'awaiting_approval',
  service: 'web',
  services: ['web'],
  source: 'test',
  startsAt: telemetry.bundle.startsAt,
  alerts: 1,
  firing: 1,
  round: 1,
  rca,
  createdAt: NOW,
  updatedAt: NOW,
};

function desk(given: Partial<IncidentDesk> = {}): IncidentDesk & { readonly requests: ActionRequest[] } {
  const requests: ActionRequest[] = [];
  return {
    requests,
    sources: async () => [bundleSources(telemetry)],
    find: async ({ incident: id, service }) =>
      id === incident.id || (id === undefined && service === incident.service) ? incident : undefined,
    list: async () => [incident],
    report: async () => ({ outcome: 'created', incident }),
    diagnose: async () => ({ rca, gaps: [] }),
    propose: async (about) => ({
      ...('incident' in about ? { incident: about.incident.id } : {}),
      rca,
      action,
      why: asText(''),
      approval: 'apr_1',
      checkpoint: 'chk_1',
    }),
    requestAction: async (request) => {
      requests.push(request);
      return {
        dryRun: request.dryRun,
        allowed: true,
        approvalStatus: 'granted',
        checkpointPresent: true,
        preview: 'rollback web v1',
        diff: '-v2 sk-abcdefghijklmnop1234\n+v1',
        gates: [{ name: 'approval', ok: true }],
      };
    },
    verify: async ({ service }) => ({
      ...(service === incident.service ? { incident: incident.id } : {}),
      recovery: {
        status: 'recovered',
        at: NOW,
        window: telemetry.bundle.incident,
        checks: [
          {
            dimension: 'errors',
            ok: true,
            usual: 0.002,
            during: 0.18,
            after: 0.006,
            unit: '',
            summary: asText('fell'),
            query: 'q',
          },
          { dimension: 'deploy_state', unit: '', summary: asText('nothing to look at'), query: 'q' },
        ],
      },
    }),
    ...given,
  };
}

const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

const toolOf = (name: string, own: IncidentDesk) => {
  const tool = incidentTools({ desk: own, now: () => NOW }).find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};
const run = async (name: string, input: object, own: IncidentDesk = desk()): Promise<ToolResult> => {
  const tool = toolOf(name, own);
  return tool.run(tool.input.parse(input), toolContext());
};

describe('incidentTools', () => {
  it('has the names that runbooks use, found on demand', () => {
    const tools = incidentTools({ desk: desk(), now: () => NOW });
    expect(tools.map(({ name }) => name)).toEqual([
      'prom_query',
      'prom_top_anomalies',
      'loki_query',
      'trace_search',
      'recent_deploys',
      'incident_rca_guard',
      'action_policy_guard',
      'verify_recovery',
      'incident_open',
      'incident_list',
      'rollback_canary',
      'execute_controlled_action',
    ]);
    expect(tools.every(({ toolset, deferred }) => toolset === 'incident' && deferred)).toBe(true);
  });

  it('reads with all but the one that opens incidents, and that adds', () => {
    const inputs: Record<string, object> = {
      prom_query: { query: 'up' },
      incident_rca_guard: { service: 'web' },
      action_policy_guard: { service: 'web' },
      verify_recovery: { service: 'web' },
      incident_open: { text: 'web is down', service: 'web' },
      rollback_canary: { service: 'web', target_revision: 'v1' },
      execute_controlled_action: { service: 'web', operation: 'restart_deployment' },
    };
    for (const tool of incidentTools({ desk: desk(), now: () => NOW }))
      expect(tool.effect(tool.input.parse(inputs[tool.name] ?? {}))).toBe(
        tool.name === 'incident_open' ? 1 : 0,
      );
  });

  it('prom_query shows series with their numbers', async () => {
    const result = await run('prom_query', { query: 'latency_ms_avg{service="web"}', window: '10m' });
    const [head, row] = textOf(result).split('\n');
    expect(head).toBe('service | metric | samples | first | last | lowest | highest | median');
    expect(row).toMatch(/^web \| latency_ms_avg \| 11 \| \d+/);
    expect(result.data).toMatchObject({ series: [{ service: 'web', times: { length: 11 } }] });
    const bad = await run('prom_query', { query: 'rate(x[1m])' });
    expect(bad.isError).toBe(true);
    expect(textOf(bad)).toContain('is not read');
  });

  it('prom_top_anomalies ranks what left its range', async () => {
    const result = await run('prom_top_anomalies', { window: '15m' });
    expect(textOf(result).split('\n')[1]).toMatch(/^web \| latency_ms_avg \| 1[12]\d \| 9\d\d \|/);
    expect(result.data).toMatchObject({ anomalies: { length: 1 } });
    const quiet = await run('prom_top_anomalies', { service: 'catalogue' });
    expect(textOf(quiet)).toBe('None of 5 series left its usual range.');
  });

  it('loki_query takes words and LogQL, groups lines and hides credentials', async () => {
    const result = await run('loki_query', {
      service: 'payments',
      query: '503 OR nothing like it',
      window: '15m',
    });
    const [, row, more] = textOf(result).split('\n');
    expect(row).toMatch(
      /^payments \| ERROR \| 40 \| 12:01:00 \| 12:07:30 \| pool exhausted, key \[secret:key\], 503$/,
    );
    expect(more).toBeUndefined();
    expect(JSON.stringify(result)).not.toContain('sk-abc');
    const native = await run('loki_query', { query: '{service="payments"} |= "charged"', window: '15m' });
    expect(native.summary).toBe('40 lines of 1 kinds');
    const errors = await run('loki_query', { errors_only: true });
    expect(errors.summary).toBe('40 lines of 1 kinds');
  });

  it('trace_search finds failed traces and where they failed first', async () => {
    const result = await run('trace_search', { service: 'payments', error_only: true, limit: 3 });
    const lines = textOf(result).split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toMatch(
      /^d\d+ \| web POST \/buy \| .* ms \| 5 \| 5 \| (?:payments charge|orders INSERT)/,
    );
    expect(lines[4]).toBe('10 traces, 10 of them with failures');
    expect((await run('trace_search', { min_duration_ms: 100_000 })).summary).toContain('0 traces');
  });

  it('recent_deploys lists the newest first, and a summary cannot break the table', async () => {
    const result = await run('recent_deploys', { since: '2h' });
    const [, first, second] = textOf(result).split('\n');
    expect(first).toMatch(/^d1 \| deploy \| web \| .* \| 20 min ago \| web v2 \/ canary$/);
    expect(second).toContain('orders v9');
    expect(textOf(await run('recent_deploys', { service: 'ledger-db' }))).toBe(
      'Nothing was changed in the last 2h.',
    );
  });

  it('say which backend did not answer, and fail only when none did', async () => {
    const dead: TelemetrySources = {
      changes: {
        name: 'argocd',
        changes: async () => {
          throw fail('backend.refused', 'the token was refused');
        },
      },
    };
    const half = await run(
      'recent_deploys',
      {},
      desk({ sources: async () => [bundleSources(telemetry), dead] }),
    );
    expect(half.isError).toBeUndefined();
    expect(textOf(half)).toContain('no answer from argocd: the token was refused');
    const none = await run('recent_deploys', {}, desk({ sources: async () => [dead] }));
    expect(none).toMatchObject({ isError: true, summary: 'argocd: the token was refused' });
    const nothing = await run('loki_query', {}, desk({ sources: async () => [] }));
    expect(textOf(nothing)).toContain('No backend for logs is set up.');
  });

  it('refuse windows that nobody could answer', () => {
    const { input } = toolOf('prom_query', desk());
    for (const window of ['', '5', '0m', '2d', '-5m', '5 minutes'])
      expect(input.safeParse({ query: 'up', window }).success).toBe(false);
    expect(input.safeParse({ query: 'up', window: '1h' }).success).toBe(true);
  });
});

describe('incident_rca_guard', () => {
  it('shows the diagnosis of the incident with the ids to cite, and rejects others', async () => {
    const result = await run('incident_rca_guard', {
      incident_id: 'inc_1',
      evidence: ['ev_metric_1', 'ev_metric_77'],
    });
    const text = textOf(result);
    expect(text).toContain('incident: inc_1');
    expect(text).toMatch(/^ev_metric_1: /m);
    expect(text).toContain('ev_metric_77 is no evidence of this diagnosis');
    expect(result.data).toMatchObject({
      status: 'concluded',
      service: 'payments',
      unknown: ['ev_metric_77'],
    });
  });

  it('looks now where there is no incident, and says where there is none of that id', async () => {
    const asked: unknown[] = [];
    const own = desk({
      diagnose: async (about) => {
        asked.push(about);
        return {
          rca: { status: 'inconclusive', hypotheses: [], evidence: [], missing: [asText('logs')] },
          gaps: [],
        };
      },
    });
    const result = await run('incident_rca_guard', { service: 'orders', window: '5m' }, own);
    expect(asked).toEqual([{ service: 'orders', windowMs: 300_000 }]);
    expect(result.summary).toBe('inconclusive');
    expect(await run('incident_rca_guard', { incident_id: 'nope' })).toMatchObject({ isError: true });
  });

  it('holds a cause that somebody else names against the evidence', async () => {
    const result = await run('incident_rca_guard', {
      incident_id: 'inc_1',
      hypothesis: { category: 'certificate', service: 'mail-service', evidence_ids: ['ev_metric_77'] },
    });
    expect(textOf(result)).toContain('hypothesis: unseen');
    expect(textOf(result)).toContain('Nothing that is stored is about mail-service.');
    expect(textOf(result)).toContain('ev_metric_77 is no evidence of this diagnosis.');
    expect(result.data).toMatchObject({ hypothesis_verdict: { unknown: ['ev_metric_77'] } });
  });
});

describe('action_policy_guard', () => {
  it('gives the proposal of the incident, whatever hypothesis is brought along', async () => {
    const result = await run('action_policy_guard', {
      service: 'web',
      hypothesis: { category: 'disk', confidence: 1 },
    });
    expect(result.data).toMatchObject({
      action_type: 'rollback_canary',
      target_revision: 'v1',
      risk_level: 'destructive',
      requires_approval: true,
      checkpoint_before_execution: true,
      dry_run_default: true,
      approval_id: 'apr_1',
      checkpoint_id: 'chk_1',
    });
    expect(textOf(result)).toContain('hypothesis: unseen');
    expect(textOf(result)).toContain('A proposal rests on the evidence alone');
    expect(result.data).toMatchObject({ hypothesis_verdict: { verdict: 'unseen', supports: [] } });
  });

  it('answers a sentence in its language, and reads the names of others', async () => {
    const [first] = rca.hypotheses;
    const seen = await run('action_policy_guard', {
      service: 'web',
      hypothesis: { category: first?.category, service: first?.service, confidence: 0.2 },
    });
    expect(seen.data).toMatchObject({ hypothesis_verdict: { verdict: 'first', rank: 1 } });
    const said = await run('action_policy_guard', { service: 'web', hypothesis: '我觉得是 Redis 热点 key' });
    expect(textOf(said)).toContain('处置建议只依据证据');
  });

  it('looks now where no incident is open, and says that it can only be rehearsed', async () => {
    const asked: unknown[] = [];
    const own = desk({
      propose: async (about) => {
        asked.push(about);
        return { rca, action, why: asText('') };
      },
    });
    const result = await run('action_policy_guard', { service: 'orders', window: '5m' }, own);
    expect(asked).toEqual([{ service: 'orders', windowMs: 300_000 }]);
    expect(result.isError).toBeUndefined();
    expect(result.data).not.toHaveProperty('incident_id');
    expect(textOf(result)).toContain('No incident is open, so this can only be rehearsed');
    expect(await run('action_policy_guard', { incident_id: 'nope' })).toMatchObject({ isError: true });
  });

  it('proposes nothing where the policy does not', async () => {
    const own = desk({
      propose: async () => ({ incident: 'inc_1', why: asText('the confidence is too low') }),
    });
    expect(textOf(await run('action_policy_guard', { service: 'web' }, own))).toContain('action_type: none');
  });
});

describe('verify_recovery', () => {
  it('shows each dimension with its numbers', async () => {
    const result = await run('verify_recovery', { service: 'web', window: '2m' });
    expect(textOf(result)).toContain('errors | ok | 0.002 | 0.18 | 0.006 | fell');
    expect(textOf(result)).toContain('deploy_state | unknown | - | - | - |');
    expect(result.summary).toBe('recovered');
    expect(textOf(result)).not.toContain('No incident is open');
  });

  it('says that it compares with the time before where no incident is open', async () => {
    expect(textOf(await run('verify_recovery', { service: 'orders' }))).toContain(
      'No incident is open: usual is the time before',
    );
  });
});

describe('tools that act', () => {
  it('rehearse unless told otherwise', async () => {
    const own = desk();
    const result = await run('rollback_canary', { service: 'web', target_revision: 'v1' }, own);
    expect(own.requests).toMatchObject([
      {
        dryRun: true,
        operation: 'rollback_canary',
        service: 'web',
        params: { to: 'v1' },
        session: 'session_1',
      },
    ]);
    expect(textOf(result)).toContain('command_preview: rollback web v1');
    expect(textOf(result)).toContain('dry_run: true');
    expect(textOf(result)).toContain('-v2 [secret:key]\n+v1');
    expect(JSON.stringify(result)).not.toContain('sk-abc');
    await run(
      'execute_controlled_action',
      { service: 'web', operation: 'scale_deployment', params: { replicas: 3 } },
      own,
    );
    expect(own.requests[1]).toMatchObject({ dryRun: true, params: { replicas: 3 } });
  });

  it('never reach the desk without an approval and a checkpoint', async () => {
    for (const [name, more] of [
      ['rollback_canary', { target_revision: 'v1' }],
      ['execute_controlled_action', { operation: 'restart_deployment' }],
    ] as const) {
      for (const ids of [{}, { approval_id: 'apr_1' }, { checkpoint_id: 'chk_1' }]) {
        const own = desk();
        const input = { service: 'web', dry_run: false, ...more, ...ids };
        expect(await run(name, input, own)).toMatchObject({ isError: true });
        expect(own.requests).toEqual([]);
        const tool = toolOf(name, own);
        const parsed = tool.input.parse(input);
        expect(tool.effect(parsed)).toBe(3);
        expect(tool.deed?.(parsed).refuse).toContain('approval_id');
      }
    }
  });

  it('hand an approved action over, and ask a person like any sensitive call', async () => {
    const own = desk();
    const input = {
      service: 'web',
      target_revision: 'v1',
      dry_run: false,
      approval_id: 'apr_1',
      checkpoint_id: 'chk_1',
    };
    const result = await run('rollback_canary', input, own);
    expect(own.requests).toMatchObject([{ dryRun: false, approval: 'apr_1', checkpoint: 'chk_1' }]);
    expect(result.summary).toBe('rollback_canary of web: handed over to the incident');
    const tool = toolOf('rollback_canary', own);
    expect(tool.deed?.(tool.input.parse(input)).confirm).toMatchObject({
      en: expect.stringContaining('apr_1') as string,
      zh: expect.stringContaining('apr_1') as string,
    });
  });

  it('show a refusal as one', async () => {
    const own = desk({
      requestAction: async ({ dryRun }) => ({
        dryRun,
        allowed: false,
        why: asText('the approval is for another action'),
        approvalStatus: 'granted',
        checkpointPresent: false,
        gates: [{ name: 'checkpoint', ok: false }],
      }),
    });
    const input = {
      service: 'web',
      target_revision: 'v3',
      dry_run: false,
      approval_id: 'a',
      checkpoint_id: 'c',
    };
    const result = await run('rollback_canary', input, own);
    expect(result).toMatchObject({
      isError: true,
      summary: 'rollback_canary of web is refused: the approval is for another action',
    });
    expect(textOf(result)).toContain('gate checkpoint: not ok');
  });

  it('have no way to confirm for a person', () => {
    const { input } = toolOf('execute_controlled_action', desk());
    const wanted = { service: 'web', operation: 'observe' };
    expect(input.safeParse(wanted).success).toBe(true);
    for (const extra of [{ confirm: 'CONFIRM_EXECUTE' }, { approved: true }, { approver: 'me' }])
      expect(input.safeParse({ ...wanted, ...extra }).success).toBe(false);
  });
});
