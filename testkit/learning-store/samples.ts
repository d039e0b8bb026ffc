import type { Experience, SkillEdit, SkillUse, SkillVersion } from '#spec/data';

export function sampleExperience(id: string, more: Partial<Experience> = {}): Experience {
  return {
    id,
    scope: 'person/cli/ann',
    kind: 'chat',
    task: 'restart the payment service 重启',
    path: [
      { tool: 'terminal', input: { command: 'systemctl restart pay' }, ok: true, ms: 12, summary: 'done' },
    ],
    outcome: 'it runs',
    success: true,
    keyDecisions: [{ step: 0, why: 'after a failure' }],
    toolCombos: [['read_file', 'terminal']],
    durationMs: 1_200,
    tokens: 900,
    calls: 3,
    at: 1_000,
    ...more,
  };
}

export function sampleUse(id: string, more: Partial<SkillUse> = {}): SkillUse {
  return {
    id,
    skill: 'restart',
    version: '1.0.0',
    experience: 'exp_1',
    success: true,
    followed: true,
    calls: 2,
    tokens: 300,
    durationMs: 500,
    at: 1_000,
    ...more,
  };
}

export function sampleVersion(version: string, more: Partial<SkillVersion> = {}): SkillVersion {
  return {
    skill: 'restart',
    version,
    path: 'ops/restart/SKILL.md',
    text: `# ${version}`,
    digest: `sha-${version}`,
    why: 'drafted',
    from: ['exp_1'],
    state: 'active',
    at: 1_000,
    ...more,
  };
}

export function sampleEdit(id: string, more: Partial<SkillEdit> = {}): SkillEdit {
  return {
    id,
    action: 'repaired',
    skill: 'restart',
    why: 'a step failed twice',
    before: [{ path: 'ops/restart/SKILL.md', text: 'old' }, { path: 'ops/restart/new.md' }],
    after: [{ path: 'ops/restart/SKILL.md', text: 'new' }],
    by: 'learning',
    undone: false,
    at: 1_000,
    ...more,
  };
}
