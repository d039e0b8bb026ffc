import { describe, expect, it } from 'vitest';
import { estimateTokens } from '#kit/estimate-tokens';
import type { SkillUse } from '#spec/data';
import { HERE, sampleFiles, sampleLibrary, sampleText } from '#support/engines/skills/sample-library';
import { openSkillLibrary } from './open-skill-library.ts';

const names = (skills: readonly { readonly name: string }[]) => skills.map(({ name }) => name);

const use = (skill: string): SkillUse => ({
  id: skill,
  skill,
  version: '1',
  experience: 'e',
  success: true,
  followed: true,
  calls: 1,
  tokens: 1,
  durationMs: 1,
  at: 1,
});

describe('openSkillLibrary', () => {
  it('takes of one name the skill of the nearest root, and tells of the others', async () => {
    const library = sampleLibrary({
      'builtin:a/check/SKILL.md': sampleText('check', 'ours'),
      'home:check/SKILL.md': sampleText('check', 'mine'),
      'plugin:check/SKILL.md': sampleText('check', 'theirs'),
      'builtin:b/other/SKILL.md': sampleText('other', 'ours'),
      'home:.archive/old/SKILL.md': sampleText('old', 'put away'),
    });
    expect((await library.all()).map(({ name, description }) => [name, description])).toEqual([
      ['check', 'mine'],
      ['other', 'ours'],
    ]);
    expect((await library.shadowed()).map(({ skill, by }) => [skill.root, by.root])).toEqual([
      ['plugin', 'home'],
      ['builtin', 'home'],
    ]);
  });

  it('hides what is of no use here, and says why', async () => {
    const front = (name: string, more: string) => `---\nname: ${name}\ndescription: d\n${more}\n---\ntext`;
    const library = sampleLibrary(
      {
        'home:a/SKILL.md': front('a', 'platforms: [darwin]'),
        'home:b/SKILL.md': front('b', 'metadata: {hermes: {requires_tools: [terminal, browser]}}'),
        'home:c/SKILL.md': front('c', 'metadata: {hermes: {fallback_for_toolsets: [shell]}}'),
        'home:d/SKILL.md': front('d', 'metadata: {hermes: {requires_toolsets: [web]}}'),
        'home:e/SKILL.md': front('e', ''),
        'home:f/SKILL.md': front('f', 'required_environment_variables: [TOKEN]'),
      },
      { available: () => ({ ...HERE, disabled: new Set(['e']) }) },
    );
    expect(names(await library.offered())).toEqual(['f']);
    expect((await library.hidden()).map(({ skill, reasons }) => [skill.name, ...reasons])).toEqual([
      ['a', { kind: 'platform', wanted: ['macos'] }],
      ['b', { kind: 'tools', missing: ['browser'] }],
      ['c', { kind: 'not_needed', there: ['shell'] }],
      ['d', { kind: 'toolsets', missing: ['web'] }],
      ['e', { kind: 'disabled' }],
    ]);
    expect((await library.view('f')).unset).toEqual(['TOKEN']);
    expect(await library.match('text about nothing of this', { limit: 3 })).toEqual([]);
  });

  it('shows a skill and what lies beside it, never what does not', async () => {
    const library = sampleLibrary(
      {
        'home:ops/check/SKILL.md': sampleText('check', 'd', 'Run ${HERMES_SKILL_DIR}/scripts/a.sh'),
        'home:ops/check/references/api.md': 'the api',
        'home:ops/secret.md': 'secret',
      },
      { folderOf: ({ path }) => `/skills/${path.replace('/SKILL.md', '')}` },
    );
    const view = await library.view('check');
    expect(view.text).toBe('Run /skills/ops/check/scripts/a.sh');
    expect(view.files).toEqual(['references/api.md']);
    expect((await library.view('check', 'references/api.md')).text).toBe('the api');
    await expect(library.view('check', '../secret.md')).rejects.toThrow("no file '../secret.md'");
    await expect(library.view('chekc')).rejects.toMatchObject({ record: { hint: "Did you mean 'check'?" } });
  });

  it('bounds what it shows', async () => {
    const library = sampleLibrary({ 'home:big/SKILL.md': sampleText('big', 'd', 'x'.repeat(300_000)) });
    expect((await library.view('big')).text.length).toBeLessThanOrEqual(100_000);
  });

  it('sees changes, and reads only then', async () => {
    const files = sampleFiles({ 'home:a/SKILL.md': sampleText('a', 'about zebras') });
    let time = 0;
    const library = openSkillLibrary({ files, available: () => HERE, now: () => time, freshMs: 1_000 });
    expect(await library.search('zebras', 1)).toHaveLength(1);
    await files.write([{ path: 'a/SKILL.md', text: sampleText('a', 'about lions') }]);
    await library.search('zebras', 1);
    expect(files.scans).toBe(1);
    time = 2_000;
    expect(await library.search('zebras', 1)).toEqual([]);
    expect(await library.search('lions', 1)).toHaveLength(1);
    await files.write([{ path: 'a/SKILL.md', text: undefined }]);
    library.refresh();
    expect(await library.search('lions', 1)).toEqual([]);
  });

  it('gives skills as commands, and bundles with all that they load', async () => {
    const library = sampleLibrary({
      'home:a/SKILL.md': sampleText('Check Queue', 'Looks at it', 'Step one'),
      'home:b/SKILL.md': sampleText('roll-back', 'Takes it back', 'Step two'),
      'home:day.yaml': 'bundle:\n  name: release-day\n  skills: [Check Queue, roll-back]\n',
      'home:bad.yaml': 'bundle:\n  name: bad\n  skills: [gone]\n',
    });
    expect((await library.commands()).map(({ name }) => name)).toEqual([
      'check-queue',
      'bad',
      'release-day',
      'roll-back',
    ]);
    expect(await library.invoke('check-queue', ' payments ')).toMatch(/Step one[\s\S]*The request: payments/);
    expect(await library.invoke('release-day', '')).toMatch(/Step one[\s\S]*Step two/);
    await expect(library.invoke('bad', '')).rejects.toThrow("no skill 'gone'");
    expect(await library.invoke('nothing', '')).toBeUndefined();
  });

  it('keeps the index for the prompt small, with what is used most', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [
        `builtin:category-${at % 40}/skill-${at}/SKILL.md`,
        sampleText(`skill-${at}`, `Does thing number ${at} in a long and winding way that nobody will read`),
      ]),
    );
    const history = { uses: async () => [use('skill-1777'), use('skill-1777'), use('skill-3')] };
    const library = sampleLibrary(many, { history });
    const index = await library.promptIndex();
    expect(estimateTokens(index)).toBeLessThanOrEqual(600);
    expect(estimateTokens(index)).toBeGreaterThan(450);
    expect(index).toContain('2000 skills');
    expect(index).toContain('skills_list');
    expect(index).toContain('- skill-1777: Does thing number 1777');
    expect(index).toContain('- skill-3:');
    expect(await library.promptIndex()).toBe(index);
    expect(await sampleLibrary({}).promptIndex()).toBe('');
  });

  it('shows a small library whole', async () => {
    const index = await sampleLibrary({
      'home:ops/a/SKILL.md': sampleText('a', 'x'.repeat(90)),
      'home:z/SKILL.md': sampleText('z', 'short'),
    }).promptIndex();
    expect(index.split('\n').slice(1)).toEqual(['general:', '- z: short', 'ops:', `- a: ${'x'.repeat(59)}…`]);
  });
});
