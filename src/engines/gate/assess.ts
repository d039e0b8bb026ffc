import { posix } from 'node:path';
import { z } from 'zod';
import { toErrorRecord } from '#kit/app-error';
import { showHidden } from '#kit/hidden-characters';
import { readingLine } from '#kit/reading-words';
import { asText, inEvery, joinTexts, say, tell, type Text } from '#kit/text';
import {
  type Action,
  type ActionPlace,
  MachineReading,
  type Requester,
  type Taint,
  type Verdict,
} from '#spec/data';
import type { Deed, EffectLevel, Tool } from '#spec/ports';
import { actionCommand, commandOf, inputFor, type RunCommand, type RunningProcess } from './command-of.ts';
import { actionDigest, requestDigest } from './digest.ts';
import { type EffectiveRule, type GatePolicy, ruleFor } from './gate-policy.ts';
import { type Guarded, guardedMention, guardedPath } from './guarded-paths.ts';
import type { Judge, Judgement } from './judgement.ts';
import { judgeWrittenFile } from './shell/judge-command.ts';
import { showAction } from './show-action.ts';

/** A backend as it stands at the moment: where a command would start, and what holds there. */
export interface CommandPlace extends ActionPlace {
  readonly workspace?: string;
  /** Whether what runs there reaches a network. */
  readonly network: boolean;
  /** The lists of the backend's own configuration. */
  readonly allowed?: readonly string[];
  readonly denied?: readonly string[];
  /** How this machine is called, where the place is a sandbox on it. */
  readonly machine?: string;
}

export interface PermitRequest {
  readonly tool: Tool;
  /** As the tool will get it. */
  readonly input: unknown;
  /** The id of the call, for the audit log. */
  readonly call: string;
  readonly requester: Requester;
  /**
   * The named backend, or the default one, as it stands when it is asked for: once to judge the call, and again before an
   * agreed call runs. Absent where no command runs. A reading of the machine has a place also where no sandbox works.
   */
  readonly place?: (
    backend: string | undefined,
    reading: boolean,
  ) => CommandPlace | undefined | Promise<CommandPlace | undefined>;
  /** What was left running under an id. */
  readonly process?: (id: string) => RunningProcess | undefined;
  /** The folder of this machine that the conversation works in; paths that a tool writes to start there. */
  readonly workspace?: string;
  /** Counts the messages of the person: what was refused is not asked for again before the next one. */
  readonly turn?: number;
}

/**
 * Why a call is not simply let through. `taint` and `confirm` want a person every time; what the `judge`, the `level` and
 * the `policy` ask for can be granted for longer, and so can a command that runs on the `bare` machine; `code` is agreed
 * to as it is written.
 */
export interface Concern {
  readonly kind: 'judge' | 'level' | 'policy' | 'bare' | 'code' | 'confirm' | 'taint';
  readonly text: Text;
}

export interface Assessment {
  readonly verdict: Verdict;
  readonly call: string;
  readonly action: Action;
  /** Of this call by this requester. */
  readonly digest: string;
  /** Of this call, whoever makes it. */
  readonly callDigest: string;
  readonly requester: Requester;
  readonly rule: EffectiveRule;
  /** Why it is denied. */
  readonly denials: readonly string[];
  /** Why it asks. */
  readonly concerns: readonly Concern[];
  readonly judgement: Judgement | undefined;
  /** What the judge says of another command in the same place. */
  readonly judgeHere: ((text: string) => Judgement) | undefined;
  /** A person can see all of it. */
  readonly whole: boolean;
  /** What the session has in it once the call was made. */
  readonly brings: readonly Taint[];
}

export interface AssessDeps {
  readonly policy: GatePolicy;
  readonly judge: Judge;
  readonly guarded: Guarded;
  readonly redact: (text: string) => string;
}

const Level = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);

/** Everything that the deed of a call says, brought together with the place that it would happen in. */
interface Facts {
  readonly deed: Deed;
  readonly command: RunCommand | undefined;
  readonly place: CommandPlace | undefined;
  readonly judgement: Judgement | undefined;
  /** What is to be said of the files that a tool writes by itself. */
  readonly files: readonly Judgement[];
  readonly judgeHere: ((text: string) => Judgement) | undefined;
  readonly level: EffectLevel;
  readonly action: Omit<Action, 'shown'>;
}

