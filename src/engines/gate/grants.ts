import type { Approval } from '#spec/data';
import type { Assessment, Concern } from './assess.ts';
import type { GatePolicy } from './gate-policy.ts';
import type { Judgement } from './judgement.ts';
import { plainCommands } from './plain-commands.ts';
import { objectionTo } from './who-may-agree.ts';

const COMMAND_CONCERNS: ReadonlySet<Concern['kind']> = new Set(['judge', 'level', 'policy', 'bare']);
const CALL_CONCERNS: ReadonlySet<Concern['kind']> = new Set(['level', 'policy', 'code', 'confirm']);

type Words = readonly string[];

/** What a grant for longer than one call would name; undefined when there can be no such grant. */
export function offeredPrefix(found: Assessment): string[] | undefined {
  const { action, callDigest, concerns } = found;
  if (!action.command) {
    return concerns.every(({ kind }) => CALL_CONCERNS.has(kind)) ? [action.tool, callDigest] : undefined;
  }
  const commands = grantableCommands(found);
  const [first] = plainCommands(action.command.text) ?? [];
  return first && commands?.every((words) => startsWith(words, first)) ? first : undefined;
}

/** Part of what was offered, as somebody wants to have it granted. A program alone is too little to name. */
export function narrowedPrefix(offered: Words, wanted: Words | undefined): string[] | undefined {
  if (wanted === undefined) return [...offered];
  const enough = wanted.length >= Math.min(2, offered.length);
  return enough && startsWith(offered, wanted) ? [...wanted] : undefined;
}

/** What lets an asking call through without asking again: the policy, or a grant by its id. */
export function coveredBy(
  found: Assessment,
  policy: GatePolicy,
  given: readonly Approval[],
): 'policy' | { readonly grant: string } | undefined {
  const { action, requester, rule } = found;
  const separate = rule.separateApprover;
  const standing = given.filter(({ decidedBy }) => !objectionTo(decidedBy, requester, separate, policy));
  if (!action.command) {
    const offered = offeredPrefix(found);
    const grant = offered && standing.find(({ scope }) => equalWords(prefixOf(scope), offered));
    return grant && { grant: grant.id };
  }
  const commands = grantableCommands(found);
  if (!commands) return undefined;
  // Where a second person has to agree, a list that nobody agreed to does not speak for one.
  const allowed = (separate ? [] : policy.allow).flatMap((line) => plainCommands(line) ?? []);
  const grants = standing.filter((grant) => isForCommand(grant, found));
  // A flag more makes a sensitive command another one: those are covered word for word.
  const matches = action.level === 3 ? equalWords : startsWith;
  const covers = commands.map((words): Cover | undefined => {
    const listed = allowed.find((prefix) => matches(words, prefix));
    if (listed) return { words, prefix: listed };
    const grant = grants.find(({ scope }) => isGranted(words, prefixOf(scope), matches));
    return grant && { words, prefix: prefixOf(grant.scope), grant: grant.id };
  });
  const complete = covers.filter((cover) => cover !== undefined);
  if (complete.length < covers.length || asksForMore(found, complete)) return undefined;
  const grant = complete.find((cover) => cover.grant !== undefined)?.grant;
  return grant === undefined ? 'policy' : { grant };
}

interface Cover {
  readonly words: Words;
  readonly prefix: Words;
  readonly grant?: string;
}

/** A single word that was granted stands for itself, not for everything the program can do. */
const isGranted = (
  words: Words,
  prefix: Words,
  matches: (words: Words, prefix: Words) => boolean,
): boolean => (prefix.length === 1 ? equalWords(words, prefix) : matches(words, prefix));

/**
 * Whether the words beyond the prefixes give the judge grounds to ask that the prefixes alone do not give: each command by
 * itself, since a long line has more reasons than a judgement tells, and all of them together.
 */
function asksForMore({ judgement, judgeHere }: Assessment, covers: readonly Cover[]): boolean {
  if (!judgement || !judgeHere || judgement.verdict === 'allow') return false;
  if (judgement.reasons.length === 0) return true;
  const judged = (words: Words) => grounds(judgeHere(words.map(quoted).join(' ')));
  const within = (some: readonly string[], all: readonly string[]) => some.every((one) => all.includes(one));
  if (!covers.every(({ words, prefix }) => within(judged(words), judged(prefix)))) return true;
  return !within(
    grounds(judgement),
    covers.flatMap(({ prefix }) => judged(prefix)),
  );
}

/** The reasons of a judgement without the command that they begin with. */
const grounds = ({ reasons }: Judgement): string[] => reasons.map(({ en }) => en.replace(/^`[^`]*` /, ''));

const quoted = (word: string): string =>
  /^[\w./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/**
 * Every simple command of a line, as the line itself reads and as the judge unwrapped it. Undefined when the line has more
 * in it than literal words, changes the environment, is given an input, reads secrets, or asks for another reason than
 * what it runs.
 */
function grantableCommands({ action, judgement, concerns }: Assessment): Words[] | undefined {
  if (!action.command || !judgement || judgement.verdict === 'deny' || judgement.readsPrivate)
    return undefined;
  const { env, input } = action.command;
  if (Object.keys(env).length > 0 || input !== undefined || judgement.commands.length === 0) return undefined;
  if (!concerns.every(({ kind }) => COMMAND_CONCERNS.has(kind))) return undefined;
  const plain = plainCommands(action.command.text);
  return plain && [...plain, ...judgement.commands];
}

/**
 * A grant holds for the tool, the backend and the workspace that it was given for, and for nothing that reaches further.
 * What changes or runs something does another thing in another folder.
 */
const isForCommand = ({ action: granted }: Approval, { action }: Assessment): boolean =>
  granted.command !== undefined &&
  granted.tool === action.tool &&
  granted.place?.backend === action.place?.backend &&
  granted.place?.isolation === action.place?.isolation &&
  granted.workspace === action.workspace &&
  (action.level < 2 || granted.place?.cwd === action.place?.cwd) &&
  granted.level >= action.level &&
  (granted.command.background || !action.command?.background);

const startsWith = (words: Words, prefix: Words): boolean =>
  prefix.length > 0 && prefix.every((word, at) => words[at] === word);

const equalWords = (a: Words, b: Words): boolean => a.length === b.length && startsWith(a, b);

const prefixOf = (scope: Approval['scope']): Words => (scope && scope.kind !== 'once' ? scope.prefix : []);
