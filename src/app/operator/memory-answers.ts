import type { OperatorPlan, OperatorResult } from '#spec/ports';
import { noRuleText, operationsIn, soundsLikeRule } from '#engines/aiops';
import { decideWrites, scanTold } from '#engines/memory';
import type { Language } from '#kit/language';
import { servicesIn } from '#kit/service-names';
import type { OperatorHome } from './operator-home.ts';
import { deferredCall, incidentsText, serviceText } from './incident-answers.ts';
import { operatorWords } from './operator-words.ts';

export async function ruleCall(home: OperatorHome, text: string): Promise<OperatorPlan | undefined> {
  const { ruleBook } = await import('../incidents/index.ts');
  if (!(await ruleBook(home).read(text))) return undefined;
  return { calls: [deferredCall('house_rule', { action: 'add', text })] };
}

/** Called a rule by whoever says it, or about changes in general. */
const ABOUT_RULES = /\b(?:rules?|polic(?:y|ies)|deploy\w*|releas\w*|changes?)\b|规则|规定|发布|上线|变更/i;

/** What sounds like a rule and is none is kept as a note, and said to be one. */
export function notePlan(said: string, text: string, language: Language): OperatorPlan {
  const ofTeam = decideWrites({ session: '', turn: 0, said, answered: '', at: 0 }).some(
    (write) => write.to === 'entry' && write.telling.kind === 'governance_rule',
  );
  const target = ofTeam ? 'service' : 'memory';
  const plan = keptPlan({ action: 'add', target, content: text }, language);
  const about =
    soundsLikeRule(text) &&
    (servicesIn(text).length > 0 || operationsIn(text).length > 0 || ABOUT_RULES.test(text));
  return about ? { ...plan, after: operatorWords(language).note(noRuleText(text, language)) } : plan;
}

export function keptPlan(
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

/** What `memory_search` says where it finds nothing, for a model. */
export const NOTHING_REMEMBERED = 'Nothing is remembered about this.';

/** What is remembered, earlier incidents of the service, and the runbook. */
export async function recallPlan(
  home: OperatorHome,
  said: string,
  query: string,
  language: Language,
): Promise<OperatorPlan> {
  const [service] = servicesIn(said);
  const about = service
    ? [
        await incidentsText(home, { about: 'incidents', which: 'all', last: false, service }, language),
        await serviceText(home, service, language),
      ].join('\n\n')
    : await incidentsText(home, { about: 'incidents', which: 'all', last: false }, language);
  const show = ([found]: readonly OperatorResult[]): string =>
    !found || found.failed || found.text !== NOTHING_REMEMBERED
      ? (found?.text ?? '')
      : operatorWords(language).nothingKept;
  return {
    calls: [{ name: 'memory_search', input: { query } }],
    show,
    after: about,
  };
}
