import type { OperatorPlan } from '#spec/ports';
import {
  categoryWord,
  describeRule,
  howToConnect,
  type IncidentQuestion,
  incidentLine,
  type Report,
  verdictLines,
} from '#engines/aiops';
import type { Language } from '#kit/language';
import { OPEN_STATES, type Operation } from '#spec/data';
import { definitionOf } from '#spec/data/operations';
import { type HomeIncidents, ruleBook, toolDesk } from '../incidents/index.ts';
import type { OperatorHome } from './operator-home.ts';
import { operatorWords } from './operator-words.ts';
import { momentOf } from './stored-answers.ts';

const MOST_LISTED = 10;
const MOST_LOOKED = 200;
const HOUR_MS = 3_600_000;
const LOOK_MS = 30 * 60_000;

/** A call of a tool that stands in no prompt. */
export const deferredCall = (name: string, input: object) => ({
  name: 'tool_call',
  input: { name, arguments: input },
});

/** Opens an incident for what somebody tells, and shows what comes of it. */
export function openIncidentPlan(said: string, service: string, severity: Report['severity']): OperatorPlan {
  return {
    calls: [deferredCall('incident_open', { text: said, service, ...(severity ? { severity } : {}) })],
  };
}

/** "Why is payment-service slow?": the open incident, or what evidence shows now. Nothing is opened by a question. */
export async function whyAnswer(home: OperatorHome, service: string, language: Language): Promise<string> {
  const words = operatorWords(language);
  const desk = toolDesk(home);
  const known = await desk.find({ service });
  if (known) return [words.openProposal, '', ...verdictLines(known, language)].join('\n');
  const signal = AbortSignal.timeout(home.settings.incidents.collect_seconds * 1_000 + 5_000);
  const { rca } = await desk.diagnose({ service, windowMs: LOOK_MS }, signal);
  const [first] = rca.status === 'concluded' ? rca.hypotheses : [];
  const connect = howToConnect(rca.missing, language);
  const cause = first && [categoryWord(first.category, language), first.service].filter(Boolean).join(', ');
  return [
    words.noIncidentOf(service),
    words.lookedNow(service),
    '',
    first && cause ? words.concluded(cause, Math.round(first.confidence * 100)) : words.inconclusive,
    ...(first ? [first.why[language]] : []),
    ...rca.evidence
      .filter(({ id }) => first?.supports.includes(id))
      .slice(0, 5)
      .map(({ id, summary }) => `- ${id}: ${summary[language]}`),
    ...(connect.length ? ['', words.connect, ...connect] : []),
    '',
    words.offerOpen(service),
  ].join('\n');
}

export async function incidentsText(
  home: OperatorHome,
  asked: Extract<IncidentQuestion, { about: 'incidents' }>,
  language: Language,
): Promise<string> {
  const { which, last, severity, hours, service } = asked;
  const words = operatorWords(language);
  const { store } = await home.incidents();
  const open = new Set<string>(OPEN_STATES);
  const since = hours === undefined ? 0 : Date.now() - hours * HOUR_MS;
  const all = await store.list({ limit: MOST_LOOKED, ...(service ? { service } : {}) });
  const fitting = all.filter(
    (one) =>
      (which === 'all' || open.has(one.state) === (which === 'open')) &&
      (severity === undefined || one.severity === severity) &&
      one.createdAt >= since,
  );
  const [newest] = fitting;
  if (!newest) {
    const every = which === 'open' && severity === undefined && service === undefined;
    const looked =
      hours === undefined ? (every ? words.noneOpen : words.noIncidents) : words.noneSince(momentOf(since));
    return `${looked} ${words.incidentHow}`;
  }
  if (last || fitting.length === 1) return verdictWithEvidence(newest, language);
  const lines = fitting.slice(0, MOST_LISTED).map((one) => incidentLine(one, language));
  return [...lines, '', words.incidentMore].join('\n');
}

/** The newest incident with what speaks for and against each cause. */
function verdictWithEvidence(incident: Parameters<typeof verdictLines>[0], language: Language): string {
  const { rca } = incident;
  const hypotheses = (rca?.hypotheses ?? [])
    .slice(0, 3)
    .map(({ category, service, confidence, supports, refutes, why }) => {
      const words = operatorWords(language);
      const cause = [categoryWord(category, language), service].filter(Boolean).join(', ');
      const against = refutes.length ? `; ${words.against}: ${refutes.join(', ')}` : '';
      return `- ${cause} (${Math.round(confidence * 100)} %): ${why[language]} [${words.supports}: ${supports.join(', ') || '–'}${against}]`;
    });
  return [...verdictLines(incident, language), ...(hypotheses.length ? ['', ...hypotheses] : [])].join('\n');
}

