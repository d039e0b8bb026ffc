import type { OperatorPlan } from '#spec/ports';
import { incidentLine, readQuestion, rulesText, verdictLines } from '#engines/aiops';
import { dropHidden } from '#kit/hidden-characters';
import type { Language } from '#kit/language';
import { say } from '#kit/text';
import { servicesIn } from '#kit/service-names';
import { OPEN_STATES, type Skill } from '#spec/data';
import type { OperatorHome } from './operator-home.ts';
import { incidentsText, missingKinds, serviceText } from './incident-answers.ts';
import { NOTHING_REMEMBERED, recallPlan } from './memory-answers.ts';
import { askedWords } from './asked-words.ts';
import { operatorWords } from './operator-words.ts';
import { approvalsText, changesText, documentText, momentOf, spanText } from './stored-answers.ts';
import { asksForLastTime } from '#engines/memory';
import { ruleBook } from '../incidents/index.ts';
import { viewTools } from '../tools/index.ts';
import { reachSentence, viewReach } from '../status/index.ts';
import { inLanguage } from './skill-answers.ts';
import type { Slots } from './slots.ts';

export interface Asked {
  readonly said: string;
  readonly slots: Slots;
  readonly language: Language;
  /** The runbook that is nearest to what is said. */
  readonly runbook?: Skill | undefined;
  /** The command that does what is to be done at another time. */
  readonly command?: string | undefined;
  /** Skills that are near to what is said, the nearest first. */
  readonly near?: readonly string[];
}

type Answer = (home: OperatorHome, asked: Asked) => Promise<OperatorPlan>;

const MOST_LISTED = 12;
const USUAL_LINES = 20;
const MOST_LINES = 100;
const MOST_WIDTH = 300;
const MOST_SEARCHED = 1_000;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;

const told = (text: string): OperatorPlan => ({ before: text });

/** How far back is meant, in hours; the number that a sentence gives, or the usual span of the question. */
const hoursOf = (said: string, usual: number): number => {
  const { number, unit } =
    /(?<number>\d{1,4})\s*(?<unit>h|hours?|小时|d|days?|天|weeks?|周|months?|个月)/i.exec(said)?.groups ?? {};
  if (number && unit) {
    const each = /^(?:h|小时)/i.test(unit) ? 1 : /^(?:d|天)/i.test(unit) ? DAY_HOURS : WEEK_HOURS;
    return Number(number) * (/month|个月/i.test(unit) ? 30 * DAY_HOURS : each);
  }
  const named = SPANS.find(([words]) => words.test(said))?.[1];
  if (named !== undefined) return named;
  const question = readQuestion(said);
  return question && 'hours' in question && question.hours ? question.hours : usual;
};

/** Spans by their names; one that is over began as long before. */
const SPANS: readonly (readonly [RegExp, number])[] = [
  [/\blast month\b|上个?月/i, 62 * DAY_HOURS],
  [/\b(?:this|past) month\b|\bmonthly\b|(?:这|本)个?月|月报/i, 31 * DAY_HOURS],
  [/\blast week\b|上个?(?:周|星期|礼拜)/i, 2 * WEEK_HOURS],
  [/\b(?:this|past) week\b|\bweekly\b|(?:这|本)个?(?:周|星期|礼拜)|周报/i, WEEK_HOURS],
  [/\byesterday\b|昨[天日晚]/i, 2 * DAY_HOURS],
];

const serviceOf = async (home: OperatorHome, said: string): Promise<string | undefined> =>
  servicesIn(said, await (await home.incidents()).services())[0];

/** A line of `session_search`: when, which, what. */
const LISTED_SESSION = /^(?<at>\d{4}-\d\d-\d\d \d\d:\d\d) {2}\S+ {2}(?<title>.*)$/m;

/** Of the incidents, what a sentence narrows: a severity, a span, a service. */
const listed =
  (which: 'open' | 'all', last: boolean): Answer =>
  async (home, { said, language }) => {
    const asked = readQuestion(said, await (await home.incidents()).services());
    const narrowed = asked?.about === 'incidents' ? asked : undefined;
    const service = narrowed?.service ?? (await serviceOf(home, said));
    return told(
      await incidentsText(
        home,
        {
          about: 'incidents',
          which: which === 'open' ? 'open' : (narrowed?.which ?? 'all'),
          last,
          ...(narrowed?.severity ? { severity: narrowed.severity } : {}),
          ...(narrowed?.hours === undefined ? {} : { hours: narrowed.hours }),
          ...(service ? { service } : {}),
        },
        language,
      ),
    );
  };

