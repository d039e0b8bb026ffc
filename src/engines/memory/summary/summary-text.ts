import { tell } from '#kit/text';
import type { Language } from '#kit/language';
import { type KnownSecrets, redact } from '#kit/redact';
import type { RecordKind } from '#kit/record-ids';
import { scanMemory } from '../scan/scan-memory.ts';
import type { SessionFacts } from './session-facts.ts';

/** A summary stays shorter than this, so that a few of them fit beside a message. */
export const MOST_SUMMARY = 1_500;
const MOST_RECORDS = 24;
const LONGEST_ITEM = 110;

const WORDS = {
  en: {
    head: (day: string, count: number) =>
      `Conversation of ${day} UTC, ${count} ${count === 1 ? 'message' : 'messages'}`,
    asked: 'Asked',
    done: 'Done',
    files: 'Files',
    commands: 'Commands',
    decided: 'Decided',
    outcome: 'Outcome',
    open: 'Open',
    records: 'Records',
    more: (count: number) => `${count} more`,
    between: '; ',
    colon: ': ',
  },
  zh: {
    head: (day: string, count: number) => `${day} UTC 的对话,${count} 条消息`,
    asked: '请求',
    done: '操作',
    files: '文件',
    commands: '命令',
    decided: '决定',
    outcome: '结果',
    open: '未完成',
    records: '编号',
    more: (count: number) => `另有 ${count} 项`,
    between: ';',
    colon: ':',
  },
} as const;

const KINDS_ZH: Readonly<Record<RecordKind, string>> = {
  incident: '事故',
  evidence: '证据',
  approval: '审批',
  checkpoint: '检查点',
  action: '动作',
  execution: '执行',
  run: '运行',
};

/** The sections in which a summary gives way when it is too long, the first that goes first. */
const GIVES_WAY = ['commands', 'files', 'done', 'outcome', 'decided', 'asked', 'open'] as const;

/**
 * A summary by rules, in the language of the conversation. The same conversation gives the same text. What may not be
 * remembered is left out piece by piece, so that one bad line does not cost the whole.
 */
export function summaryByRules(facts: SessionFacts, at: number, secrets: KnownSecrets): string {
  const { language } = facts;
  const words = WORDS[language];
  const items = (texts: readonly string[], most: number, longest = LONGEST_ITEM): string => {
    const safe = texts.flatMap((text) => safeLine(text, longest, language, secrets) ?? []);
    const shown = safe.slice(-most);
    const left = safe.length - shown.length;
    return [...(left ? [words.more(left)] : []), ...shown].join(words.between);
  };
  const sections: Record<(typeof GIVES_WAY)[number] | 'records', string> = {
    asked: items(facts.asked, 6),
    done: items(
      facts.tools.map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)),
      10,
    ),
    files: items(facts.files, 8),
    commands: items(facts.commands, 5),
    decided: items(facts.decided, 4),
    outcome: items([facts.outcome], 1, 240),
    open: items(facts.open, 4),
    records: recordsLine(facts, language),
  };
  const head = words.head(dayOf(at), facts.messages);
  const order = ['asked', 'decided', 'outcome', 'open', 'done', 'files', 'commands', 'records'] as const;
  const written = () =>
    [
      head,
      ...order.flatMap((name) => (sections[name] ? [`${words[name]}${words.colon}${sections[name]}`] : [])),
    ].join('\n');
  for (const name of GIVES_WAY) {
    const over = written().length - MOST_SUMMARY;
    if (over <= 0) break;
    sections[name] = cut(sections[name], Math.max(0, sections[name].length - over));
  }
  return written();
}

/** The text of a model, with what a summary must have however it was written; undefined when it may not be kept. */
export function summaryOfModel(
  given: string,
  facts: SessionFacts,
  at: number,
  secrets: KnownSecrets,
): string | undefined {
  const { language } = facts;
  const head = WORDS[language].head(dayOf(at), facts.messages);
  const missing = facts.records.filter(({ id }) => !given.includes(id));
  const records = recordsLine({ ...facts, records: missing }, language);
  const tail = records ? `\n${WORDS[language].records}${WORDS[language].colon}${records}` : '';
  const body = cut(redact(given, secrets).trim(), MOST_SUMMARY - head.length - tail.length - 1);
  const text = `${head}\n${body}${tail}`;
  // Judged as it was written: a model that repeats a secret wrote no summary.
  const refused = [given, text].some((one) => scanMemory(one, language, secrets).refused);
  return body && !refused ? text : undefined;
}

function recordsLine({ records }: SessionFacts, language: Language): string {
  const shown = records.slice(0, MOST_RECORDS);
  const left = records.length - shown.length;
  const kinds = [...new Set(shown.map(({ kind }) => kind))].map((kind) => {
    const ids = shown.filter((one) => one.kind === kind).map(({ id }) => id);
    return `${tell(kind, KINDS_ZH[kind])[language]} ${ids.join(', ')}`;
  });
  return [...kinds, ...(left ? [WORDS[language].more(left)] : [])].join(WORDS[language].between);
}

function safeLine(
  text: string,
  longest: number,
  language: Language,
  secrets: KnownSecrets,
): string | undefined {
  const line = cut(redact(text, secrets).replaceAll(/\s+/g, ' ').trim(), longest);
  return line && !scanMemory(line, language, secrets).refused ? line : undefined;
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : most < 2 ? '' : `${text.slice(0, most - 1).toWellFormed()}…`;

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
