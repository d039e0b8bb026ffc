import type { OperatorPlan } from '#spec/ports';
import { readReport } from '#engines/aiops';
import { explainWorkflow, parseWorkflow, type Workflow, type WorkflowPlan } from '#engines/skills';
import { isStopTerm } from '#engines/retrieval';
import type { Language } from '#kit/language';
import type { Skill } from '#spec/data';
import { localView } from '../terminal/index.ts';
import type { OperatorHome } from './operator-home.ts';
import { incidentToolsOf } from '../tools/index.ts';
import { asks, forbids, requests } from './mood.ts';
import { telemetryFromOutside } from './incident-answers.ts';
import { fillArguments } from './fill-arguments.ts';
import { operatorWords } from './operator-words.ts';

/** Undefined where skills cannot be opened: the conversation itself tells of it. */
export const shelfOf = (home: OperatorHome) =>
  home.skills().catch((thrown: unknown) => {
    home.log.warn('part.failed', { part: 'skills', thrown });
    return undefined;
  });

const MOST_COMMANDS = 6;

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
  const named = ((await shelf?.library.all()) ?? []).filter(({ name }) => isCalled(text, name.toLowerCase()));
  const [skill] = named.toSorted((one, other) => other.name.length - one.name.length);
  if (!skill) return undefined;
  // Whoever says not to run it, or asks what it does, wants to know it.
  const asked = !forbids(said) && (!asks(said) || requests(said));
  return planFor(home, skill, { said, language, asked, told: !asked });
}

/** Whole, not as a part of a longer name; a name that is a plain word has to be called a skill. */
function isCalled(text: string, name: string): boolean {
  const form = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return (
    new RegExp(`(?<![a-z0-9_-])${form}(?![a-z0-9_-])`).test(text) &&
    (/[_-]/.test(name) ||
      /skill|workflow|runbook|技能|工作流|手册/.test(text) ||
      /^(?:run|start|运行|跑|执行)/.test(text))
  );
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
    ? planFor(home, skill, { said, language, asked: sure && !asks(said) && !forbids(said) })
    : undefined;
}

interface Wanted {
  readonly said: string;
  readonly language: Language;
  /** Plainly asked to run: what it changes is asked about step by step. */
  readonly asked: boolean;
  /** What it does is to be told, and nothing run. */
  readonly told?: boolean;
}

const planFor = async (
  home: OperatorHome,
  skill: Skill,
  wanted: Wanted,
): Promise<OperatorPlan | undefined> =>
  skill.form === 'workflow'
    ? workflowPlan(home, skill, wanted)
    : { before: await runbookText(home, skill, wanted), after: await nothingConnected(home, wanted) };

async function workflowPlan(
  home: OperatorHome,
  skill: Skill,
  { said, language, asked, told = false }: Wanted,
): Promise<OperatorPlan | undefined> {
  const words = operatorWords(language);
  const { library } = await home.skills();
  const parsed = parseWorkflow(await library.source(skill), skill.path, language);
  if ('problems' in parsed) return undefined;
  const { workflow } = parsed;
  const { args, missing } = fillArguments(workflow, said, process.cwd());
  const head = words.workflow(skill.name, inLanguage(skill.description, language));
  if (missing.length > 0 && !told) {
    const needed = missing.map(
      ({ name, description = '', type = 'string' }) => `- \`${name}\` (${type}) ${description}`,
    );
    return {
      before: [head, '', words.needs, ...needed, '', words.startIt, runLine(workflow, args)].join('\n'),
    };
  }
  const plan = await explained(home, workflow, args);
  const steps = plan.steps.map(({ name, action }, at) => `${at + 1}. ${name} (\`${action}\`)`);
  if (told)
    return {
      before: [head, '', words.wouldDo, ...steps, '', words.startIt, runLine(workflow, args)].join('\n'),
      after: words.explain(skill.name),
    };
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
          : [result?.text ?? '', '', words.again(runLine(workflow, args))].join('\n'),
    };
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

/** The command that runs a workflow by itself, for a timer; undefined where something has to be said first. */
export async function commandOfSkill(
  home: OperatorHome,
  name: string,
  said: string,
): Promise<string | undefined> {
  const { library } = await home.skills();
  const skill = (await library.all()).find((one) => one.name === name);
  if (skill?.form !== 'workflow') return undefined;
  const parsed = parseWorkflow(await library.source(skill), skill.path, 'en');
  if ('problems' in parsed) return undefined;
  const { args } = fillArguments(parsed.workflow, said, process.cwd());
  return runLine(parsed.workflow, args).replaceAll('`', '');
}

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

