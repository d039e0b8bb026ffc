import type { CommandJudgement } from './judgement.ts';
import { type Grammar, knowledgeOf, optionsOf } from './grammar.ts';
import { PROGRAMS } from './programs/index.ts';
import { TAKES_TEXT } from './simple-command.ts';

const OFTEN_VALUED = ['text', 'reads', 'writes', 'data', 'inside'] as const;

/** A command for every option of every program and sub-command that is known by a grammar. */
export function sampleCommands(): readonly string[] {
  return Object.entries(PROGRAMS).flatMap(([name, program]) => {
    const knowledge = knowledgeOf(program);
    if (!knowledge) return [];
    const own = knowledge.grammar ? withOptions(name, knowledge.grammar) : [];
    const verbs = Object.entries(knowledge.verbs ?? {})
      .filter(([, { does }]) => does !== 'asks')
      .flatMap(([verb, { grammar }]) => withOptions(`${name} ${verb.replaceAll('*', 'x')}`, grammar ?? {}));
    return [...own, ...verbs];
  });
}

function withOptions(start: string, grammar: Grammar): string[] {
  const { byKind } = optionsOf(grammar);
  const joint = grammar.style === 'word' ? '=' : ' ';
  return [
    start,
    ...byKind.flags.map((option) => `${start} ${option}`),
    ...OFTEN_VALUED.flatMap((kind) => byKind[kind].map((option) => `${start} ${option}${joint}x`)),
    ...byKind.glued.map((option) => `${start} ${option}${option.startsWith('--') ? '=' : ''}x`),
  ];
}

/** What may be added to a command that is allowed, and must not leave it allowed. */
const WORDS = ['--zz-not-known', '--zz-not-known=x', '-^', '@/etc/hosts'];
const ASSIGNMENT = 'ZZ_NOT_KNOWN=x';
/** Ways to take back that something is only tried. */
const TAKEN_BACK = [
  '--no-dry-run',
  '--dry-run=none',
  '--dry-run=false',
  '--no-dryrun',
  '--dryrun=false',
  '--no-check',
];
const TRIES = /\s--(?:dry-?run|check|simulate)(?:=\S*)?(?=\s|$)/g;

/** Signs that only a shell reads: a word behind them would belong to another command. */
const MORE_THAN_ONE = /[|;&<>`\n#]|\$\(|(?:^|\s)--(?:\s|$)/;

export interface Fuzzed {
  readonly tried: number;
  /** Commands that stayed allowed with something in them that nobody knows. */
  readonly survivors: readonly string[];
}

/** Adds what is not known to every command that is allowed, and takes back that it only tries. */
export function fuzz(commands: readonly string[], judge: (command: string) => CommandJudgement): Fuzzed {
  const isAllowed = (command: string): boolean => judge(command).verdict === 'allow';
  let tried = 0;
  const survivors: string[] = [];
  const attempt = (mutant: string) => {
    tried++;
    if (isAllowed(mutant)) survivors.push(mutant);
  };
  for (const command of commands) {
    if (MORE_THAN_ONE.test(command) || TAKES_TEXT.has(command.split(' ')[0] ?? '')) continue;
    const judged = judge(command);
    if (judged.verdict !== 'allow') continue;
    attempt(`${ASSIGNMENT} ${command}`);
    // Words behind a script, or behind code, are its own; so are those of a command that only prints them.
    const text = TAKES_TEXT.has(judged.commands.at(-1)?.[0] ?? '');
    if (!judged.runsCode && !text) for (const word of WORDS) attempt(`${command} ${word}`);
    const meant = command.replace(TRIES, '');
    if (meant !== command && !isAllowed(meant)) for (const word of TAKEN_BACK) attempt(`${command} ${word}`);
  }
  return { tried, survivors };
}
