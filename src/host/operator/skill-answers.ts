import type { OperatorPlan } from '#adapters/models';
import { explainWorkflow, parseWorkflow, type Workflow, type WorkflowPlan } from '#engines/skills';
import type { Language } from '#kit/language';
import type { Skill } from '#spec/data';
import { localView } from '#app/terminal';
import type { Host } from '../open-host.ts';
import { surroundingsOf } from '#app/skills';
import { builtInTools } from '../tools/built-in-tools.ts';
import { incidentToolsOf } from '#app/tools';
import { fillArguments } from './fill-arguments.ts';
import { operatorWords } from './operator-words.ts';

/**
 * How surely a skill is meant. With one of its own keywords in the message a skill needs to share little else with it;
 * without any it has to share much. These, and the figures below, were set by eye on some sixty sentences, among them some
 * that mean no skill; no set that was kept apart stands behind them. See docs/skills.md.
 */
const LEAST = { withKeyword: 0.13, without: 0.42 };
/** What a keyword counts when two are compared: a phrase names the fault, a single word often only the technology. */
const KEYWORD = 0.25;
const PHRASE = 0.4;
/** What it counts that the message names what the workflow takes: a file, a port, an address. */
const GIVEN = 0.15;
/** Two that are this near to each other both fit. */
const NEAR = 0.06;
/** Where the list is cut before keywords are looked at. */
const LOWEST = 0.02;
const MOST_MATCHES = 8;
const MOST_COMMANDS = 6;

interface Meant {
  readonly skill: Skill;
  readonly score: number;
  /** It was called by its name: whatever it does is wanted. */
  readonly named: boolean;
  /** A phrase that it lists stands in the message, or several of its words. */
  readonly plainly: boolean;
}

/** Undefined where skills cannot be opened: the conversation itself tells of it. */
const shelfOf = (host: Host) =>
  host.skills().catch((thrown: unknown) => {
    host.log.warn('part.failed', { part: 'skills', thrown });
    return undefined;
  });

/** The skills that a message means, best first; none where it means none. */
export async function meantSkills(host: Host, said: string): Promise<readonly Meant[]> {
  const shelf = await shelfOf(host);
  if (!shelf) return [];
  const { library, learning } = shelf;
  const found = await library.match(said, {
    limit: MOST_MATCHES,
    gate: LOWEST,
    ...(await surroundingsOf(process.cwd(), said)),
  });
  const offered = await learning.offer(found, { text: said, prefer: 'workflow' });
  // Of workflows only those that are offered: past tasks may speak against others. A runbook is read beside them.
  const demoted = new Set(await learning.demoted());
  const others = found.filter(
    ({ skill }) =>
      skill.form === 'document' &&
      !demoted.has(skill.name) &&
      !offered.some((one) => one.skill.name === skill.name),
  );
  const text = said.toLowerCase();
  // Words that stand everywhere find nothing by themselves; a phrase of a runbook that is made of them still names it.
  const seen = new Set([...offered, ...others].map(({ skill }) => skill.name));
  const phrased = (await library.all())
    .filter(({ name, form }) => form === 'document' && !seen.has(name) && !demoted.has(name))
    .filter(({ triggers }) => hitsIn(text, triggers.keywords).some(isPhrase))
    .map((skill) => ({ skill, score: LEAST.withKeyword }));
  const all = [...offered, ...others, ...phrased];
  const given = new Set<string>();
  for (const { skill } of all) if (await isGiven(skill, said)) given.add(skill.name);
  return all
    .flatMap(({ skill, score }): Meant[] => {
      const named = text.includes(skill.name.toLowerCase());
      const hits = hitsIn(text, skill.triggers.keywords);
      const fired = named || hits.length > 0;
      const phrase = hits.some(isPhrase);
      const plainly = hits.length > 1 || phrase || score >= LEAST.without;
      const counted =
        score +
        (fired ? (onlyTechnology(hits, skill.tags) && !named ? KEYWORD / 2 : KEYWORD) : 0) +
        (phrase ? PHRASE : 0) +
        (fired && given.has(skill.name) ? GIVEN : 0) +
        (named ? 1 : 0);
      return score >= (fired ? LEAST.withKeyword : LEAST.without) || named
        ? [{ skill, score: counted, named, plainly }]
        : [];
    })
    .toSorted((one, other) => other.score - one.score);
}

async function isGiven(skill: Skill, said: string): Promise<boolean> {
  if (skill.form !== 'workflow') return false;
  const parsed = parseWorkflow(skill.body, skill.path);
  return 'workflow' in parsed && Object.keys(fillArguments(parsed.workflow, said, '').args).length > 0;
}

/** Whether a workflow cannot start with what a message says. */
async function needsMore(host: Host, skill: Skill, said: string): Promise<boolean> {
  const parsed = parseWorkflow(await (await host.skills()).library.source(skill), skill.path);
  return !('workflow' in parsed) || fillArguments(parsed.workflow, said, process.cwd()).missing.length > 0;
}

