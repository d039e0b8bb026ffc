import type { OperatorPlan, RouteMessage } from '#spec/ports';
import {
  isUrgent,
  operationsIn,
  parseRule,
  readReport,
  soundsLikeRule,
  type SymptomKind,
} from '#engines/aiops';
import { asksForLastTime, routeMessage } from '#engines/memory';
import type { TopicIndex } from '#engines/retrieval';
import { type Language, languageOf } from '#kit/language';
import { programOf } from '#kit/shell-form';
import { servicesIn, withoutName } from '#kit/service-names';
import type { Skill } from '#spec/data';
import { changesSomething } from '#spec/data/operations';
import type { OperatorHome } from './operator-home.ts';
import { ASKED } from './asked.ts';
import { nearSections, sectionAnswer, writtenAnswer, writtenTitle } from './doc-answers.ts';
import { deferredCall } from './incident-answers.ts';
import { forgetPlan, forgetWish } from './forget-plan.ts';
import { MACHINE_TOPICS } from './machine-readings.ts';
import { keptPlan, notePlan, ruleCall } from './memory-answers.ts';
import {
  asks,
  asksLeave,
  asksPast,
  asksWhy,
  authors,
  destroys,
  isHere,
  recurs,
  wantsTo,
  withoutTag,
} from './mood.ts';
import { operatorWords } from './operator-words.ts';
import { publishText } from './publish-plan.ts';
import { namedSkill, planOfSkill, shelfOf } from './skill-answers.ts';
import { cronLine } from './cron-line.ts';
import { toldWords } from './told-words.ts';
import { decisionText } from './stored-answers.ts';
import { type Slots, slotsIn, withoutNames } from './slots.ts';
import { DEEDS } from './told.ts';
import { type Meaning, meaningOf, openTopics } from './topics.ts';

/**
 * How surely a topic is meant, from 0 to 1, before it is answered at all, before it is answered without a doubt, and before
 * it is answered alone. Read off `npm run bench -- operator`, which holds out phrasings: below UNSURE about one answer in five
 * is right, at SURE about three in four.
 */
const FLOOR = 0.1;
const UNSURE = 0.18;
/** Right in three of four. */
const NEARLY_SURE = 0.3;
const SURE = 0.45;
/** Another topic with this share of the score of the first may be the one that is meant. */
const RIVAL = 0.7;
/** A reading costs a second and harms nobody: it is taken sooner. */
const RIVAL_READING = 0.5;
/** What it counts that a grammar reads a rule or a report in the message, beside its likeness to phrasings. */
const AGREES = 0.2;
const MOST_LOOKED = 20;
const MOST_LOOKED_UP = { words: 4, characters: 8 };
const MOST_RULE = 600;
const CLAUSES = /[,，。;；!！?？:：\n]+|\.\s+|\s+[-–—]+\s+|\s+(?:and|but|because|so)\s+/i;
/** Between things that are asked for side by side. */
const SIDE_BY_SIDE =
  /[,，、。;；!！?？\n&+]+|\.\s+|\s+(?:and|plus|also|then)\s+|顺便|以及|还有|另外|再(?:看|查)|和|与|跟|及/i;
const HOW = /\bhow\b|怎么|如何|怎样/i;
/** Meant for sure, by the grammar of the sentence. */
const DESTRUCTION: Meaning = { kind: 'deed', id: 'dangerous', score: 2 * SURE };
const TROUBLE: Meaning = { kind: 'deed', id: 'trouble', score: 2 * SURE };
const ACTION: Meaning = { kind: 'deed', id: 'action', score: SURE };
const LOOK_BACK: Meaning = { kind: 'ask', id: 'recall', score: SURE };
const CRY =
  /\bhelp\b|\bon fire\b|\bwhere do i (?:even )?start\b|\bsos\b|\bpager\b|\bpaged\b|救命|救火|帮帮|怎么办|急死|崩了/i;