/** What would happen, and what is to be said about it. Rejects for a tool that cannot tell: then nothing may happen. */
export async function assess(
  request: PermitRequest,
  taints: readonly Taint[],
  deps: AssessDeps,
): Promise<Assessment> {
  const facts = await factsOf(request, deps);
  const { requester } = request;
  const { judgement, level, deed, place } = facts;
  const rule = ruleFor(deps.policy, requester, place?.backend);
  // Reasons quote what they are about, and are read by people like the rest of it.
  const clean = (text: string) => showHidden(deps.redact(text));
  const denials = denialsOf(facts, rule, deps).map(clean);
  const concerns =
    denials.length > 0
      ? []
      : concernsOf(facts, rule, taints, deps.policy).map(({ kind, text }) => ({
          kind,
          text: inEvery((language) => clean(text[language])),
        }));
  const { shown, whole } = showAction(facts.action, deps.redact);
  const action: Action = { ...facts.action, level, shown };
  return {
    verdict: denials.length > 0 ? 'deny' : concerns.length > 0 ? 'ask' : 'allow',
    call: request.call,
    action,
    digest: requestDigest(action, requester),
    callDigest: actionDigest(action),
    requester,
    rule,
    denials,
    concerns,
    judgement,
    judgeHere: facts.judgeHere,
    whole,
    brings: bringsOf(deed, judgement),
  };
}

async function factsOf(request: PermitRequest, deps: AssessDeps): Promise<Facts> {
  const { tool, input } = request;
  const deed = tool.deed?.(input) ?? {};
  const command = commandOf(deed, request.process);
  const place = command || deed.code ? await placeFor(command, request) : undefined;
  const judgeIn = place && judgePlace(place, deps);
  const judgeHere = judgeIn && ((text: string) => deps.judge(text, judgeIn));
  const judgement = command && judgeIn && deps.judge(command.text, { ...judgeIn, ...inputFor(command) });
  const code: EffectLevel = deed.code ? 2 : 0;
  // Its words are fixed: how far it reaches is known without judging them. What denies it still does.
  const known = isReading(command);
  const levels = [Level.parse(tool.effect(input)), known ? 0 : (judgement?.level ?? 0), code];
  const level = levels.toSorted((a, b) => a - b).at(-1) ?? 3;
  const workspace = request.workspace ?? place?.workspace;
  const files =
    workspace === undefined ? [] : (deed.writes ?? []).map((path) => judgeWrittenFile(path, { workspace }));
  return {
    deed,
    command,
    place,
    judgement,
    files,
    judgeHere,
    level,
    action: {
      tool: tool.name,
      level,
      input,
      ...(workspace === undefined ? {} : { workspace }),
      ...(place ? { place: actionPlace(place) } : {}),
      ...(command ? { command: actionCommand(command) } : {}),
      ...(deed.code ? { code: { ...deed.code } } : {}),
      ...(deed.writes ? { writes: [...deed.writes] } : {}),
      ...(deed.sendsTo ? { sendsTo: [...deed.sendsTo] } : {}),
    },
  };
}

const actionPlace = ({ backend, cwd, isolation, where }: CommandPlace): ActionPlace => ({
  backend,
  cwd,
  isolation,
  ...(where === undefined ? {} : { where }),
});

/** What is read of a machine from the closed list, word for word; anything else that says so is a command like others. */
function isReading(command: RunCommand | undefined): boolean {
  const reading = MachineReading.safeParse(command?.reading);
  return reading.success && command?.text === readingLine(reading.data);
}

async function placeFor(
  command: RunCommand | undefined,
  { place: placeOf }: PermitRequest,
): Promise<CommandPlace | undefined> {
  const place = await placeOf?.(command?.backend, isReading(command));
  if (!place) return place;
  // What is read of the machine is read outside of a sandbox that stands on it: that is where it happens.
  if (isReading(command) && place.isolation === 'process')
    return { ...place, isolation: 'none', where: place.machine ?? 'on this machine' };
  if (command?.cwd === undefined) return place;
  return { ...place, cwd: posix.resolve(place.cwd, command.cwd) };
}

function judgePlace(place: CommandPlace, { policy, guarded }: AssessDeps) {
  const { workspace, cwd, allowed, denied = [], isolation, network } = place;
  return {
    // Whatever code does there reaches no network and no home: then it need not be followed.
    holds: (isolation === 'process' || isolation === 'container') && !network,
    cwd,
    denied: [...denied, ...policy.deny],
    ...(isolation === 'none' && guarded.paths.length > 0 ? { guarded } : {}),
    ...(workspace === undefined ? {} : { workspace }),
    ...(allowed === undefined ? {} : { allowed }),
  };
}

/** What nothing lifts: no grant, no standing permission, no model. */
function denialsOf(facts: Facts, { denyFrom }: EffectiveRule, { policy, guarded }: AssessDeps): string[] {
  const { deed, command, place, judgement, level, action } = facts;
  const denials: string[] = [];
  if (deed.refuse !== undefined) denials.push(deed.refuse);
  if (judgement?.verdict === 'deny')
    denials.push(...(judgement.reasons.length ? inEnglish(judgement) : ['The command is denied.']));
  for (const file of facts.files) if (file.verdict === 'deny') denials.push(...inEnglish(file));
  if (deed.feeds && !command) denials.push(`There is no process '${deed.feeds.process}'.`);
  if ((command || deed.code) && !place) {
    const name = command?.backend;
    denials.push(name === undefined ? 'No commands run here.' : `There is no backend called '${name}'.`);
  }
  if (denyFrom !== undefined && level >= denyFrom) denials.push(`Level ${level} is denied here.`);
  if (verdictFor(policy, action.tool) === 'deny') denials.push(`The policy denies ${action.tool}.`);
  const touched = guardedTouch(facts, guarded);
  if (touched !== undefined) denials.push(`${touched} belongs to Hermes itself, and no call may touch it.`);
  return denials;
}