async function statusText(home: OperatorHome, language: Language): Promise<string> {
  const words = askedWords(language);
  const { store } = await home.incidents();
  const open = await store.list({ states: OPEN_STATES, limit: MOST_LISTED });
  const pending = await (await home.gate()).pending();
  const model = await home.answering();
  return [
    open.length ? words.openIncidents(open.length) : words.noOpenIncident,
    ...open.slice(0, 5).map((one) => incidentLine(one, language)),
    pending.length ? words.waits(pending.length) : words.nothingWaits,
    `Hermes ${home.version}, ${words.home} ${home.own.root} (${home.profile})`,
    model ? words.modelIs(model) : words.noModel,
    ...(await connectedLines(home, language)),
    '',
    words.more,
  ].join('\n');
}

/** What the home reaches out to, each asked now. */
async function connectedLines(home: OperatorHome, language: Language): Promise<string[]> {
  const words = askedWords(language);
  const reach = await home.own.reach();
  await reach.askAll();
  const things = reach.things().map(viewReach);
  const lines = things.map((view) => `- ${view.name}: ${reachSentence(view, language)}`);
  // What is connected from outside: its own store of telemetry is always there.
  const { backends } = await home.incidents();
  const outside = backends.listed.filter(({ part, type }) => part !== 'telemetry' || type !== 'embedded');
  const missing = await missingKinds(home, language);
  return [
    ...(outside.length ? [] : [words.noSource]),
    ...(missing.length ? [words.missingKinds, ...missing, ''] : []),
    words.reached,
    ...lines,
  ];
}

/** The newest decisions; what other conversations wanted is of their people, so only their kind is told. */
async function historyText(home: OperatorHome, { said, language }: Asked): Promise<string> {
  const words = askedWords(language);
  const { audit } = await home.gate();
  const service = await serviceOf(home, said);
  const all = await audit.last(service ? MOST_SEARCHED : MOST_LISTED);
  const entries = service ? all.filter(({ data }) => JSON.stringify(data).includes(service)) : all;
  if (service && entries.length === 0) return [words.noneAbout(service), words.historyMore].join('\n\n');
  if (entries.length === 0) return words.noHistory;
  const lines = entries.map(({ at, kind, requester, data }) => {
    const what =
      requester.platform === 'incident'
        ? `${requester.session} ${typeof data['shown'] === 'string' ? data['shown'] : ''}`
        : '';
    return `- ${momentOf(at)} ${kind} (${requester.user ?? requester.platform}) ${what}`.trimEnd();
  });
  return [words.history, ...lines, '', words.historyMore].join('\n');
}

const WORKFLOWS_ALONE = /\bworkflows?\b|工作流|流程/i;

/** What there is for what somebody names; else all of it. */
async function skillsText(
  home: OperatorHome,
  { near = [], said, language }: Pick<Asked, 'near' | 'said' | 'language'>,
): Promise<string> {
  const words = askedWords(language);
  const { library } = await home.skills();
  const all = await library.all();
  const fitting = near.flatMap((name) => all.filter((skill) => skill.name === name));
  if (fitting.length)
    return [
      words.skillsFor,
      ...fitting.map(
        ({ name, form, description }) =>
          `- \`${name}\` (${form === 'workflow' ? words.workflow : words.runbook}): ${inLanguage(description, language)}`,
      ),
      '',
      words.skillsUse,
    ].join('\n');
  const by = (form: string) => all.filter((skill) => skill.form === form).map(({ name }) => `\`${name}\``);
  if (WORKFLOWS_ALONE.test(said) && !/runbook|playbook|skill|手册|预案|技能/i.test(said))
    return [
      words.workflows(by('workflow').length),
      ...all
        .filter(({ form }) => form === 'workflow')
        .map(({ name, description }) => `- \`${name}\`: ${inLanguage(description, language)}`),
      '',
      words.skillsMore,
    ].join('\n');
  return [
    words.workflows(by('workflow').length),
    by('workflow').join(', '),
    '',
    words.runbooks(by('document').length),
    by('document').join(', '),
    '',
    words.skillsMore,
  ].join('\n');
}