/** A runbook: what it is for, and the first commands of it, which only look, with what the message names filled in. */
export async function runbookText(
  home: OperatorHome,
  skill: Skill,
  { said, language }: Pick<Wanted, 'said' | 'language'>,
): Promise<string> {
  const words = operatorWords(language);
  const { library } = await home.skills();
  const commands = firstCommands(await library.source(skill), said);
  const filled = fillVariables(commands, said);
  const open = [...new Set(filled.flatMap((line) => line.match(VARIABLE) ?? []))];
  const here = home.toolPlace(false);
  const absent = programsOf(commands).filter((program) => here.program(program) === undefined);
  return [
    words.runbook(skill.name, inLanguage(skill.description, language)),
    ...(filled.length ? ['', words.firstLook, '', '```bash', ...filled, '```'] : []),
    ...(open.length ? [words.fillIn(open.map((name) => name.replaceAll('"', '')).join(', '))] : []),
    ...(absent.length ? [words.notHere(absent.join(', '))] : []),
    '',
    words.whole(skill.name),
  ].join('\n');
}

/** That no cause can be told where nothing is connected, to whoever tells of trouble; and how it is kept. */
async function nothingConnected(
  home: OperatorHome,
  { said, language }: Pick<Wanted, 'said' | 'language'>,
): Promise<string> {
  const report = readReport(said);
  if (report ? report.mood === 'means' || report.mood === 'past' : asks(said)) return '';
  const { backends } = await home.incidents();
  const connected = telemetryFromOutside(backends).length > 0;
  const words = operatorWords(language);
  const keep = words.keepAsIncident(said.replaceAll(/[\s"`]+/g, ' ').trim());
  return connected ? keep : [words.nothingConnected, keep].join('\n');
}

const VARIABLE = /"?\$\{?[A-Z][A-Z_0-9]*\}?"?|<[a-z][\w -]*>/g;

/** The commands of the first step: runbooks begin with evidence. What is for something that the message names comes first. */
function firstCommands(source: string, said: string): string[] {
  const [evidence = ''] = source.split(/^### 2\b/m);
  const blocks = evidence.matchAll(/^```(?:bash|sh|shell|console)\n(?<body>[\s\S]*?)^```/gm);
  const lines = [...blocks]
    .flatMap(({ groups }) => groups?.['body']?.split('\n') ?? [])
    .filter((line) => line.trim() !== '');
  const text = said.toLowerCase();
  const isNamed = (line: string): boolean => {
    const program = line.split(/[\s-]/, 1)[0] ?? '';
    return program.length > 2 && text.includes(program.toLowerCase());
  };
  return [...lines.filter(isNamed), ...lines.filter((line) => !isNamed(line))].slice(0, MOST_COMMANDS);
}

const programsOf = (commands: readonly string[]): string[] => [
  ...new Set(
    commands.map((line) => line.split(/\s/, 1)[0] ?? '').filter((word) => /^[a-z][\w.-]*$/.test(word)),
  ),
];

/** How people call what a variable of a runbook stands for; a plain word is a name only behind the first three. */
const SPOKEN: Readonly<Record<string, string>> = {
  NS: 'namespace|ns|命名空间',
  GROUP: 'consumer group|group|消费者?组',
  TOPIC: 'topic|主题',
  POD: 'pod',
  NODE: 'node|节点',
  CONSUMER: 'consumer|消费者',
  HOST: 'host|server|主机',
  DOMAIN: 'domain|域名',
  NAME: 'resolve|resolving|解析',
  POLICY: 'policy|clusterpolicy|策略',
  APP: 'app|application|应用',
};
const PLAIN_NAMES = ['NS', 'GROUP', 'TOPIC'];

/** `namespace shop` gives `$NS` its value: the name that stands right behind what the variable is called. */
const fillVariables = (commands: readonly string[], said: string): string[] =>
  commands.map((line) =>
    line.replaceAll(
      /\$\{?(?<name>[A-Z][A-Z_0-9]*)\}?/g,
      (whole, name: string) => valueOf(name, said) ?? whole,
    ),
  );

function valueOf(variable: string, said: string): string | undefined {
  const spoken = SPOKEN[variable] ?? variable.toLowerCase();
  const form = `(?<![\\w-])(?:${spoken})[\\s:=]*["'\`]?(?<value>[a-z0-9][\\w./-]*\\w)`;
  const value = new RegExp(form, 'i').exec(said)?.groups?.['value'];
  // A name has something in it that words have not.
  const isName = value !== undefined && /[-_.\d/]/.test(value);
  return isName || (PLAIN_NAMES.includes(variable) && value && !isStopTerm(value)) ? value : undefined;
}

/** Descriptions are written in both languages, English first. */
export function inLanguage(description: string, language: Language): string {
  const text = description.replace(/\s+/g, ' ').trim();
  const at = text.search(/(?<=[.。] ?)[^.。]*\p{Script=Han}/u);
  if (at <= 0) return text;
  return { en: text.slice(0, at), zh: text.slice(at) }[language].trim();
}