/** A runbook is shown beside an incident only where it is near in its own right. */
const RUNBOOK = 0.1;

/** What the built-in operator is to say and do about a message: the topic whose phrasings are nearest answers it. */
export async function routeByRules(home: OperatorHome, message: string): ReturnType<RouteMessage> {
  const said = withoutTag(message);
  const language = languageOf(said);
  const plain = await toldPlainly(home, said, language);
  if (plain) return plain;
  const program = programOf(said);
  const absent = program !== undefined && home.toolPlace(false).program(program) === undefined;
  const plan = await nearestAnswer(home, said, language);
  if (!absent || !plan) return plan;
  return {
    ...plan,
    before: [operatorWords(language).noProgram(program), plan.before].filter(Boolean).join('\n\n'),
  };
}

async function nearestAnswer(home: OperatorHome, said: string, language: Language): ReturnType<RouteMessage> {
  const index = await openTopics(home);
  const services = await (await home.incidents()).services();
  const all = meanings(index, withoutNames(said, services))
    .filter((meaning) => isPossible(meaning, said))
    .map((meaning) => ({ ...meaning, score: meaning.score + agreement(meaning, said) }));
  const found = [...all, ...meantByGrammar(said, services)]
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_LOOKED);
  const slots = slotsIn(said, index.weight);
  const runbook = await runbookOf(home, index, found, said, services);
  const answer = async ({ kind, id, score }: Meaning): Promise<OperatorPlan | undefined> => {
    switch (kind) {
      case 'howto':
      case 'term':
        return writtenAnswer(home, kind, id, language);
      case 'reading':
        return machinePlan(moreExact(id, slots, said), slots, language);
      case 'skill':
        return planOfSkill(home, id, { said, language, sure: score >= SURE || isAlone(found) });
      case 'ask':
        return ASKED[id]?.(home, { said, slots, language, runbook });
      case 'deed':
        return DEEDS[id]?.(home, { said, slots, language, runbook });
      case 'none':
        return undefined;
    }
  };
  // What can be asked is shown to whoever asks for that, not to whoever mentions an example.
  const [first, ...others] = found[0]?.id === 'help' && found[0].score < SURE ? found.slice(1) : found;
  // Somebody needs help and does not say with what.
  if (CRY.test(said) && (!first || first.score < UNSURE))
    return DEEDS['trouble']?.(home, { said, slots: {}, language });
  if (!first || first.score < FLOOR) return nearest(home, said, found, language);
  // What does something is not done on a guess.
  if (first.score < UNSURE && first.kind === 'deed') return nearest(home, said, found, language);
  const each = eachWish(index, withoutNames(said, services));
  if (each.length > 1 && first.kind !== 'deed' && !authors(said)) {
    const [one, other] = await Promise.all(each.slice(0, 2).map(answer));
    if (one && other) return both(one, other, '');
  }
  const plan = await answer(first);
  // What can be run now is run or shown, and that it would not be run again by itself is said.
  if (plan && recurs(said) && !authors(said) && (first.kind === 'skill' || first.kind === 'reading')) {
    const { schedule } = toldWords(language);
    return both(
      plan,
      { before: schedule(cronLine(said, first.kind === 'skill' ? first.id : undefined)) },
      '',
    );
  }
  if (!plan) return first.kind === 'none' ? undefined : nearest(home, said, found, language);
  const companion = first.kind === 'howto' ? SHOWN_WITH[first.id] : undefined;
  const rival = companion
    ? ({ kind: 'ask', id: companion, score: first.score } as const)
    : others.find((other) => isRival(first, other) && !lacksName(other, slots));
  const other = rival && (await answer(rival));
  const whole = other ? both(plan, other, companion ? '' : operatorWords(language).orMeant) : plan;
  return first.score < UNSURE ? doubted(whole, language) : whole;
}