/** Several words, or a name of a fault such as `CrashLoopBackOff`: it says what is wrong, not only with what. */
const isPhrase = (keyword: string): boolean =>
  /\S\s+\S|\p{Script=Han}{3}|[A-Za-z]{2}[A-Z][a-z]/u.test(keyword);

/** The words of a phrase may stand apart: `the certificate of our site expired`. */
function hitsIn(text: string, keywords: readonly string[]): string[] {
  return keywords.filter((keyword) =>
    keyword
      .toLowerCase()
      .split(/\s+/)
      .every((word) => hasWord(text, word)),
  );
}

/** `postgres` is what a runbook is about; what is wrong with it, other words say. */
const onlyTechnology = (hits: readonly string[], tags: readonly string[]): boolean =>
  hits.every((hit) => tags.includes(hit.toLowerCase()));

/** Chinese has no spaces between words; elsewhere a keyword is no part of a longer word. */
function hasWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  if (at < 0 || word === '') return false;
  const isLetter = (character = '') => /[a-z0-9]/.test(character);
  return /\p{Script=Han}/u.test(word) || (!isLetter(text[at - 1]) && !isLetter(text[at + word.length]));
}

/** Whether a single word names a kind of thing that skills are about, such as `postgres`: then it is no service. */
export async function technologyWords(host: Host): Promise<(word: string) => boolean> {
  const shelf = await shelfOf(host);
  const skills = (await shelf?.library.all()) ?? [];
  const words = new Set(
    skills
      .filter(({ form }) => form === 'document')
      .flatMap(({ tags }) => tags.flatMap((each) => each.toLowerCase().split(/[\s_-]+/))),
  );
  return (word) => words.has(word.toLowerCase());
}

/** Starts the workflow that fits, shows what it lacks, or shows the runbook with its first read-only step. */
export async function skillPlan(
  host: Host,
  said: string,
  language: Language,
  /** It is asked to be done: what the workflow changes is asked about step by step. */
  wanted = false,
): Promise<OperatorPlan | undefined> {
  const meant = await meantSkills(host, said);
  const [first] = meant;
  if (!first) return undefined;
  const workflow = meant.find(
    ({ skill, score }) => skill.form === 'workflow' && score >= first.score - 3 * NEAR,
  );
  const runbook = meant.find(
    ({ skill, score }) => skill.form === 'document' && score >= first.score - 3 * NEAR,
  );
  if (!workflow) return runbook && { before: await runbookText(host, runbook.skill, language) };
  const rivals = meant.filter(
    ({ skill, score }) => skill.form === 'workflow' && !workflow.named && score >= workflow.score - NEAR,
  );
  const pointer = runbook ? operatorWords(language).alsoRunbook(runbook.skill.name) : '';
  if (rivals.length > 1)
    return { before: twoFitText(rivals, language), ...(pointer ? { after: pointer } : {}) };
  const lacks = runbook && runbook.score >= workflow.score - NEAR && !(await isGiven(workflow.skill, said));
  if (lacks && !workflow.named && (await needsMore(host, workflow.skill, said))) {
    const text = await runbookText(host, runbook.skill, language);
    return { before: text, after: operatorWords(language).alsoWorkflow(workflow.skill.name) };
  }
  const plan = await workflowPlan(host, workflow, said, { language, wanted });
  return plan && { ...plan, after: [plan.after, pointer].filter(Boolean).join('\n\n') };
}

function twoFitText(rivals: readonly Meant[], language: Language): string {
  const lines = rivals.map(
    ({ skill }) => `- \`run ${skill.name}\`: ${inLanguage(skill.description, language)}`,
  );
  return [operatorWords(language).twoFit, ...lines].join('\n');
}

async function workflowPlan(
  host: Host,
  { skill, named, plainly }: Meant,
  said: string,
  { language, wanted }: { readonly language: Language; readonly wanted: boolean },
): Promise<OperatorPlan | undefined> {
  const words = operatorWords(language);
  const { library } = await host.skills();
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
  const plan = await explained(host, workflow, args);
  const run = { name: 'skill_run', input: { name: skill.name, args } };
  // A step whose level cannot be told beforehand does not count as one that reads.
  const reads = plan.steps.every(({ level }) => level !== undefined && level <= 1);
  const starts = named || (wanted && plainly) || reads;
  if (starts)
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
  host: Host,
  workflow: Workflow,
  args: Readonly<Record<string, unknown>>,
): Promise<WorkflowPlan> {
  const tools = [
    ...(await builtInTools()),
    ...(await incidentToolsOf(host)),
    ...(await host.engineTools({ view: localView(), language: 'en', cwd: process.cwd() })),
  ];
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return explainWorkflow(workflow, args, {
    tools: { find: (name) => known.get(name), names: [...known.keys()] },
  });
}

/** A runbook: what it is for, and the first commands of it, which only look. */
export async function runbookText(host: Host, skill: Skill, language: Language): Promise<string> {
  const words = operatorWords(language);
  const { library } = await host.skills();
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
  return language === 'zh' ? text.slice(at).trim() : text.slice(0, at).trim();
}