/** Questions that are answered from what is stored or set, by the id of their topic. */
export const ASKED: Readonly<Record<string, Answer>> = {
  status: async (home, { language }) => told(await statusText(home, language)),
  version: async (home, { language }) =>
    told(
      askedWords(language).version(
        home.version,
        process.versions.node,
        `${process.platform}-${process.arch}`,
      ),
    ),
  'incidents-open': listed('open', false),
  'incidents-all': listed('all', false),
  'incident-last': listed('all', true),
  'incident-one': async (home, { slots: { incident }, language }) => {
    const words = askedWords(language);
    const { store } = await home.incidents();
    const all = await store.list({ limit: 500 });
    const found = incident && all.find(({ id }) => id.toLowerCase() === incident.toLowerCase());
    if (found) return told([...verdictLines(found, language), '', words.oneMore(found.id)].join('\n'));
    const lines = all.slice(0, 5).map((one) => incidentLine(one, language));
    return told([words.noSuchIncident(incident ?? ''), ...lines, words.listIncidents].join('\n'));
  },
  'approvals-pending': async (home, { language }) => told(await approvalsText(home, false, language)),
  'approvals-history': async (home, asked) => told(await historyText(home, asked)),
  'audit-verify': async (home, { language }) => {
    const words = askedWords(language);
    const found = await (await home.gate()).audit.verify();
    return told(found.sound ? words.auditSound(found.entries) : words.auditBroken(found.seq));
  },
  changes: async (home, { said, language }) =>
    told(
      await changesText(
        home,
        { service: await serviceOf(home, said), hours: hoursOf(said, DAY_HOURS) },
        language,
      ),
    ),
  span: async (home, { said, language }) => told(await spanText(home, hoursOf(said, DAY_HOURS), language)),
  handover: async (home, { said, language }) =>
    told(
      await documentText(
        home,
        { about: 'document', kind: 'digest', hours: hoursOf(said, DAY_HOURS) },
        language,
      ),
    ),
  'post-mortem': async (home, { said, language }) => {
    const service = await serviceOf(home, said);
    return told(
      await documentText(
        home,
        { about: 'document', kind: 'post-mortem', hours: WEEK_HOURS, ...(service ? { service } : {}) },
        language,
      ),
    );
  },
  recall: async (home, { said, language, runbook }) => {
    const plan = await recallPlan(home, said, said, language);
    const pointer = runbook ? operatorWords(language).alsoRunbook(runbook.name) : '';
    return { ...plan, after: [plan.after, pointer].filter(Boolean).join('\n\n') };
  },
  rules: async (home, { language }) => told(rulesText(await ruleBook(home).list(), language)),
  service: async (home, { said, language }) => {
    const service = await serviceOf(home, said);
    if (!service) return ASKED['services']?.(home, { said, slots: {}, language }) as Promise<OperatorPlan>;
    return {
      before: await serviceText(home, service, language),
      calls: [{ name: 'memory_search', input: { query: service, limit: 5 } }],
      show: ([found]) => (found && !found.failed && /^- /m.test(found.text) ? found.text : ''),
    };
  },
  services: async (home, { language }) => {
    const words = askedWords(language);
    const services = await (await home.incidents()).services();
    return told(
      services.length ? operatorWords(language).knownServices(services.join(', ')) : words.noServices,
    );
  },
  connected: async (home, { language }) => told((await connectedLines(home, language)).join('\n')),
  learned: async (home, { language }) => {
    const words = askedWords(language);
    const { learning } = await home.skills();
    const { experiences, skills, ledger } = await learning.status();
    const lines = [
      ...skills.map(({ name, version }) => `- \`${name}\` ${version}`),
      ...ledger.map(({ action, skill, why }) => `- ${action} \`${skill}\`: ${why}`),
    ].slice(0, MOST_LISTED);
    return told(
      [
        words.experiences(experiences),
        ...(lines.length ? lines : [words.nothingLearned]),
        words.learnedMore,
      ].join('\n'),
    );
  },
  remembered: async (_home, { language }) => ({
    calls: [{ name: 'memory_search', input: { limit: MOST_LISTED } }],
    show: ([found]) =>
      found && !found.failed && /^- /m.test(found.text) ? found.text : operatorWords(language).nothingKept,
    after: askedWords(language).rememberedMore,
  }),
  sessions: async (_home, { said, language }) => {
    const words = askedWords(language);
    const last = asksForLastTime(said);
    return {
      calls: [
        { name: 'session_search', input: last ? { limit: 1 } : {} },
        ...(last ? [{ name: 'memory_search', input: { query: said } }] : []),
      ],
      show: ([recent, kept]) => {
        const lines = recent?.text ?? '';
        if (!LISTED_SESSION.test(lines)) return words.noSession;
        if (!last) return lines;
        const { at = '', title = '' } = LISTED_SESSION.exec(lines)?.groups ?? {};
        // What is listed are memories that share words with the question.
        const isSummary = kept && !kept.failed && !/^- /m.test(kept.text) && kept.text !== NOTHING_REMEMBERED;
        const summary = isSummary ? kept.text : '';
        return [words.lastSession(title, at), summary].filter(Boolean).join('\n\n');
      },
      after: words.sessionsMore,
    };
  },
  skills: async (home, asked) => told(await skillsText(home, asked)),
  tools: async (home, { language }) => {
    const words = askedWords(language);
    const all = await viewTools(home);
    const ready = all.filter(({ missing, off }) => missing === undefined && !off).map(({ name }) => name);
    const lines = all.flatMap(({ name, missing }) =>
      missing === undefined
        ? []
        : [`- \`${name}\`: ${say(missing.what, language)} (${say(missing.fix, language)})`],
    );
    return told(
      [
        words.toolsReady(ready.length),
        ready.join(', '),
        '',
        ...lines.slice(0, MOST_LISTED),
        words.toolsMore,
      ].join('\n'),
    );
  },
  settings: async (home, { language }) => {
    const words = askedWords(language);
    const lines = home.own
      .changedSettings()
      .map(({ path, value }) => `- \`${path}\`: ${JSON.stringify(value)}`);
    return told(
      [
        words.configAt(home.own.settingsFile),
        ...(lines.length ? lines : [words.allDefaults]),
        '',
        words.configMore,
      ].join('\n'),
    );
  },
  model: async (home, { language }) => {
    const words = askedWords(language);
    const model = await home.answering();
    const { keys, servers } = await home.own.modelsAtHand();
    return told(
      [
        model ? words.modelIs(model) : words.noModel,
        words.atHand(keys.join(', '), servers.join(', ')),
        words.modelMore,
      ].join('\n'),
    );
  },
  cost: async (_home, { language }) => told(askedWords(language).cost),
  users: async (home, { language }) => {
    const words = askedWords(language);
    const users = await home.own.users();
    const lines = users.map(({ user, role }) => `- ${user}: ${role}`);
    return told([lines.length ? words.users : words.noUsers, ...lines, '', words.usersMore].join('\n'));
  },
  mcp: async (home, { language }) => {
    const words = askedWords(language);
    const lines = (await home.own.mcpServers()).map(({ server, state }) => `- ${server}: ${state}`);
    return told([lines.length ? words.mcp : words.noMcp, ...lines, words.mcpMore].join('\n'));
  },
  plugins: async (home, { language }) => {
    const words = askedWords(language);
    const lines = (await home.own.pluginStates(language)).map(({ name, state }) => `- ${name}: ${state}`);
    return told([lines.length ? words.plugins : words.noPlugins, ...lines, words.pluginsMore].join('\n'));
  },
  'check-installation': async (home, { language }) =>
    told([...(await connectedLines(home, language)), '', askedWords(language).doctor].join('\n')),
  'own-logs': async (home, { slots: { count = USUAL_LINES }, language }) => {
    const words = askedWords(language);
    const lines = await home.own.lastLogged(Math.min(Math.max(count, 1), MOST_LINES));
    const shown = (lines ?? []).map((line) => dropHidden(line).slice(0, MOST_WIDTH).replaceAll('```', "'''"));
    return told(
      [
        lines?.length ? words.logged(lines.length) : words.noLog,
        ...(shown.length ? ['', '```', ...shown, '```', ''] : []),
        words.logs(home.own.logs),
      ].join('\n'),
    );
  },
  help: async () => ({ help: true }),
  identity: async (_home, { language }) => told(askedWords(language).identity),
};