const doubted = (plan: OperatorPlan, language: Language): OperatorPlan => ({
  ...plan,
  before: [operatorWords(language).unsure, plan.before].filter(Boolean).join('\n\n'),
  after: [plan.after, operatorWords(language).model].filter(Boolean).join('\n\n'),
});

/** Whoever asks how to see something sees it. */
const SHOWN_WITH: Readonly<Record<string, string>> = {
  digest: 'handover',
  'list-incidents': 'incidents-all',
  approve: 'approvals-pending',
  'who-approved': 'approvals-history',
  'audit-log': 'audit-verify',
  'house-rules': 'rules',
  'tools-list': 'tools',
  'plugins-list': 'plugins',
  users: 'users',
  'memory-search': 'remembered',
  learned: 'learned',
  'post-mortem': 'post-mortem',
  'model-cost': 'cost',
  'service-catalogue': 'services',
  'resume-session': 'sessions',
  doctor: 'check-installation',
};

/** What a message means as a whole, or by the clause that says most: people at night write more than they ask. */
function meanings(index: TopicIndex, said: string): Meaning[] {
  const clauses = said.split(CLAUSES).filter((clause) => clause.trim() !== '');
  const whole = index.search(said).map(meaningOf);
  if (clauses.length < 2) return whole;
  const best = new Map(whole.map((meaning) => [`${meaning.kind} ${meaning.id}`, meaning]));
  const lengths = clauses.map((clause) => index.telling(clause));
  const all = lengths.reduce((sum, each) => sum + each, 0) || 1;
  for (const [at, clause] of clauses.entries())
    for (const meaning of index.search(clause).map(meaningOf)) {
      const score = meaning.score * Math.sqrt((lengths[at] as number) / all);
      const key = `${meaning.kind} ${meaning.id}`;
      if (score > (best.get(key)?.score ?? 0)) best.set(key, { ...meaning, score });
    }
  return [...best.values()];
}

/** What the parts of a message ask for one by one: readings, and pages that are nearly sure. */
function eachWish(index: TopicIndex, said: string): Meaning[] {
  const tops = said.split(SIDE_BY_SIDE).flatMap((clause) => index.search(clause).map(meaningOf).slice(0, 1));
  const wishes = tops.filter(({ kind, score }) =>
    kind === 'reading' ? score >= UNSURE : (kind === 'howto' || kind === 'ask') && score >= NEARLY_SURE,
  );
  return wishes.some(({ kind }) => kind === 'reading')
    ? wishes.filter(({ id }, at) => wishes.findIndex((one) => one.id === id) === at)
    : [];
}

/** What the grammar of a sentence says by itself, whatever phrasings it is near to. */
function meantByGrammar(said: string, services: readonly string[]): Meaning[] {
  return [
    ...(destroys(said) ? [DESTRUCTION] : []),
    ...(asksPast(said) ? [LOOK_BACK] : []),
    ...(tellsOfTrouble(said, services) ? [TROUBLE] : []),
    ...(asksLeave(said) && asks(said) && !HOW.test(said) && operationsIn(said).length > 0 ? [ACTION] : []),
    ...(authors(said)
      ? [{ kind: 'howto', id: isWorkflow(said) ? 'write-workflow' : 'write-skill', score: SURE } as const]
      : []),
  ];
}

/** A statement that names a service and says that something is off with it, or moves: no question, wish, rule or note. */
function tellsOfTrouble(said: string, services: readonly string[]): boolean {
  const [service] = servicesIn(said, services);
  if (service === undefined || authors(said)) return false;
  // Whoever tells it may also wonder about it in the next breath.
  const told = said.split(CLAUSES).find((clause) => clause.includes(service)) ?? said;
  if (asks(told)) return false;
  const rest = withoutName(said, service);
  const rule = soundsLikeRule(rest) ? parseRule(said, 'told') : undefined;
  // Whoever is in trouble also says what is not to be done about it now.
  if (rule && !isUrgent(rest)) return false;
  const wished = !rule && operationsIn(rest).some(({ operation }) => operation !== 'observe');
  return (
    !wished && (readReport(said)?.mood === 'tells' || (!recurs(said) && isUrgent(rest) && /\d/.test(rest)))
  );
}

