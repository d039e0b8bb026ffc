import { z } from 'zod';
import { scanTold } from '#engines/memory';
import { type Language, languageOf } from '#kit/language';
import type { GovernanceRule } from '#spec/data';
import type { Tool, ToolContext } from '#spec/ports';
import { describeRule } from '../policy/rules/describe-rule.ts';
import { whyNoRule } from '../policy/rules/parse-rule.ts';
import { defineIncidentTool } from './define-incident-tool.ts';
import { cell, refused, said } from './show-table.ts';

/** A rule of the house, wherever it was written down. */
export interface HouseRule {
  readonly id: string;
  readonly text: string;
  /** Absent: it is kept as one and not understood, so it does not hold. */
  readonly rule?: GovernanceRule;
  /** Only what was told can be taken away in a conversation. */
  readonly from: 'file' | 'told';
}

/** The rules of the house: those of the file, and those that people told. */
export interface RuleBook {
  /** As it would be obeyed; undefined where it is no rule. */
  read(text: string): Promise<GovernanceRule | undefined>;
  list(): Promise<readonly HouseRule[]>;
  /** Throws where it may not be kept, such as a text with a credential in it. */
  keep(text: string, session: string): Promise<string>;
  /** Whether a person said these words in this conversation just now, and their word is enough. */
  isSaid(text: string, session: string): Promise<boolean>;
  /** Has it wait for a person. Gives the id under which it waits. */
  stage(text: string, session: string): Promise<string>;
  remove(id: string): Promise<boolean>;
}

const WORDS = {
  en: {
    understood: 'Understood as a rule of the house:',
    ask: 'Is that what you mean? It holds from now on.',
    yes: 'Yes, keep the rule',
    no: 'No',
    kept: (id: string) =>
      `Kept in the memory of the team as the rule \`${id}\`: the policy obeys it from now on.`,
    dropped: 'Nothing is kept.',
    notKept: (why: string) => `Not kept: ${why}.`,
    staged: (id: string) =>
      `Nobody could be asked here, so it waits and does not hold yet. Agree with \`hermes memory approve ${id}\`, or drop it with \`hermes memory reject ${id}\`.`,
    after: (id: string) =>
      `All rules: \`hermes memory rules\` (in a chat \`/rules\`). Take it away: \`hermes memory rules remove ${id}\` (\`/rules remove ${id}\`).`,
    none: 'There is no rule of the house yet. Say one: `remember: payment-service rollbacks need approval`.',
    notUnderstood: 'not understood, does not hold',
    removed: (id: string) => `The rule \`${id}\` is taken away.`,
    unknown: (id: string) =>
      `There is no told rule '${id}'. Those of incidents.yaml are changed in that file.`,
    noRule: (why: string) => `It is not a rule, because ${why}.`,
    whys: {
      days: 'it names days or dates, and rules know hours of the day alone',
      demand:
        'it demands nothing that a rule can demand (approval, a second confirmation, only a rehearsal, never, or something else first)',
      action: 'it names no action that the policy takes (roll back, restart, scale, degrade, …)',
    },
  },
  zh: {
    understood: '理解为一条团队规则:',
    ask: '是这个意思吗?确认后立即生效。',
    yes: '是,保存规则',
    no: '否',
    kept: (id: string) => `已保存到团队记忆,规则 \`${id}\` 现在起生效,策略会遵守。`,
    dropped: '没有保存。',
    notKept: (why: string) => `未保存:${why}。`,
    staged: (id: string) =>
      `这里无人可确认,规则在等待,尚未生效。确认:\`hermes memory approve ${id}\`;放弃:\`hermes memory reject ${id}\`。`,
    after: (id: string) =>
      `全部规则:\`hermes memory rules\`(对话中 \`/rules\`)。删除:\`hermes memory rules remove ${id}\`(\`/rules remove ${id}\`)。`,
    none: '还没有团队规则。直接说一条即可:`记住 payment-service 生产回滚必须审批`。',
    notUnderstood: '未能理解,不生效',
    removed: (id: string) => `规则 \`${id}\` 已删除。`,
    unknown: (id: string) => `没有这条口述规则:${id}。incidents.yaml 中的规则请在文件里修改。`,
    noRule: (why: string) => `它不是规则,因为${why}。`,
    whys: {
      days: '它涉及星期或日期,而规则只支持一天中的时段',
      demand: '它没有提出规则能够执行的要求(审批、二次确认、只演练、禁止、先做某事)',
      action: '它没有提到策略会采取的动作(回滚、重启、扩缩容、降级等)',
    },
  },
} as const;

