import type { ApprovalChannel, Decision } from '#engines/gate';
import { spoken, type Spoken } from '#kit/text';
import type { Language } from '#kit/language';
import type { Approval, Approver } from '#spec/data';
import type { AskUser } from '#spec/ports';

/** Puts a request for agreement to the person in front of the conversation, as a question with choices. */
export function askChannel(ask: AskUser, approver: Approver, language: Language): ApprovalChannel {
  const words = WORDS[language];
  return {
    approver,
    show: async (approval, signal) => {
      const choices = choicesOf(approval, words);
      const question = questionOf(spoken(approval, language), words);
      const gone = new Promise<undefined>((resolve) => {
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      const answer = await Promise.race([
        ask(
          question,
          choices.map(({ label }) => label),
          signal,
          approval,
        ),
        gone,
      ]);
      if (signal.aborted) return undefined;
      // Whatever is not plainly a yes is a no.
      return choices.find(({ label }) => label === answer)?.decision ?? { granted: false };
    },
  };
}

/** A call that is no command is granted as it is: its digest tells a person nothing. */
const DIGEST = /^[0-9a-f]{64}$/;

interface Choice {
  readonly label: string;
  readonly decision: Decision;
}

/** A refusal comes first: a key that was meant for something else must not agree to anything. */
function choicesOf({ prefix: offered }: Approval, words: Words): Choice[] {
  const prefix = offered?.map((word) => (DIGEST.test(word) ? words.exactly : word)).join(' ');
  return [
    { label: words.no, decision: { granted: false } },
    { label: words.once, decision: { granted: true, scope: 'once' } },
    ...(prefix
      ? [
          { label: words.session(prefix), decision: { granted: true, scope: 'session' } as const },
          { label: words.always(prefix), decision: { granted: true, scope: 'always' } as const },
        ]
      : []),
  ];
}

function questionOf({ id, action, reasons, requester }: Spoken<Approval>, words: Words): string {
  return [
    `${words.head(action.tool, action.level)}  (${id}, ${requester.caller})`,
    '',
    ...action.shown.split('\n').map((line) => `  ${line}`),
    '',
    ...reasons.map((reason) => `• ${reason}`),
  ].join('\n');
}

interface Words {
  head(tool: string, level: number): string;
  readonly no: string;
  readonly once: string;
  readonly exactly: string;
  session(prefix: string): string;
  always(prefix: string): string;
}

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    head: (tool, level) => `May ${tool} do this? Level ${level}.`,
    no: 'No',
    once: 'Yes, this once',
    exactly: '(exactly this)',
    session: (prefix) => `Yes, in this session: ${prefix} …`,
    always: (prefix) => `Yes, always: ${prefix} …`,
  },
  zh: {
    head: (tool, level) => `允许 ${tool} 执行吗?级别 ${level}。`,
    no: '不允许',
    once: '允许这一次',
    exactly: '(仅此操作)',
    session: (prefix) => `本次会话内允许:${prefix} …`,
    always: (prefix) => `始终允许:${prefix} …`,
  },
};