const isWorkflow = (said: string): boolean => /workflow|工作流|流程/i.test(said);

/** A word or two, as whoever looks something up types them. */
const isShort = (said: string): boolean =>
  said.trim().split(/\s+/).length <= MOST_LOOKED_UP.words &&
  (said.match(/\p{Script=Han}/gu)?.length ?? 0) <= MOST_LOOKED_UP.characters;

/** What tells and what wants is no question; what is to be done at another time says when. */
function isPossible({ kind, id }: Meaning, said: string): boolean {
  // What a word means is asked; of something that happens nobody wants a definition.
  if (kind === 'term') return asks(said) || isShort(said);
  if (kind !== 'deed') return true;
  if (id === 'schedule') return recurs(said) && !authors(said);
  if (id === 'action') return !asks(said) || asksLeave(said) || /\byou\b|[你您]|帮|请/i.test(said);
  return !['remember', 'preference', 'rule', 'close', 'publish'].includes(id) || !asks(said);
}

/** A grammar that can read the message as what a topic means speaks for that topic. */
function agreement({ kind, id }: Meaning, said: string): number {
  if (kind === 'reading') return (isHere(said) ? AGREES / 2 : 0) - (asksWhy(said) ? AGREES / 2 : 0);
  if (kind === 'howto' && (id === 'write-skill' || id === 'write-workflow'))
    return authors(said) && isWorkflow(said) === (id === 'write-workflow') ? AGREES : 0;
  const back = kind === 'ask' && routeMessage(said).route === 'recall';
  if (back && id === 'sessions') return asksForLastTime(said) ? 2 * AGREES : 0;
  if (back && id === 'recall') return asksForLastTime(said) ? 0 : AGREES;
  if (kind !== 'deed' || asks(said)) return 0;
  const report = readReport(said);
  if (id === 'rule') return soundsLikeRule(said) && parseRule(said, 'told') ? AGREES : 0;
  if (id === 'trouble') return report?.mood === 'tells' ? AGREES / 2 : 0;
  const wanted = operationsIn(said).some(({ operation }) => changesSomething(operation));
  return id === 'action' && wanted && !report && !HOW.test(said) ? AGREES / 2 : 0;
}

/**
 * Another topic that may be meant as well. What only tells or reads may stand beside an answer; what does something is never
 * done on a guess. A page that is meant surely stands alone.
 */
const isRival = (first: Meaning, other: Meaning): boolean => {
  if (first.id === 'dangerous' || first.id === 'recall') return false;
  if (other.kind === 'reading') return other.score >= first.score * RIVAL_READING;
  const near = other.score >= first.score * RIVAL;
  return near && first.kind !== 'deed' && (other.kind === 'ask' || (isPage(other) && first.score < SURE));
};

/** Beside an answer nobody is asked back. */
const lacksName = ({ kind, id }: Meaning, slots: Slots): boolean =>
  kind === 'reading' && (MACHINE_TOPICS[id]?.needs ?? []).some((need) => slots[need] === undefined);

/** Nothing else is nearly as likely. */
const isAlone = ([first, second]: readonly Meaning[]): boolean =>
  !first || !second || second.score < first.score * RIVAL;

const isPage = ({ kind }: Meaning): boolean => kind === 'howto' || kind === 'term' || kind === 'skill';

/** Two answers as one: both of what they call is called, and each shows what it got. */
function both(plan: OperatorPlan, other: OperatorPlan, between: string): OperatorPlan {
  if (!other.calls)
    return { ...plan, after: [plan.after, between, other.before].filter(Boolean).join('\n\n') };
  const { calls: own = [], show } = plan;
  if (own.length > 0 && show && other.show) {
    const { calls, show: showOther } = other;
    return {
      ...plan,
      calls: [...own, ...calls],
      show: (results) =>
        [show(results.slice(0, own.length)), between, showOther(results.slice(own.length))]
          .filter(Boolean)
          .join('\n\n'),
    };
  }
  if (own.length > 0) return plan;
  return { ...other, before: [plan.before, plan.after, between, other.before].filter(Boolean).join('\n\n') };
}