/** Why a text is no rule, for whoever said it. */
export const noRuleText = (text: string, language: Language): string =>
  WORDS[language].noRule(WORDS[language].whys[whyNoRule(text)]);

export const rulesText = (rules: readonly HouseRule[], language: Language): string =>
  rules
    .map(({ id, text, rule, from }) => {
      const note = rule ? '' : ` — ${WORDS[language].notUnderstood}`;
      const parts = rule ? describeRule(rule, language).replace(/^/gm, '  ') : '';
      return [`- \`${id}\` ${cell(text, 200)}${from === 'file' ? ' (incidents.yaml)' : ''}${note}`, parts]
        .filter(Boolean)
        .join('\n');
    })
    .join('\n') || WORDS[language].none;

export async function removeRule(book: RuleBook, id: string, language: Language): Promise<string> {
  return (await book.remove(id)) ? WORDS[language].removed(id) : WORDS[language].unknown(id);
}

interface RuleInput {
  action: 'add' | 'list' | 'remove';
  text?: string | undefined;
  id?: string | undefined;
}

/** Rules that are told in words. Adding one only tightens; taking one away is asked about by the gate. */
export function ruleTool(book: RuleBook, tongue: Language): Tool {
  return defineIncidentTool<RuleInput>({
    name: 'house_rule',
    description:
      'Rules that the incident policy obeys, told in words: add (shown back as understood, confirmed by the user), list, remove.',
    input: z
      .strictObject({
        action: z.enum(['add', 'list', 'remove']),
        text: z.string().min(1).max(600).optional(),
        id: z.string().min(1).max(100).optional(),
      })
      .refine(({ action, text }) => action !== 'add' || text !== undefined, 'text is missing')
      .refine(({ action, id }) => action !== 'remove' || id !== undefined, 'id is missing'),
    effect: ({ action }) => ({ list: 0 as const, add: 1 as const, remove: 2 as const })[action],
    run: async ({ action, text = '', id = '' }, context) => {
      if (action === 'list') return said(rulesText(await book.list(), tongue), 'rules');
      if (action === 'remove') return said(await removeRule(book, id, tongue), id);
      return add(book, text, context);
    },
  });
}

async function add(book: RuleBook, text: string, { ask, session }: ToolContext) {
  const language = languageOf(text);
  const words = WORDS[language];
  const { refused: why } = scanTold(text, language);
  if (why) return refused(words.notKept(why));
  const rule = await book.read(text);
  if (!rule) return refused(noRuleText(text, language));
  const shown = [words.understood, `> ${cell(text, 300)}`, '', describeRule(rule, language)].join('\n');
  if (!ask && !(await book.isSaid(text, session))) {
    const waiting = await book.stage(text, session);
    return said([shown, '', words.staged(waiting)].join('\n'), `waits: ${waiting}`, { waits: waiting, rule });
  }
  const answer = ask
    ? await ask(`${shown}\n\n${words.ask}`, [words.yes, words.no], undefined, undefined, [words.yes])
    : words.yes;
  if (answer !== words.yes && !/^(?:y|yes|是|好|确认)/i.test(answer ?? ''))
    return said([shown, '', words.dropped].join('\n'), words.dropped);
  const kept = await book.keep(text, session);
  return said([shown, '', words.kept(kept), words.after(kept)].join('\n'), words.kept(kept), {
    id: kept,
    rule,
  });
}
