import type { TopicIndex } from '#engines/retrieval';
import { type Language, languageOf } from '#kit/language';
import { programOf } from '#kit/shell-form';
import type { OperatorPlan, RouteMessage } from '#spec/ports';
import { ASKED } from './asked.ts';
import { besideCommand } from './beside-command.ts';
import { withoutTime } from './cron-line.ts';
import { nearSections, sectionAnswer, writtenAnswer, writtenTitle } from './doc-answers.ts';
import { fittingRunbook, runbooksOf } from './fitting-runbook.ts';
import { inOrder } from './join-plans.ts';
import { lacksName, moreExact, readingPlan } from './machine-plan.ts';
import { MACHINE_TOPICS } from './machine-readings.ts';
import { notePlan } from './memory-answers.ts';
import { asks, asksHow, authors, CLAUSES, cries, heartOf, recurs, withoutTag } from './mood.ts';
import { fitsTechnology, namesItsSymptom } from './named-technology.ts';
import type { OperatorHome } from './operator-home.ts';
import { operatorWords } from './operator-words.ts';
import { simplified } from './simplified.ts';
import { commandOfSkill, planOfSkill } from './skill-answers.ts';
import { type Slots, slotsIn, withoutNames } from './slots.ts';
import { FLOOR, NEARLY_SURE, SURE, UNSURE } from './sureness.ts';
import { DEEDS } from './told.ts';
import { rememberedBeside, toldPlainly } from './told-plainly.ts';
import { timerText } from './told-words.ts';
import { type Meaning, meaningOf, openTopics } from './topics.ts';
import { termsIn, wishesIn } from './wishes.ts';
import { agreement, isPossible, meantByGrammar } from './weigh-meanings.ts';

/** Another topic with this share of the score of the first may be the one that is meant. */
const RIVAL = 0.7;
/** Nothing else comes near: of held-out phrasings such a first topic is right twice as often as one with a rival. */
const FAR_BEHIND = 0.5;
/** A reading costs a second and harms nobody: it is taken sooner. */
const RIVAL_READING = 0.5;
const MOST_LOOKED = 20;

