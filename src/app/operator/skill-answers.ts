import type { OperatorPlan } from '#spec/ports';
import { explainWorkflow, parseWorkflow, type Workflow, type WorkflowPlan } from '#engines/skills';
import type { Language } from '#kit/language';
import type { Skill } from '#spec/data';
import { localView } from '../terminal/index.ts';
import type { OperatorHome } from './operator-home.ts';
import { incidentToolsOf } from '../tools/index.ts';
import { fillArguments } from './fill-arguments.ts';
import { operatorWords } from './operator-words.ts';

/** Undefined where skills cannot be opened: the conversation itself tells of it. */
export const shelfOf = (home: OperatorHome) =>
  home.skills().catch((thrown: unknown) => {
    home.log.warn('part.failed', { part: 'skills', thrown });
    return undefined;
  });

const MOST_COMMANDS = 6;
const QUESTION = /[?？]\s*$|(?:吗|呢|么)[\s。.!！]*$|怎么|如何|\bhow\b/i;

/** Whether a single word names a kind of thing that skills are about, such as `postgres`: then it is no service. */
export async function technologyWords(home: OperatorHome): Promise<(word: string) => boolean> {
  const shelf = await shelfOf(home);
  const skills = (await shelf?.library.all()) ?? [];
  const words = new Set(
    skills
      .filter(({ form }) => form === 'document')
      .flatMap(({ tags }) => tags.flatMap((each) => each.toLowerCase().split(/[\s_-]+/))),
  );
  return (word) => words.has(word.toLowerCase());
}

/** A skill that stands in a message by its name: whatever it does is wanted. */
export async function namedSkill(
  home: OperatorHome,
  said: string,
  language: Language,
): Promise<OperatorPlan | undefined> {
  const shelf = await shelfOf(home);
  const text = said.toLowerCase();
  const named = ((await shelf?.library.all()) ?? []).filter(({ name }) => text.includes(name.toLowerCase()));
  const [skill] = named.toSorted((one, other) => other.name.length - one.name.length);
  return skill && planFor(home, skill, { said, language, asked: true });
}

/** Starts a workflow, shows what it lacks, or shows a runbook with its first read-only step. */
export async function planOfSkill(
  home: OperatorHome,
  name: string,
  { said, language, sure }: Pick<Wanted, 'said' | 'language'> & { readonly sure: boolean },
): Promise<OperatorPlan | undefined> {
  const shelf = await shelfOf(home);
  const skill = (await shelf?.library.all())?.find((one) => one.name === name);
  // Past tasks may speak against a skill.
  const demoted = skill && (await shelf?.learning.demoted())?.includes(name);
  return skill && !demoted
    ? planFor(home, skill, { said, language, asked: sure && !QUESTION.test(said) })
    : undefined;
}

interface Wanted {
  readonly said: string;
  readonly language: Language;
  /** Plainly asked to run: what it changes is asked about step by step. */
  readonly asked: boolean;
}

const planFor = async (
  home: OperatorHome,
  skill: Skill,
  wanted: Wanted,
): Promise<OperatorPlan | undefined> =>
  skill.form === 'workflow'
    ? workflowPlan(home, skill, wanted)
    : { before: await runbookText(home, skill, wanted.language) };

