import type { OperatorPlan, OperatorResult, RouteMessage } from '#adapters/models';
import {
  isUrgent,
  mayAsk,
  noRuleText,
  operationsIn,
  parseRule,
  readQuestion,
  readReport,
  type Report,
  soundsLikeRule,
} from '#engines/aiops';
import { decideWrites, routeMessage, scanTold } from '#engines/memory';
import { type Language, languageOf } from '#kit/language';
import { servicesIn, withoutName } from '#kit/service-names';
import type { Host } from '../open-host.ts';
import { howToAnswer, nearSections, sectionAnswer } from './doc-answers.ts';
import {
  actionAnswer,
  deferredCall,
  missingSources,
  openIncidentPlan,
  questionPlan,
  serviceText,
  whyAnswer,
} from './incident-answers.ts';
import { forgetPlan, forgetWish } from './forget-plan.ts';
import { operatorWords } from './operator-words.ts';
import { publishText } from './publish-plan.ts';
import { meantSkills, runbookText, skillPlan, technologyWords } from './skill-answers.ts';

/** What the built-in operator is to say and do about a message. Each kind of message has one reader; the first wins. */
export async function routeByRules(host: Host, said: string): ReturnType<RouteMessage> {
  const language = languageOf(said);
  for (const read of READERS) {
    const plan = await read(host, said, language);
    if (plan) return plan;
  }
  return undefined;
}

type Reader = (host: Host, said: string, language: Language) => Promise<OperatorPlan | undefined>;

