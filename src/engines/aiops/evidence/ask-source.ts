import type { TimeWindow } from '#spec/data';
import type { AskedQuery, Collected } from '#spec/ports';
import { messageOf, toErrorRecord } from '#kit/app-error';
import { redact } from '#kit/redact';
import { sleep } from '#kit/sleep';
import { inEvery, type Text } from '#kit/text';
import type { AskedKind, AskedRecord } from './asked-record.ts';
import { gapWords } from './gap-words.ts';

/** One question to one backend. */
interface Question<T> {
  readonly source: string;
  readonly kind: AskedKind;
  readonly window: TimeWindow;
  readonly ms: number;
  ask(signal: AbortSignal): Promise<Collected<T>>;
}

export interface Answer<T> {
  readonly source: string;
  readonly kind: AskedKind;
  readonly items: readonly T[];
  readonly asked: readonly AskedRecord[];
  readonly cut: boolean;
  /** Why there is no answer. */
  readonly problem?: Text;
}

/** No answer, and why. */
interface Silence {
  readonly problem: Text;
}

const LONGEST_PROBLEM = 240;
/** What was asked is kept with the incident. */
const MOST_QUERIES = 300;

/** Never rejects: a backend that is dead, slow or wrong is an answer with a problem, and the others go on. */
export async function askSource<T>(
  question: Question<T>,
  now: () => number,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const { source, kind, window } = question;
  const began = now();
  const done = new AbortController();
  const own = AbortSignal.any([signal, done.signal]);
  const late = async (): Promise<Silence> => ({
    problem: (await sleep(question.ms, own)) ? gapWords.late(question.ms / 1000) : gapWords.noTime,
  });
  const answer = await Promise.race([attempt(question, own), late()]);
  done.abort();
  const record = { source, kind, window };
  if ('problem' in answer) {
    const { problem } = answer;
    const asked = [{ ...record, query: '', found: 0, ms: now() - began, problem }];
    return { source, kind, items: [], asked, cut: false, problem };
  }
  const { items, cut } = answer;
  const unsaid = { query: '', found: items.length, ms: now() - began };
  const queries: readonly AskedQuery[] = answer.asked.length ? answer.asked.slice(0, MOST_QUERIES) : [unsaid];
  const asked = queries.map((query): AskedRecord => ({ ...query, ...record }));
  const failed = asked.find(({ problem }) => problem !== undefined)?.problem;
  return {
    source,
    kind,
    items,
    asked,
    cut,
    ...(failed !== undefined && !items.length ? { problem: failed } : {}),
  };
}

async function attempt<T>(question: Question<T>, signal: AbortSignal): Promise<Collected<T> | Silence> {
  try {
    return await question.ask(signal);
  } catch (thrown) {
    const message = messageOf(toErrorRecord(thrown));
    const short = (text: string) => redact(text).replace(/\s+/g, ' ').slice(0, LONGEST_PROBLEM);
    return { problem: inEvery((language) => short(message[language])) };
  }
}