async function workflowPlan(
  home: OperatorHome,
  skill: Skill,
  { said, language, asked }: Wanted,
): Promise<OperatorPlan | undefined> {
  const words = operatorWords(language);
  const { library } = await home.skills();
  const parsed = parseWorkflow(await library.source(skill), skill.path, language);
  if ('problems' in parsed) return undefined;
  const { workflow } = parsed;
  const { args, missing } = fillArguments(workflow, said, process.cwd());
  const head = words.workflow(skill.name, inLanguage(skill.description, language));
  if (missing.length > 0) {
    const needed = missing.map(
      ({ name, description = '', type = 'string' }) => `- \`${name}\` (${type}) ${description}`,
    );
    return {
      before: [head, '', words.needs, ...needed, '', words.startIt, runLine(workflow, args)].join('\n'),
    };
  }
  const plan = await explained(home, workflow, args);
  const run = { name: 'skill_run', input: { name: skill.name, args } };
  // A step whose level cannot be told beforehand does not count as one that reads.
  const reads = plan.steps.every(({ level }) => level !== undefined && level <= 1);
  if (asked || reads)
    return {
      before: words.ran(skill.name, inLanguage(skill.description, language)),
      calls: [run],
      show: ([result]) =>
        result?.failed
          ? [words.notDone(whyNot(result.text)), '', words.again(runLine(workflow, args))].join('\n')
          : (result?.text ?? ''),
    };
  const steps = plan.steps.map(({ name, action }, at) => `${at + 1}. ${name} (\`${action}\`)`);
  return {
    before: [head, '', words.changes, ...steps, '', words.startIt, runLine(workflow, args)].join('\n'),
  };
}

/** The reason alone: a run that failed says its name and the kind of failure before it, and its steps behind it. */
const whyNot = (text: string): string =>
  (text.split('\n', 1)[0] ?? text).replace(
    /^\*\*.*?\*\*\s*[(（][^)）]*[)）][:：]\s*(?:(?:This does not hold|条件不满足)[:：]\s*)?/,
    '',
  );

/** The command that starts a workflow, with what is known filled in and an example of what is not. */
function runLine(workflow: Workflow, args: Readonly<Record<string, unknown>>): string {
  const given = workflow.arguments
    .filter(({ name, required }) => required || name in args)
    .map(({ name, type }) => {
      const value = args[name] ?? (type === 'array' ? exampleOf(name) : type === 'number' ? 1 : '…');
      return `--arg ${name}='${typeof value === 'string' ? value : JSON.stringify(value)}'`;
    });
  return `\`hermes skill run ${[workflow.name, ...given].join(' ')}\``;
}

const exampleOf = (name: string): unknown =>
  /endpoint|url/i.test(name)
    ? [{ name: 'shop', url: 'https://shop.example/health' }]
    : /host/i.test(name)
      ? ['shop.example']
      : ['…'];

async function explained(
  home: OperatorHome,
  workflow: Workflow,
  args: Readonly<Record<string, unknown>>,
): Promise<WorkflowPlan> {
  const tools = [
    ...(await home.builtInTools()),
    ...(await incidentToolsOf(home)),
    ...(await home.engineTools({ view: localView(), language: 'en', cwd: process.cwd() })),
  ];
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return explainWorkflow(workflow, args, {
    tools: { find: (name) => known.get(name), names: [...known.keys()] },
  });
}

/** A runbook: what it is for, and the first commands of it, which only look. */
export async function runbookText(home: OperatorHome, skill: Skill, language: Language): Promise<string> {
  const words = operatorWords(language);
  const { library } = await home.skills();
  const commands = firstCommands(await library.source(skill));
  const open = commands.some((line) => /\$\{?[A-Z_a-z]|<[a-z]/.test(line));
  return [
    words.runbook(skill.name, inLanguage(skill.description, language)),
    ...(commands.length ? ['', words.firstLook, '', '```bash', ...commands, '```'] : []),
    ...(open ? [words.fillIn] : []),
    '',
    words.whole(skill.name),
  ].join('\n');
}

/** The first block of commands: runbooks begin with evidence. */
function firstCommands(source: string): string[] {
  const block = /^```(?:bash|sh|shell|console)\n(?<body>[\s\S]*?)^```/m.exec(source)?.groups?.['body'] ?? '';
  return block
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MOST_COMMANDS);
}

/** Descriptions are written in both languages, English first. */
function inLanguage(description: string, language: Language): string {
  const text = description.replace(/\s+/g, ' ').trim();
  const at = text.search(/(?<=[.。] ?)[^.。]*\p{Script=Han}/u);
  if (at <= 0) return text;
  return { en: text.slice(0, at), zh: text.slice(at) }[language].trim();
}