/** Asks how something is done, or whether it can be, rather than that it be done. */
const HOW_TO =
  /^(?:so |and |please |hi,? |hermes,? )*(?:how (?:do|can|to|should|would|does|are|is)|can (?:i|we|you|it|hermes)|could (?:i|we|you)|do (?:i|you|we) (?:need|have|support)|does (?:it|hermes)|is (?:there|it possible)|are there|where (?:is|are|do|does|can)|which|what (?:is|are|does|do|happens|can)|what's|who can|when does|why (?:does|do) (?:hermes|you|it))\b|怎么|如何|怎样|哪里|在哪|能不能|能否|可不可以|可以.{0,30}吗|是否|支持.{0,20}吗|什么是|是什么|有什么|哪个|哪些|多少|需要.{0,20}吗|会.{0,30}吗/i;
/** A skill that is meant this surely comes before a section of the documents. */
const SURE = 0.5;
/** What a section has to share with a message to be named at all. */
const NEAR = 0.34;
const QUESTION = /[??]\s*$|(?:吗|呢|么)[\s。.!!]*$/;

/** Remember, prefer, recall, publish: what the memory understands. */
const toldToMemory: Reader = async (host, said, language) => {
  const { route, text } = routeMessage(said);
  if (route === 'publish_skill') return { before: await publishText(host, language) };
  if (route === 'remember' && text) return (await ruleCall(host, text)) ?? notePlan(said, text, language);
  if (route === 'preference' && text)
    return keptPlan({ action: 'add', target: 'user', content: text }, language);
  return undefined;
};

const wantedForgotten: Reader = async (_host, said, language) => {
  const what = HOW_TO.test(said) && !/^(?:can|could) you/i.test(said) ? undefined : forgetWish(said);
  return what === undefined ? undefined : forgetPlan(what, language);
};

const askedMemory: Reader = async (host, said, language) => {
  const { route, text } = routeMessage(said);
  return route === 'recall' && text ? recallPlan(host, said, text, language) : undefined;
};

async function ruleCall(host: Host, text: string): Promise<OperatorPlan | undefined> {
  const { ruleBook } = await import('#app/incidents');
  if (!(await ruleBook(host).read(text))) return undefined;
  return { calls: [deferredCall('house_rule', { action: 'add', text })] };
}

/** What sounds like a rule and is none is kept as a note, and said to be one. */
function notePlan(said: string, text: string, language: Language): OperatorPlan {
  const ofTeam = decideWrites({ session: '', turn: 0, said, answered: '', at: 0 }).some(
    (write) => write.to === 'entry' && write.telling.kind === 'governance_rule',
  );
  const target = ofTeam ? 'service' : 'memory';
  const plan = keptPlan({ action: 'add', target, content: text }, language);
  const about = soundsLikeRule(text) && (servicesIn(text).length > 0 || operationsIn(text).length > 0);
  return about ? { ...plan, after: operatorWords(language).note(noRuleText(text, language)) } : plan;
}

function keptPlan(
  input: { readonly action: 'add'; readonly target: string; readonly content: string },
  language: Language,
): OperatorPlan {
  const show = ([kept]: readonly OperatorResult[]): string => {
    const file = /\b[A-Z_]+\.md\b/.exec(kept?.text ?? '')?.[0];
    const words = operatorWords(language);
    if (kept && !kept.failed && file) return words.kept(file, input.content);
    // Said in the language of the message, which need not be that of the tool.
    const { refused } = scanTold(input.content, language);
    return refused === undefined ? (kept?.text ?? '') : words.notKept(refused);
  };
  return { calls: [{ name: 'memory', input }], show };
}

/** What is remembered, earlier incidents of the service, and the runbook. */
async function recallPlan(
  host: Host,
  said: string,
  query: string,
  language: Language,
): Promise<OperatorPlan> {
  const [service] = servicesIn(said);
  const [meant] = readReport(said) ? await runbooksFor(host, said) : [];
  const about = service ? await serviceText(host, service, language) : '';
  const runbook = meant ? await runbookText(host, meant, language) : '';
  const show = ([found]: readonly OperatorResult[]): string =>
    !found || found.failed || found.text !== 'Nothing is remembered about this.'
      ? (found?.text ?? '')
      : operatorWords(language).nothingKept;
  return {
    calls: [{ name: 'memory_search', input: { query } }],
    show,
    after: [about, runbook].filter(Boolean).join('\n\n'),
  };
}

/** A rule that is said plainly, without being asked to remember it. */
const toldRule: Reader = async (host, said) => {
  if (said.length > 600 || QUESTION.test(said) || HOW_TO.test(said)) return undefined;
  const conditional = /^(?:when|if|whenever|during|while)\b|时,|时优先|的时候|高峰/i.test(said);
  if (!parseRule(said, 'told') || (isUrgent(said) && !conditional)) return undefined;
  if (
    !/\b(?:must|never|always|only|requires?|needs?|forbidden|not allowed|prefer|rather than|instead of|first|unless|without approval|do not|don't|no)\b|必须|禁止|不得|不能|不允许|不要|不许|不准|严禁|只能|仅限|一律|优先|需要|才能/i.test(
      said,
    )
  )
    return undefined;
  return ruleCall(host, said);
};

const askedAboutIncidents: Reader = async (host, said, language) => {
  const asked = mayAsk(said) ? readQuestion(said, await (await host.incidents()).services()) : undefined;
  return asked && questionPlan(host, asked, language);
};

/** Something is wrong, or an action is wanted. */
const toldTrouble: Reader = async (host, said, language) => {
  const words = operatorWords(language);
  const [wanted] = operationsIn(said);
  const read = readReport(said);
  if (!read && wanted && wanted.operation !== 'observe' && !/怎么|如何|\bhow\b/i.test(said)) {
    const [service] = servicesIn(said);
    if (!service && !QUESTION.test(said)) return undefined;
    const text = await actionAnswer(
      host,
      { service, operation: wanted.operation, question: QUESTION.test(said) },
      language,
    );
    const [runbook] = await runbooksFor(host, said);
    const pointer = runbook ? words.alsoRunbook(runbook.name) : '';
    const sources = await missingSources(host, said, language);
    return { before: text, after: [sources, pointer].filter(Boolean).join('\n\n') };
  }
  if (!read) return undefined;
  const services = await (await host.incidents()).services();
  const report = readReport(said, { services, isTechnology: await technologyWords(host) }) as Report;
  const { mood, service } = report;
  if (mood === 'means') return undefined;
  if (service === undefined && mood === 'past') return recallPlan(host, said, said, language);
  if (service === undefined) return troubleWithoutService(host, said, report, services, language);
  // By what is wrong, not by whose it is: the name of a service says nothing of the fault.
  const [runbook] = await runbooksFor(host, withoutName(said, service));
  const shown = runbook ? await runbookText(host, runbook, language) : '';
  if (mood === 'tells') return { ...openIncidentPlan(said, report), after: shown };
  if (mood === 'asks') return { before: await whyAnswer(host, service, language), after: shown };
  if (mood === 'past') return recallPlan(host, said, said, language);
  const open = await (await host.incidents()).store.list({ service, limit: 1 });
  const about = open.length ? await serviceText(host, service, language) : words.offerOpen(service);
  return shown ? { before: shown, after: about } : { before: about };
};

/** Of a machine, of a kind of thing, or of nobody: the workflow or the runbook, else the question which service it is. */
async function troubleWithoutService(
  host: Host,
  said: string,
  { mood }: Report,
  services: readonly string[],
  language: Language,
): Promise<OperatorPlan | undefined> {
  if (mood === 'advice' || mood === 'asks') {
    const documented = HOW_TO.test(said) ? await shortAnswer(host, said, language) : undefined;
    if (documented) return documented;
  }
  const skills = await skillPlan(host, said, language);
  if (skills) return skills;
  const words = operatorWords(language);
  const known = services.length ? words.knownServices(services.slice(0, 12).join(', ')) : '';
  return { before: [words.askService, known].filter(Boolean).join('\n') };
}

async function runbooksFor(host: Host, said: string) {
  return (await meantSkills(host, said)).map(({ skill }) => skill).filter(({ form }) => form === 'document');
}

/** From the page of questions, unless a skill is meant more surely. */
async function shortAnswer(host: Host, said: string, language: Language): Promise<OperatorPlan | undefined> {
  const short = await howToAnswer(said, language);
  if (!short) return undefined;
  const [skill] = short.sure ? [] : await meantSkills(host, said);
  return skill && skill.score >= SURE ? undefined : { before: short.text };
}

/** How something is done with Hermes: from its documents, with the place, unless a skill plainly does it. */
const askedHow: Reader = async (host, said, language) => {
  if (!HOW_TO.test(said) && !QUESTION.test(said)) return undefined;
  const short = await shortAnswer(host, said, language);
  if (short) return short;
  const [skill] = await meantSkills(host, said);
  if (skill && skill.score >= SURE) return undefined;
  const section = await sectionAnswer(said, language);
  return section === undefined ? undefined : { before: section };
};

const wantedSkill: Reader = async (host, said, language) => {
  const plan = await skillPlan(host, said, language, !QUESTION.test(said));
  if (!plan) return undefined;
  const sources = await missingSources(host, said, language);
  return { ...plan, after: [plan.after, sources].filter(Boolean).join('\n\n') };
};

/** Nothing fits plainly: what is near, or nothing at all. */
const askedBack: Reader = async (_host, said, language) => {
  const found = (await howToAnswer(said, language))?.text ?? (await sectionAnswer(said, language));
  if (found) return { before: found, guess: true };
  const near = await nearSections(said, NEAR);
  if (near.length === 0) return undefined;
  const words = operatorWords(language);
  return {
    before: [words.nearest, ...near.map((place) => `- ${place}`)].join('\n'),
    after: words.model,
    guess: true,
  };
};

const READERS: readonly Reader[] = [
  wantedForgotten,
  toldToMemory,
  toldRule,
  askedAboutIncidents,
  askedMemory,
  toldTrouble,
  askedHow,
  wantedSkill,
  askedBack,
];
