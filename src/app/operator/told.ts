import type { OperatorPlan } from '#spec/ports';
import { operationsIn, readReport, type Report, soundsLikeRule } from '#engines/aiops';
import { changesSomething } from '#spec/data/operations';
import { servicesIn, withoutName } from '#kit/service-names';
import type { OperatorHome } from './operator-home.ts';
import { type Asked, ASKED } from './asked.ts';
import { forgetPlan, forgetWish } from './forget-plan.ts';
import {
  actionAnswer,
  deferredCall,
  missingSources,
  openIncidentPlan,
  serviceText,
  whyAnswer,
} from './incident-answers.ts';
import { keptPlan, notePlan, recallPlan, ruleCall } from './memory-answers.ts';
import { operatorWords } from './operator-words.ts';
import { publishText } from './publish-plan.ts';
import { asks, cries } from './mood.ts';
import { runbookText, technologyWords } from './skill-answers.ts';
import { approvalsText } from './stored-answers.ts';
import { MACHINE_TOPICS } from './machine-readings.ts';
import { timerText, toldWords } from './told-words.ts';

type Deed = (home: OperatorHome, told: Asked) => Promise<OperatorPlan | undefined>;

/** Something is wrong: with a service it is an incident, without one whoever tells it is asked which. */
const trouble: Deed = async (home, { said, language, runbook }) => {
  const services = await (await home.incidents()).services();
  const report = readReport(said, { services, isTechnology: await technologyWords(home) });
  const words = operatorWords(language);
  const shown = runbook ? await runbookText(home, runbook, { said, language }) : '';
  const service = report?.service ?? servicesIn(said, services)[0];
  // A statement about a service tells, also where no word of it is known as a symptom.
  if (service !== undefined && (report ? report.mood === 'tells' : !asks(said)))
    return { ...openIncidentPlan(said, service, report?.severity), after: shown };
  if (service !== undefined) return lookAt(home, { said, language, service, report, shown });
  if (report?.mood === 'past') return recallPlan(home, said, said, language);
  const known = services.length ? words.knownServices(services.slice(0, 12).join(', ')) : '';
  const which = [words.askService, known].filter(Boolean).join('\n');
  // Somebody who cries for help is told what to do first; a runbook that is only near is no help.
  return shown && !cries(said)
    ? { before: shown, after: which }
    : firstSteps(home, which, { said, language, slots: {} });
};

/** Nobody says what it is: what is open, and how this machine does, before anybody asks back. */
async function firstSteps(home: OperatorHome, which: string, asked: Asked): Promise<OperatorPlan> {
  const open = await ASKED['incidents-open']?.(home, asked);
  const looks = ['load', 'memory', 'disk-space'].flatMap((id) => MACHINE_TOPICS[id] ?? []);
  const calls = looks.map((topic) => topic.calls({}));
  return {
    before: [which, open?.before].filter(Boolean).join('\n\n'),
    calls: calls.flat().map(({ name, input }) => deferredCall(name, input)),
    show: (results) => {
      let at = 0;
      return looks
        .map((topic, number) => {
          const own = results.slice(at, (at += calls[number]?.length ?? 0));
          // The sentence with the figures alone.
          return `- ${topic.show(own, {}, asked.language).split('\n', 1)[0]}`;
        })
        .join('\n');
    },
    after: toldWords(asked.language).nextSteps,
  };
}

async function lookAt(
  home: OperatorHome,
  {
    said,
    language,
    service,
    report,
    shown,
  }: Pick<Asked, 'said' | 'language'> & {
    readonly service: string;
    readonly report: Report | undefined;
    readonly shown: string;
  },
): Promise<OperatorPlan> {
  const words = operatorWords(language);
  if (report?.mood === 'past') return recallPlan(home, said, said, language);
  if (report?.mood !== 'advice') return { before: await whyAnswer(home, service, language), after: shown };
  const open = await (await home.incidents()).store.list({ service, limit: 1 });
  const about = open.length ? await serviceText(home, service, language) : words.offerOpen(service);
  return shown ? { before: shown, after: about } : { before: about };
}

const THANKS = /\bthank|\bthx\b|\bty\b|\bcheers\b|谢|辛苦|多亏/i;

/** Whether an action is named. */
const wants = (said: string): boolean =>
  operationsIn(said).some(({ operation }) => changesSomething(operation));

const action: Deed = async (home, { said, language, runbook }) => {
  const services = await (await home.incidents()).services();
  const report = readReport(said, { services });
  const service = servicesIn(said, services)[0] ?? report?.service;
  const [wanted] = operationsIn(said);
  if (!wanted || !changesSomething(wanted.operation)) return { before: toldWords(language).noSuchAction };
  const question = /[?？]\s*$|吗[\s。]*$|^(?:should|can|is it)\b/i.test(said);
  const text = await actionAnswer(home, { service, operation: wanted.operation, question }, language);
  const pointer = runbook ? operatorWords(language).alsoRunbook(runbook.name) : '';
  const sources = await missingSources(home, service ? withoutName(said, service) : said, language);
  return { before: text, after: [sources, pointer].filter(Boolean).join('\n\n') };
};

/** Things that are told or wanted, by the id of their topic. */
export const DEEDS: Readonly<Record<string, Deed>> = {
  trouble,
  why: trouble,
  // What demands nothing that a rule can demand, and names an action, is a wish for it.
  rule: async (home, told) =>
    (await ruleCall(home, told.said)) ??
    (wants(told.said) && !soundsLikeRule(told.said)
      ? action(home, told)
      : notePlan(told.said, told.said, told.language)),
  remember: async (home, { said, language }) =>
    (await ruleCall(home, said)) ?? notePlan(said, said, language),
  preference: async (_home, { said, language }) =>
    keptPlan({ action: 'add', target: 'user', content: said }, language),
  forget: async (_home, { said, language }) => forgetPlan(forgetWish(said) ?? said, language),
  publish: async (home, { language }) => ({ before: await publishText(home, language) }),
  action,
  approve: async (home, { language }) => ({ before: await approvalsText(home, true, language) }),
  close: async (home, told) => {
    const { slots, language } = told;
    const which = slots.incident ? 'incident-one' : 'incidents-open';
    const found = await ASKED[which]?.(home, told);
    return {
      before: [toldWords(language).closing(slots.incident ?? 'ID'), found?.before]
        .filter(Boolean)
        .join('\n\n'),
    };
  },
  dangerous: async (home, { said, language, runbook }) => ({
    before: [toldWords(language).refused, toldWords(language).safer].join('\n\n'),
    after: runbook ? await runbookText(home, runbook, { said, language }) : '',
  }),
  thanks: async (_home, { said, language }) => ({
    before: THANKS.test(said) ? toldWords(language).welcome : toldWords(language).greeting,
  }),
  schedule: async (_home, { said, language, command }) => ({
    before: timerText(said, command, language),
  }),
};