/** Profile, rules and incidents of a service. */
export async function serviceText(home: OperatorHome, service: string, language: Language): Promise<string> {
  const words = operatorWords(language);
  const { services } = await home.incidentFile();
  const profile = services.find((one) => one.service === service);
  const rules = await rulesAbout(home, service, undefined, language);
  const { store } = await home.incidents();
  const past = await store.list({ service, limit: 3 });
  const lines = [
    ...(profile?.owner ? [`- ${words.owner}: ${profile.owner}`] : []),
    ...(profile?.dependencies.length ? [`- ${words.dependencies}: ${profile.dependencies.join(', ')}`] : []),
    ...(rules.length ? [`- ${words.rulesOf}:`, ...rules.map((line) => `  ${line}`)] : []),
    ...(past.length
      ? [`- ${words.incidentsOf}:`, ...past.map((one) => `  ${incidentLine(one, language)}`)]
      : []),
  ];
  return lines.length ? [words.serviceHead(service), ...lines].join('\n') : words.unknownService(service);
}

async function rulesAbout(
  home: OperatorHome,
  service: string | undefined,
  operation: Operation | undefined,
  language: Language,
): Promise<string[]> {
  const rules = await ruleBook(home).list();
  return rules
    .filter(
      ({ rule }) =>
        rule &&
        (rule.service === undefined || rule.service === service || rule.prefer?.service === service) &&
        (operation === undefined || rule.operation === undefined || rule.operation === operation),
    )
    .map(
      ({ text, rule }) =>
        `- ${text}${rule ? ` (${describeRule(rule, language).split('\n').at(-1)?.replace(/^- /, '')})` : ''}`,
    );
}

const KINDS: readonly (readonly [RegExp, 'metrics' | 'logs' | 'traces' | 'changes'])[] = [
  [/\bmetrics?\b|\btraffic\b|\bqps\b|指标|流量|监控数据/i, 'metrics'],
  [/\blogs?\b(?!in)|日志/i, 'logs'],
  [/\btraces?\b|\bspans?\b|链路|调用链/i, 'traces'],
];

/** How to connect the kinds of telemetry that a message speaks of and that no backend gives. */
export async function missingSources(home: OperatorHome, said: string, language: Language): Promise<string> {
  const named = KINDS.filter(([words]) => words.test(said)).map(([, kind]) => kind);
  const lines = await missingKinds(home, language, named);
  return lines.length ? [operatorWords(language).telemetry, ...lines].join('\n') : '';
}

/** Sources of telemetry that somebody connected: the built-in store is always there. */
export const telemetryFromOutside = ({ listed }: Pick<HomeIncidents['backends'], 'listed'>) =>
  listed.filter(({ part, type }) => part === 'telemetry' && type !== 'embedded');

/** How to connect what no backend gives, of these kinds; the built-in store is none. */
export async function missingKinds(
  home: OperatorHome,
  language: Language,
  kinds: readonly (typeof KINDS)[number][1][] = ['metrics', 'logs', 'traces', 'changes'],
): Promise<readonly string[]> {
  const { backends } = await home.incidents();
  const names = new Set(telemetryFromOutside(backends).map(({ name }) => name));
  const absent = kinds.filter(
    (kind) => !backends.sources.some((source) => names.has(source[kind]?.name ?? '')),
  );
  return howToConnect(absent, language);
}

/** Whether an approved action would be carried out here, and what is missing for it. */
async function executionText(home: OperatorHome, operation: Operation, language: Language): Promise<string> {
  const words = operatorWords(language);
  const { execute, operations } = home.settings.incidents;
  const { backends } = await home.incidents();
  const connected = backends.listed.some(({ part }) => part === 'executors');
  const lacking = [
    ...(execute ? [] : ['`hermes config set incidents.execute true`']),
    ...(operations.includes(operation) ? [] : [words.allowOperation(operation)]),
    ...(connected ? [] : [words.connectExecutor]),
  ];
  return lacking.length ? words.executionOff(lacking.join(words.apart)) : words.executionOn;
}

/** An action that somebody wants, or asks about: what stands before it, and never a yes. */
export async function actionAnswer(
  home: OperatorHome,
  asked: { readonly service?: string | undefined; readonly operation: Operation; readonly question: boolean },
  language: Language,
): Promise<string> {
  const words = operatorWords(language);
  const { service, operation, question } = asked;
  const open = service === undefined ? undefined : await toolDesk(home).find({ service });
  const rules = await rulesAbout(home, service, operation, language);
  return [
    words.noDirect(definitionOf(operation).name[language]),
    ...(question ? [words.noYes] : []),
    await executionText(home, operation, language),
    '',
    ...(rules.length ? [words.rulesHead, ...rules] : [words.noRules]),
    '',
    ...(open
      ? [words.openProposal, ...verdictLines(open, language)]
      : [
          ...(service ? [words.noIncidentOf(service)] : []),
          words.how,
          ...(service ? [words.offerOpen(service)] : []),
        ]),
  ].join('\n');
}