function guardedTouch(facts: Facts, guarded: Guarded): string | undefined {
  const { deed, command, place, judgement, action } = facts;
  const written = guardedPath(deed.writes ?? [], action.workspace ?? '/', guarded);
  if (written !== undefined || !place) return written;
  const stands = guardedPath([place.cwd], place.cwd, guarded);
  if (stands !== undefined) return stands;
  const text = command ? `${command.text}\n${command.input ?? ''}` : (deed.code?.text ?? '');
  return guardedMention(text, judgement?.commands ?? [], place.cwd, guarded);
}

function concernsOf(
  { deed, command, place, judgement, files, level, action }: Facts,
  { askFrom, separateApprover }: EffectiveRule,
  taints: readonly Taint[],
  policy: GatePolicy,
): Concern[] {
  const concerns: Concern[] = [];
  const add = (kind: Concern['kind'], text: Text) => concerns.push({ kind, text });
  const ruled = verdictFor(policy, action.tool);
  if (deed.confirm !== undefined) add('confirm', asText(deed.confirm));
  if (judgement?.verdict === 'ask' && !isReading(command))
    add(
      'judge',
      judgement.reasons.length
        ? joinTexts(judgement.reasons, GAP)
        : tell('The command may do harm.', '该命令可能造成损害。'),
    );
  for (const { verdict, reasons } of files) if (verdict === 'ask') add('judge', joinTexts(reasons, GAP));
  const open = ruled !== 'allow' || separateApprover;
  if (level >= askFrom && open) add('level', LEVELS[level]);
  if (ruled === 'ask')
    add('policy', tell(`The policy asks before ${action.tool}.`, `策略要求在 ${action.tool} 之前询问。`));
  if (command && place?.isolation === 'none' && level >= 2 && open)
    add(
      'bare',
      tell('The command would run on this machine without a sandbox.', '该命令将不经沙箱直接在本机运行。'),
    );
  // Whatever its level: what the code does is not all on the line, and nothing holds it.
  if (judgement?.runsCode && place?.isolation === 'none')
    add(
      'code',
      tell(
        'It runs a script or code of a language on this machine, without a sandbox.',
        '它将不经沙箱在本机运行脚本或某种语言的代码。',
      ),
    );
  if (deed.code && place?.isolation === 'none')
    add(
      'code',
      tell('The code would run on this machine without a sandbox.', '代码将不经沙箱直接在本机运行。'),
    );
  const out = outwardTo(deed, place, judgement);
  const tainted =
    taints.includes('untrusted') && (taints.includes('private') || judgement?.readsPrivate === true);
  if (policy.taint && out !== undefined && tainted) {
    add(
      'taint',
      tell(
        `The conversation holds private data and words of strangers, and this sends something to ${say(out, 'en')}.`,
        `对话中既有私密数据又有陌生人的话,而这会把内容发往${say(out, 'zh')}。`,
      ),
    );
  }
  return concerns;
}

/** Between sentences. */
const GAP = tell(' ', '');

/** What is denied is told to the model, and it is written down. */
const inEnglish = ({ reasons }: Judgement): string[] => reasons.map(({ en }) => en);

const LEVELS = [
  tell('It reads something.', '它会读取内容。'),
  tell('It adds something.', '它会添加内容。'),
  tell('It changes or runs something.', '它会改动或运行内容。'),
  tell('It is sensitive.', '它属于敏感操作。'),
] as const;

function outwardTo(
  { sendsTo = [], code }: Deed,
  place: CommandPlace | undefined,
  judgement: Judgement | undefined,
): Text | undefined {
  if (sendsTo.length > 0) return tell(sendsTo.join(', '), ` ${sendsTo.join('、')}`);
  return judgement?.outward || (code && place?.network) ? tell('the network', '网络') : undefined;
}

/** What comes from a network was written by strangers, whatever the tool says of itself. */
function bringsOf({ brings = [] }: Deed, judgement: Judgement | undefined): Taint[] {
  const found = new Set<Taint>(brings);
  if (judgement?.outward) found.add('untrusted');
  if (judgement?.readsPrivate) found.add('private');
  return [...found];
}

const verdictFor = ({ tools }: GatePolicy, name: string): Verdict | undefined =>
  Object.hasOwn(tools, name) ? tools[name] : undefined;

/** Why a call that could not be assessed is denied. */
export function cannotTell(tool: string, thrown: unknown): string {
  const { code, message, hint } = toErrorRecord(thrown);
  if (code === 'tool.refused') return [message, ...(hint ? [hint] : [])].join(' ');
  return `${tool} cannot tell what it would do: ${message}`;
}
