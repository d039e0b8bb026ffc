import { describe, expect, it } from 'vitest';
import { incidentToolsOf } from '#app/tools';
import type { Host } from '#host';
import type { ToolResult } from '#spec/ports';
import { toolContext } from '#testkit/tool-context';
import { SERVICE, servedStory } from './failing-service.ts';

const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

async function call(host: Host, name: string, input: object): Promise<ToolResult & { text: string }> {
  const tool = (await incidentToolsOf(host)).find((one) => one.name === name);
  if (!tool) throw new Error(`there is no ${name}`);
  const result = await tool.run(tool.input.parse(input), toolContext());
  return { ...result, text: textOf(result) };
}

describe('the tools of the runbook, while no incident is open', () => {
  it('propose, rehearse and verify for a named service, and change nothing', async () => {
    const { host, registry } = await servedStory({
      incidents: { operations: ['rollback_canary'] },
      rules: [`Never restart ${SERVICE}`],
    });
    const before = await registry();

    const proposed = await call(host, 'action_policy_guard', {
      service: SERVICE,
      window: '15s',
      hypothesis: { category: 'deploy_db_regression', confidence: 0.91 },
    });
    expect(proposed.text).toContain('No incident is open, so this can only be rehearsed');
    expect(proposed.data).toMatchObject({
      action_type: 'rollback_canary',
      target_revision: 'v1',
      risk_level: 'destructive',
      requires_approval: true,
      hypothesis_verdict: { verdict: 'first' },
    });

    const rehearsed = await call(host, 'rollback_canary', { service: SERVICE, target_revision: 'v1' });
    expect(rehearsed.data).toMatchObject({ dryRun: true, allowed: true, checkpointPresent: false });
    expect(rehearsed.text).toContain(`command_preview: rollback_canary ${SERVICE}`);
    expect(rehearsed.text).toContain(`equivalent_command: argocd app rollback ${SERVICE} v1`);
    expect(rehearsed.text).toContain('gate incident: not ok');

    // What the list of operations and the rules of the house would not have is not allowed here either.
    const restart = { service: SERVICE, operation: 'restart_deployment' };
    const ruled = await call(host, 'execute_controlled_action', restart);
    expect(ruled).toMatchObject({ isError: true });
    expect(ruled.text).toContain(`Never restart ${SERVICE}`);
    const scale = await call(host, 'execute_controlled_action', {
      service: SERVICE,
      operation: 'scale_deployment',
      params: { replicas: 3 },
    });
    expect(scale).toMatchObject({ isError: true });

    const verified = await call(host, 'verify_recovery', { service: SERVICE, window: '5s' });
    expect(verified.summary).toBe('not_recovered');
    expect(verified.text).toContain('No incident is open');

    expect(await registry()).toEqual(before);
    expect(await (await host.incidents()).store.list({ limit: 5 })).toEqual([]);
  }, 60_000);

  it('never carry anything out, whatever ids are named', async () => {
    const { host, registry } = await servedStory();
    const before = await registry();
    const result = await call(host, 'rollback_canary', {
      service: SERVICE,
      target_revision: 'v1',
      dry_run: false,
      approval_id: 'apr_made_up',
      checkpoint_id: 'chk_made_up',
    });
    expect(result).toMatchObject({ isError: true, data: { allowed: false } });
    expect(result.text).toContain('Nothing is carried out outside of an incident');
    const named = await call(host, 'rollback_canary', {
      incident_id: 'inc_none',
      service: SERVICE,
      target_revision: 'v1',
    });
    expect(named.text).toContain('There is no such incident');
    expect(await registry()).toEqual(before);
  }, 60_000);
});