/** Something to remember in one part of a message, and something else in the rest of it. */
function rememberedBeside(said: string): { readonly note: string; readonly rest: string } | undefined {
  const parts = said
    .split(/[,，;；。]\s*|\s+and\s+(?=(?:also\s+)?(?:remember|note)\b)|顺便/i)
    .filter((part) => part.trim() !== '');
  const at = parts.findIndex((part) => routeMessage(part).route === 'remember');
  const note = at > 0 ? routeMessage(parts.slice(at).join('，')).text : undefined;
  return note === undefined ? undefined : { note, rest: parts.slice(0, at).join('，') };
}

/** `approve approval_7f3a2 CONFIRM_EXECUTE`: the words of an approval in a channel. */
const DECIDED =
  /^(?:please\s+)?(?:approve|accept|reject|deny|批准|同意|通过|拒绝|驳回)\s*(?<id>(?=[\w-]*[\d_])[\w-]{4,})(?:\s+CONFIRM_EXECUTE)?[.!。]?$/i;

/** Sentences whose first words say what they are: remember, forget, prefer, publish; and a skill that is called by its name. */
async function toldPlainly(
  home: OperatorHome,
  said: string,
  language: Language,
): Promise<OperatorPlan | undefined> {
  const decided = DECIDED.exec(said)?.groups?.['id'];
  if (decided) return { before: await decisionText(home, decided, language) };
  const also = rememberedBeside(said);
  if (also) {
    const kept = notePlan(also.note, also.note, language);
    const rest = await nearestAnswer(home, also.rest, language);
    return rest ? both(rest, kept, '') : kept;
  }
  const { route, text } = routeMessage(said);
  if (route === 'publish_skill') return { before: await publishText(home, language) };
  if (route === 'remember' && text) return (await ruleCall(home, text)) ?? notePlan(said, text, language);
  if (route === 'preference' && text && !wantsTo(said) && !asks(said))
    return (
      (await toldRule(home, said)) ?? keptPlan({ action: 'add', target: 'user', content: text }, language)
    );
  const forgotten = /[?？]\s*$|^how\b|怎么|如何/i.test(said) ? undefined : forgetWish(said);
  if (forgotten !== undefined) return forgetPlan(forgotten, language);
  return (await toldRule(home, said)) ?? namedSkill(home, said, language);
}

/** A rule that is said plainly, without being asked to remember it; no question, and no cry for help. */
async function toldRule(home: OperatorHome, said: string): Promise<OperatorPlan | undefined> {
  if (said.length > MOST_RULE || asks(said)) return undefined;
  const conditional = /^(?:when|if|whenever|during|while)\b|时,|时优先|的时候|高峰/i.test(said);
  const sounds = soundsLikeRule(said) || parseRule(said, 'told')?.effect === 'prefer';
  const read = sounds && parseRule(said, 'told') && (conditional || !isUrgent(said));
  return read ? ruleCall(home, said) : undefined;
}

