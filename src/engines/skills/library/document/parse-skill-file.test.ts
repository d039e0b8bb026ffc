import { describe, expect, it } from 'vitest';
import type { SkillFile } from '#spec/ports';
import { parseSkillFile } from './parse-skill-file.ts';

const file = (text: string, path = 'devops/roll-back/SKILL.md'): SkillFile => ({
  root: 'home',
  path,
  text,
  trust: 'user',
  changedAt: 0,
});

function skill(text: string, path?: string) {
  const parsed = parseSkillFile(file(text, path));
  if ('problem' in parsed) throw new Error(parsed.problem.problem);
  return parsed.skill;
}

function problem(text: string, path?: string) {
  const parsed = parseSkillFile(file(text, path));
  return 'problem' in parsed ? parsed.problem : undefined;
}

const FULL = `---
name: roll-back
description: Rolls a release back
version: 2.1.0
license: MIT
platforms: [macos, Linux]
prerequisites:
  env_vars: [KUBECONFIG]
required_environment_variables:
  - name: DEPLOY_TOKEN
    prompt: the token
unknown_field: {kept: yes}
metadata:
  hermes:
    tags: [release, kubernetes]
    requires_tools: [terminal]
    requires_toolsets: [web]
    fallback_for_tools: [deploy]
    created_from: [exp_1]
---

# Roll back

Find the last good release.
`;

describe('parseSkillFile', () => {
  it('reads every field of the standard and of ours', () => {
    expect(skill(FULL)).toMatchObject({
      name: 'roll-back',
      form: 'document',
      description: 'Rolls a release back',
      version: '2.1.0',
      category: 'devops',
      tags: ['release', 'kubernetes'],
      needs: {
        platforms: ['macos', 'linux'],
        tools: ['terminal'],
        toolsets: ['web'],
        fallbackForTools: ['deploy'],
        fallbackForToolsets: [],
        variables: ['DEPLOY_TOKEN', 'KUBECONFIG'],
      },
      body: '# Roll back\n\nFind the last good release.',
      createdFrom: ['exp_1'],
    });
  });

  it.each([
    ['a byte order mark and Windows line ends', `\ufeff${FULL.replaceAll('\n', '\r\n')}`],
    ['blank lines first', `\n\n${FULL}`],
  ])('takes %s', (_, text) => {
    expect(skill(text)).toMatchObject({ name: 'roll-back', version: '2.1.0' });
  });

  it.each([
    [
      'an unquoted colon',
      'name: a\ndescription: Use when: a deploy fails # really: now',
      'Use when: a deploy fails',
    ],
    ['a backtick first', 'name: a\ndescription: `kubectl` for people', '`kubectl` for people'],
    ['an at sign first', 'name: a\ndescription: @mention someone', '@mention someone'],
    ['a tab', 'name: a\ndescription: Tabs\nmetadata:\n\thermes:\n\t\ttags: [x]', 'Tabs'],
    ['a line that is nothing', 'name: a\ndescription: Still: read\n%%% }{', 'Still: read'],
    ['a block', 'name: a\ndescription: >\n  Two\n  lines', 'Two lines'],
    ['a number', 'name: a\ndescription: 42', '42'],
  ])('mends %s', (_, front, description) => {
    expect(skill(`---\n${front}\n---\ntext`).description).toContain(description);
    expect(skill(`---\n${front}\n---\ntext`).name).toBe('a');
  });

  it('takes the name from the folder, and the description from the text', () => {
    expect(
      skill('# Some title\n\n```sh\nls\n```\n\nChecks the\nqueue.\n\nMore.', 'ops/check-queue/SKILL.md'),
    ).toMatchObject({
      name: 'check-queue',
      description: 'Checks the queue.',
      category: 'ops',
      version: '1.0.0',
    });
    expect(skill('# Some title', 'SKILL.md')).toMatchObject({ name: 'Some title', category: 'general' });
  });

  it('cuts what is too long', () => {
    const long = skill(`---\nname: ${'n'.repeat(90)}\ndescription: ${'d'.repeat(2_000)}\n---\nx`);
    expect([long.name.length, long.description.length]).toEqual([64, 1_024]);
  });

  it('is not slowed down by aliases that multiply', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let at = 1; at < 9; at++)
      bomb.push(
        `a${at}: &a${at} [${Array(9)
          .fill(`*a${at > 1 ? at - 1 : ''}`)
          .join()}]`,
      );
    expect(skill(`---\nname: a\n${bomb.join('\n')}\n---\nSays it.`).description).toBe('Says it.');
  });

  it('reads a workflow', () => {
    const text = `skill:
  name: check_queue
  version: "1.2"
  description: Looks at the queue
  trigger:
    keywords: [queue, 队列]
    cron: "*/5 * * * *"
  execution:
    steps:
      - name: look
        command: ls
`;
    expect(skill(text, 'check_queue.yaml')).toMatchObject({
      name: 'check_queue',
      form: 'workflow',
      version: '1.2',
      category: 'workflows',
      triggers: { keywords: ['queue', '队列'], cron: '*/5 * * * *' },
      body: text,
    });
  });

  it('says where a workflow is wrong', () => {
    const wrong = problem('skill:\n  name: a\n  versoin: "1"\n  execution:\n    steps: []\n', 'a.yaml');
    expect(wrong).toMatchObject({ line: 3, fix: expect.stringContaining('version') });
  });

  it('reads a bundle', () => {
    const bundle = skill(
      'bundle:\n  name: release-day\n  skills: [roll-back, check-queue]\n',
      'sets/release.yaml',
    );
    expect(bundle).toMatchObject({
      name: 'release-day',
      includes: ['roll-back', 'check-queue'],
      category: 'sets',
    });
  });

  it.each([
    ['nothing', ' \n'],
    ['bytes', 'a\0b'],
    ['too much', 'x'.repeat(1_048_577)],
  ])('refuses %s', (_, text) => {
    expect(problem(text)).toMatchObject({ root: 'home', path: 'devops/roll-back/SKILL.md' });
  });
});