/** What the built-in operator is to say and do about a message: the topic whose phrasings are nearest answers it. */
export async function routeByRules(
  home: OperatorHome,
  message: string,
  command?: Language,
): ReturnType<RouteMessage> {
  if (command !== undefined) return besideCommand(message, command);
  const said = withoutTag(await simplified(message));
  const language = languageOf(said);
  const beside = rememberedBeside(said);
  if (beside) {
    const kept = notePlan(beside.note, beside.note, language);
    const rest = await nearestAnswer(home, beside.rest, language);
    return rest ? inOrder([rest, kept]) : kept;
  }
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
  const runbooks = await runbooksOf(home);
  const ofOther = ({ kind, id }: Meaning): boolean => {
    const skill = kind === 'skill' ? runbooks.get(id) : undefined;
    return skill !== undefined && !fitsTechnology(skill, said);
  };
  const rank = (text: string): Meaning[] => {
    const all = meanings(index, withoutNames(text, services))
      .filter((meaning) => isPossible(meaning, text) && !ofOther(meaning))
      .map((meaning) => ({ ...meaning, score: meaning.score + agreement(meaning, text) }));
    const ranked = [...all, ...meantByGrammar(text, services)].toSorted(
      (one, other) => other.score - one.score,
    );
    return exactly(ranked, slotsIn(text, index.weight), text);
  };
  // A question is answered with a runbook for something that it names.
  const strays = ({ kind, id, score }: Meaning): boolean => {
    const skill = kind === 'skill' ? runbooks.get(id) : undefined;
    return skill !== undefined && score < NEARLY_SURE && asks(said) && !namesItsSymptom(skill, said);
  };
  const ranked = rank(said);
  const heart = heartOf(said);
  const asked = heart === undefined ? [] : rank(heart);
  // Of a long message the question is meant, unless the whole of it is told more plainly.
  const found = ((asked[0]?.score ?? 0) > (ranked[0]?.score ?? 0) ? asked : ranked)
    .filter((meaning) => !strays(meaning))
    .slice(0, MOST_LOOKED);
  const slots = slotsIn(said, index.weight);
  const runbook = fittingRunbook(runbooks, index, found, said, services);
  const command = recurs(said) ? await commandFor(home, rank(withoutTime(said)), said, language) : undefined;
  const answer = async ({ kind, id, score }: Meaning, part = said): Promise<OperatorPlan | undefined> => {
    const own = part === said ? slots : slotsIn(part, index.weight);
    switch (kind) {
      case 'howto':
      case 'term':
        return writtenAnswer(home, kind, id, language, score >= NEARLY_SURE);
      case 'reading':
        // A part may mean what another one has named.
        return readingPlan(id, lacksName(id, own) ? slots : own, part, language);
      case 'skill':
        return planOfSkill(home, id, { said, language, sure: score >= SURE || isAlone(found) });
      case 'ask':
        return ASKED[id]?.(home, {
          said: part,
          slots: own,
          language,
          runbook,
          near: skillsNear(index, part),
        });
      case 'deed':
        return DEEDS[id]?.(home, { said, slots, language, runbook, command });
      case 'none':
        return undefined;
    }
  };
  // What can be asked is shown to whoever asks for that, not to whoever mentions an example.
  const [first, ...others] = found[0]?.id === 'help' && found[0].score < SURE ? found.slice(1) : found;
  if (cries(said) && (!first || first.score < (first.kind === 'skill' ? SURE : UNSURE)))
    return DEEDS['trouble']?.(home, { said, slots: {}, language });
  if (!first || first.score < FLOOR) return nearest(home, said, found, language);
  // What does something is not done on a guess, and a page that is hardly meant misleads: its title is offered.
  const skill = first.kind === 'skill' ? runbooks.get(first.id) : undefined;
  const named = skill !== undefined && namesItsSymptom(skill, said);
  const alone = (others[0]?.score ?? 0) < first.score * FAR_BEHIND;
  if (first.score < UNSURE && (first.kind === 'deed' || (isPage(first) && !named && !alone)))
    return nearest(home, said, found, language);
  if (first.kind !== 'deed' && !authors(said)) {
    const terms = termsIn(said, index.search);
    const [both, ...rest] = terms;
    if (both && rest.length === 0) return answer(both.meaning);
    const parts = terms.length > 1 ? terms : wishesIn(said, slots.unit, rank);
    // One question about what is stored may have two halves.
    const isOne = first.kind === 'ask' && !parts.some(({ meaning }) => meaning.kind === 'reading');
    const wishes = isOne && terms.length < 2 ? [] : parts;
    const plans =
      wishes.length > 1 ? await Promise.all(wishes.map((one) => answer(one.meaning, one.said))) : [];
    const all = plans.flatMap((plan) => plan ?? []);
    if (all.length > 1) return inOrder(all);
  }
  const plan = await answer(first);
  // What can be run now is run or shown, and that it would not be run again by itself is said.
  if (plan && recurs(said) && !authors(said) && (first.kind === 'skill' || first.kind === 'reading')) {
    return inOrder([plan, { before: timerText(said, command, language) }]);
  }
  if (!plan) return first.kind === 'none' ? undefined : nearest(home, said, found, language);
  const companion = first.kind === 'howto' ? SHOWN_WITH[first.id] : undefined;
  const rival = companion
    ? ({ kind: 'ask', id: companion, score: first.score } as const)
    : others.find(
        (other) => isRival(first, other) && !(other.kind === 'reading' && lacksName(other.id, slots)),
      );
  const other = rival && (await answer(rival));
  const isNew = other && !(other.calls === undefined && other.before === plan.before);
  // Whoever asks how to see something reads that first; whoever asks for it sees it first.
  const both = isNew && (companion && !asksHow(said) ? [other, plan] : [plan, other]);
  const whole = both ? inOrder(both, companion ? '' : operatorWords(language).orMeant) : plan;
  return first.score < UNSURE && !named ? doubted(whole, language) : whole;
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
  'known-about-me': 'remembered',
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

/** Readings as what they come to for what a message names; of two that come to the same, the likelier one. */
function exactly(ranked: readonly Meaning[], slots: Slots, said: string): Meaning[] {
  const exact = ranked.map((meaning) =>
    meaning.kind === 'reading' ? { ...meaning, id: moreExact(meaning.id, slots, said).id } : meaning,
  );
  const first = new Set<string>();
  return exact.filter(({ kind, id }) => {
    const isNew = kind !== 'reading' || !first.has(id);
    if (kind === 'reading') first.add(id);
    return isNew;
  });
}

/**
 * Another topic that may be meant as well. What only tells or reads may stand beside an answer; what does something is never
 * done on a guess. A page that is meant surely stands alone.
 */
const isRival = (first: Meaning, other: Meaning): boolean => {
  if (first.id === 'dangerous' || first.id === 'recall') return false;
  if (other.kind === 'reading')
    return other.score >= first.score * RIVAL_READING && (first.kind === 'reading' || other.score >= UNSURE);
  const near = other.score >= first.score * RIVAL;
  return near && first.kind !== 'deed' && (other.kind === 'ask' || (isPage(other) && first.score < SURE));
};

/** Nothing else is nearly as likely. */
const isAlone = ([first, second]: readonly Meaning[]): boolean =>
  !first || !second || second.score < first.score * RIVAL;

/** The command that does what is meant, by itself: a workflow, or the question for a reading. */
async function commandFor(
  home: OperatorHome,
  ranked: readonly Meaning[],
  said: string,
  language: Language,
): Promise<string | undefined> {
  const [first] = ranked;
  const near = ranked.filter(({ score }) => score >= UNSURE && score >= (first?.score ?? 0) * RIVAL);
  for (const { kind, id } of near) {
    const command = kind === 'skill' ? await commandOfSkill(home, id, said) : undefined;
    if (command !== undefined) return command;
  }
  const reading = near.find(({ kind, id }) => kind === 'reading' && !MACHINE_TOPICS[id]?.needs);
  return reading && `hermes run "${MACHINE_TOPICS[reading.id]?.example[language]}"`;
}

const MOST_NEAR = 5;
/** What is said around the thing that a skill is wanted for. */
const ABOUT_SKILLS =
  /\b(?:without|with no|no) (?:an? |any )?(?:llm|language model|model|api key|key)s?\b|(?:没有?|不|未)(?:接入?|连|配|用)?(?:大|语言)*模型(?:的话|时|的情况下)?|\b(?:which|what|any|do|does|you|your|have|has|are|is|there|ship|shipped|show|list|give|me|all|the|of|for|about|can|could|that|to|with|come|included|built[- ]?in|available|please|pls|got|run|start|use|launch|right|now|here|i|we|on|its|own|itself|this|automations?|automatic|skills?|runbooks?|workflows?|playbooks?)\b|哪些|什么|有没有|有|你|你们|自带|内置|列出|列一下|看看|给我|所有|全部|关于|处理|可以|能|的|吗|技能|手册|工作流|预案|应急|剧本|流程|自动化?|马上|目前|用|直接|跑|运行|执行|启动|现在|自己|[?？。]/gi;

/** Skills for what is named beside the question for skills; none where nothing is. */
function skillsNear(index: TopicIndex, said: string): readonly string[] {
  const topics = said
    .split(/[,，、]|\s+(?:and|or)\s+|和|或/)
    .map((part) => part.replaceAll(ABOUT_SKILLS, ' ').trim())
    .filter((part) => part.length > 1);
  const found = topics.flatMap((topic) =>
    index
      .search(topic)
      .map(meaningOf)
      .filter(({ kind, score }) => kind === 'skill' && score >= FLOOR)
      .slice(0, MOST_NEAR - topics.length + 1),
  );
  return [...new Set(found.map(({ id }) => id))].slice(0, MOST_NEAR);
}

const isPage = ({ kind }: Meaning): boolean => kind === 'howto' || kind === 'term' || kind === 'skill';

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