/** The runbook that is nearest to a message, or to the kind of trouble that it tells of, to be shown beside what else is said. */
async function runbookOf(
  home: OperatorHome,
  index: TopicIndex,
  found: readonly Meaning[],
  said: string,
  services: readonly string[],
): Promise<Skill | undefined> {
  const report = readReport(said);
  // What is to be destroyed is not what is wrong.
  const rest = destroys(said) ? said.split(CLAUSES).filter((clause) => !destroys(clause)) : [];
  const wrong = rest.length ? index.search(withoutNames(rest.join(' '))).map(meaningOf) : found;
  const near = wrong.filter(({ kind, score }) => kind === 'skill' && score >= RUNBOOK);
  // The kind of trouble alone tells something only of a service.
  const symptoms = report && servicesIn(said, services).length > 0 ? report.symptoms : [];
  const ofKind = symptoms.flatMap((kind) =>
    index
      .search(KIND_OF_TROUBLE[kind])
      .map(meaningOf)
      .filter((meaning) => meaning.kind === 'skill'),
  );
  const names = [
    ...near.map(({ id }) => id),
    ...(report?.afterRelease ? ['deploy-regression'] : []),
    ...ofKind.map(({ id }) => id),
  ];
  if (names.length === 0) return undefined;
  const all = (await (await shelfOf(home))?.library.all()) ?? [];
  return names.map((id) => all.find(({ name }) => name === id)).find((skill) => skill?.form === 'document');
}

/** How a runbook would be asked for that fits a kind of trouble. */
const KIND_OF_TROUBLE: Readonly<Record<SymptomKind, string>> = {
  errors: 'runbook for a spike of 5xx errors',
  latency: 'runbook for high latency, requests time out',
  saturation: 'runbook for exhausted connections, memory or processor',
  traffic: 'runbook for a surge of traffic',
  down: 'runbook for a service that is down and crashes',
  alert: 'runbook for a spike of 5xx errors',
};

/** The reading of the one thing that is named, instead of the one of all of them. */
function moreExact(id: string, slots: Slots, said: string): string {
  // In a Chinese sentence a Latin word is a name.
  const named = slots.unit !== undefined && /\p{Script=Han}/u.test(said) ? slots.unit : undefined;
  if (id === 'errors' && named && !isHere(said)) return 'unit-log';
  return id === 'ports' && slots.port !== undefined ? 'port' : id;
}

/** A reading of this machine, or the question for what it needs to know. */
function machinePlan(id: string, slots: Slots, language: Language): OperatorPlan | undefined {
  const topic = MACHINE_TOPICS[id];
  if (!topic) return undefined;
  const missing = (topic.needs ?? []).some((need) => slots[need] === undefined);
  if (missing)
    return { before: operatorWords(language).needsMore(topic.title[language], topic.example[language]) };
  const calls = topic
    .calls(slots)
    .map(({ name, input }) => (name === 'read_file' ? { name, input } : deferredCall(name, input)));
  const pointer = topic.runbook ? operatorWords(language).alsoRunbook(topic.runbook) : '';
  return {
    calls,
    show: (results) => topic.show(results, slots, language),
    ...(pointer ? { after: pointer } : {}),
  };
}

/** Nothing is near enough: what the documents say that shares most with it, or what may be meant, to ask back with. */
async function nearest(
  home: OperatorHome,
  said: string,
  found: readonly Meaning[],
  language: Language,
): Promise<OperatorPlan | undefined> {
  const section = await sectionAnswer(home, said, language);
  if (section) return { before: section };
  const words = operatorWords(language);
  const titles = await Promise.all(
    found
      .filter(({ score }) => score >= FLOOR / 2)
      .slice(0, 3)
      .map((meaning) => titleOf(home, meaning, language)),
  );
  const lines = [...titles.flatMap((title) => title ?? []), ...(await nearSections(home, said))];
  return lines.length
    ? {
        before: [words.mayMean, ...lines.map((line) => `- ${line}`)].join('\n'),
        after: words.model,
        unable: true,
      }
    : undefined;
}

/** What a topic is called, as something that can be said. */
async function titleOf(
  home: OperatorHome,
  { kind, id }: Meaning,
  language: Language,
): Promise<string | undefined> {
  if (kind === 'howto' || kind === 'term') return writtenTitle(home, kind, id, language);
  if (kind === 'reading') return MACHINE_TOPICS[id]?.example[language];
  return kind === 'skill' ? `\`run ${id}\`` : undefined;
}
