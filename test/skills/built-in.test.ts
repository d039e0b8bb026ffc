import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skillFiles } from '#adapters/store';
import { judgeCommand } from '#engines/gate';
import { judgeSkill, openSkillLibrary, parseSkillFile, validateWorkflow } from '#engines/skills';
import { localView } from '#app/terminal';
import type { Skill } from '#spec/data';
import type { SkillFile, Tool } from '#spec/ports';
import { builtInTools } from '../../src/host/tools/built-in-tools.ts';
import { openSkillPlace } from './skill-place.ts';

const ROOT = join(import.meta.dirname, '../..');
const files = skillFiles({ builtin: join(ROOT, 'skills'), home: join(ROOT, 'no-such-home') });

let all: readonly SkillFile[] = [];
let skills: readonly Skill[] = [];
let tools: ReadonlyMap<string, Tool> = new Map();

beforeAll(async () => {
  all = await files.scan();
  if (all.length === 0) throw new Error('there is no skill: every test below would pass');
  skills = all.flatMap((file) => {
    const parsed = parseSkillFile(file);
    return 'skill' in parsed ? [parsed.skill] : [];
  });
  const { host, cwd, close } = await openSkillPlace();
  const engines = await host.engineTools({ view: localView(), language: 'en', cwd });
  tools = new Map([...(await builtInTools()), ...engines].map((tool) => [tool.name, tool]));
  await close();
});

const SEED =
  `model_train model_deploy data_pipeline ci_setup container_deploy infra_provision docker_deploy code_review
refactor_suggest test_gen api_migration pr_review issue_triage release_manage github_digest paper_search arxiv_summarize
patent_lookup doc_generate api_spec changelog_write report_generate service_monitor ops_daily_report backup_check
memory_cleanup`.split(/\s+/);

describe('the built-in library', () => {
  it('has every skill that was promised, each under its own name', () => {
    const names = skills.map(({ name }) => name);
    expect(SEED.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(64);
  });

  it('loads without a problem and without leaving a file out', async () => {
    const library = openSkillLibrary({
      files,
      available: () => ({
        tools: new Set(tools.keys()),
        toolsets: new Set(),
        platform: 'linux',
        variables: new Set(),
      }),
    });
    expect(await library.problems()).toEqual([]);
    expect(await library.hidden()).toEqual([]);
    expect(files.leftOut()).toEqual([]);
    expect((await library.all()).length).toBe(all.length);
  });

  it('is judged safe, file by file', async () => {
    for (const { path, text, root } of all) {
      const beside = await Promise.all(
        (await files.beside(root, path)).map(async (name) => ({
          path: name,
          bytes: (await files.read(root, join(path, '..', name))) as Uint8Array,
        })),
      );
      const { verdict, findings } = judgeSkill([{ path, text }, ...beside]);
      expect({ path, verdict, findings }).toEqual({ path, verdict: 'safe', findings: [] });
    }
  });

  it('speaks both languages where it is chosen', () => {
    const han = /\p{Script=Han}/u;
    for (const { name, description, triggers } of skills) {
      const words = [description, ...triggers.keywords];
      expect({ name, chinese: words.some((word) => han.test(word)) }).toEqual({ name, chinese: true });
      expect({ name, english: triggers.keywords.some((word) => /^[\x20-\x7e]+$/.test(word)) }).toEqual({
        name,
        english: true,
      });
      expect(description.length).toBeLessThan(400);
    }
  });

  it('is described in docs/builtin-skills.md', async () => {
    const text = await readFile(join(ROOT, 'docs/builtin-skills.md'), 'utf8');
    const described = [...text.matchAll(/^\| `([\w-]+)`/gm)].map(([, name = '']) => name);
    expect(described.toSorted()).toEqual(skills.map(({ name }) => name).toSorted());
  });
});

describe('workflows of the library', () => {
  it('are valid with the tools that there are', async () => {
    for (const { path, text } of all.filter((file) => file.path.endsWith('.yaml'))) {
      const { problems, warnings } = await validateWorkflow(text, path, {
        names: [...tools.keys()],
        find: (name) => tools.get(name),
      });
      expect({ path, problems, warnings }).toEqual({ path, problems: [], warnings: [] });
    }
  });

  it('give each action only arguments that it knows', async () => {
    for (const { path, text } of all.filter((file) => file.path.endsWith('.yaml'))) {
      const { workflow } = await validateWorkflow(text, path, { names: [], find: () => undefined });
      const handlers = Object.values(workflow?.errorHandling ?? {}).flatMap(({ steps }) => steps);
      for (const { name, action, args } of [...(workflow?.steps ?? []), ...handlers]) {
        const schema = z.toJSONSchema((tools.get(action) as Tool).input, {
          io: 'input',
          unrepresentable: 'any',
        });
        if (schema.additionalProperties !== false) continue;
        const unknown = Object.keys(args).filter((key) => !Object.hasOwn(schema.properties ?? {}, key));
        expect({ path, name, unknown }).toEqual({ path, name, unknown: [] });
      }
    }
  });

  it('declare what they take, and say what each run gives', async () => {
    for (const { path, text } of all.filter((file) => file.path.endsWith('.yaml'))) {
      const { workflow } = await validateWorkflow(text, path, { names: [], find: () => undefined });
      expect({ path, declared: workflow?.arguments.length !== 0 }).toEqual({ path, declared: true });
      expect(workflow?.output.template, path).toMatch(/\{\{/);
      expect(workflow?.category, path).toBe(path.split('/')[0]);
    }
  });
});

describe('runbooks', () => {
  const documents = () => skills.filter(({ form }) => form === 'document');
  const blocks = (body: string, language: string) =>
    [...body.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].filter(([, kind]) => kind === language);

  it('have the four sections, in order', () => {
    expect(documents().length).toBeGreaterThanOrEqual(29);
    for (const { name, body } of documents()) {
      const sections = [...body.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
      expect({ name, sections }).toEqual({
        name,
        sections: ['When to use', 'Procedure', 'Pitfalls', 'Verification'],
      });
      expect(body, name).toMatch(/^\| cause \| supports it \| refutes it/m);
      expect(body, name).toMatch(/^Gated/m);
    }
  });

  it('have commands that a shell can read, none of which is forbidden', () => {
    for (const { name, body } of documents()) {
      const lines = blocks(body, 'bash').flatMap(([, , text = '']) => text.split('\n').filter(Boolean));
      expect(lines.length, name).toBeGreaterThan(3);
      for (const line of lines) {
        const { verdict, commands, reasons } = judgeCommand(line);
        expect({ name, line, verdict: verdict === 'deny' ? reasons : '' }).toMatchObject({ verdict: '' });
        expect({ name, line, commands: commands.length > 0 }).toMatchObject({ commands: true });
        expect(reasons.map(({ en }) => en).join(' '), line).not.toMatch(
          /cannot be (?:read|parsed|understood)/,
        );
      }
    }
  });

  it('take evidence with commands that change nothing', () => {
    const changing = documents().flatMap(({ name, body }) => {
      const [evidence = ''] = /^### 1\.[\s\S]*?(?=^### 2\.)/m.exec(body) ?? [];
      const lines = blocks(evidence, 'bash').flatMap(([, , text = '']) => text.split('\n').filter(Boolean));
      expect(lines.length, name).toBeGreaterThan(3);
      return lines.map((line) => ({ name, line, ...judgeCommand(line) }));
    });
    expect(changing.filter(({ level }) => level > 2)).toEqual([]);
  });

  it('name only tools, actions and skills that exist', () => {
    const known = new Set([...tools.keys(), ...skills.map(({ name }) => name)]);
    for (const { name, body, needs } of documents()) {
      const named = [
        ...needs.tools,
        ...[...body.matchAll(/`(\w+)` tool\b/g)].map(([, tool]) => tool),
        ...[...body.matchAll(/(?:action|workflow|skill|see) `([\w-]+)`/g)].map(([, tool]) => tool),
        ...[...body.matchAll(/`([a-z0-9]+(?:-[a-z0-9]+)+)`/g)].map(([, skill]) => skill),
      ];
      const strange = named.filter((one) => one && !known.has(one) && !NOT_OURS.has(one));
      expect({ name, strange }).toEqual({ name, strange: [] });
    }
  });
});

/** Words in code quotes that look like the name of a skill. */
const NOT_OURS = new Set(
  'payment-service argocd-controller kubectl-edit kubectl-patch start-limit-hit oom-kill max-size volatile-lfu'.split(
    ' ',
  ),
);
