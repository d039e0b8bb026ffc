import { readFileSync } from 'node:fs';
import { searchSessions } from '#engines/retrieval';
import { type Talk, withTalks } from './scratch-store.ts';

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
  /** What a picture shows that was sent along. */
  readonly blip_caption?: string;
}

interface Conversation {
  readonly qa: readonly {
    readonly question: string;
    readonly evidence?: readonly string[];
    readonly category: number;
  }[];
  readonly conversation: Readonly<Record<string, string | readonly Turn[]>>;
}

const MULTI_HOP = 1;
const OPEN_DOMAIN = 3;
const MINUTE_MS = 60_000;

interface Outcome {
  readonly category: number;
  readonly found: number;
  readonly r5: number;
  readonly r10: number;
}

/** Recall of the turns that answer each question, every conversation in an index of its own. */
export async function questionsAboutConversations(
  path: string,
  say: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const conversations = JSON.parse(readFileSync(path, 'utf8')) as readonly Conversation[];
  const outcomes: Outcome[] = [];
  const parity: Outcome[][] = [[], []];
  for (const [at, conversation] of conversations.entries()) {
    const found = await askAll(conversation);
    outcomes.push(...found);
    parity[at % 2]?.push(...found);
  }
  const odd = parity[1] ?? [];
  say(`${outcomes.length} questions about ${conversations.length} conversations`);
  say(
    `on the odd ones, which the field weights were not fitted to: r5 ${mean(odd, 'r5')}, r10 ${mean(odd, 'r10')}`,
  );
  const of = (category: number) => outcomes.filter((outcome) => outcome.category === category);
  return {
    r5: mean(outcomes, 'r5'),
    r10: mean(outcomes, 'r10'),
    multi_hop_r10: mean(of(MULTI_HOP), 'r10'),
    open_domain_r10: mean(of(OPEN_DOMAIN), 'r10'),
    empty_rate: outcomes.filter(({ found }) => found === 0).length / outcomes.length,
  };
}

async function askAll({ qa, conversation }: Conversation): Promise<Outcome[]> {
  const talks = talksOf(conversation);
  const known = new Set(talks.flatMap(({ lines }) => lines.map(({ id }) => id)));
  return withTalks(talks, async (db) => {
    const outcomes: Outcome[] = [];
    for (const { question, evidence = [], category } of qa) {
      const gold = [...new Set(evidence.flatMap(turnIds))].filter((id) => known.has(id));
      if (gold.length === 0) continue;
      const ids = (await searchSessions(question, db, { limit: 10 })).map(({ id }) => id);
      const recall = (depth: number) => {
        const top = ids.slice(0, depth);
        return gold.filter((id) => top.includes(id)).length / gold.length;
      };
      outcomes.push({ category, found: ids.length, r5: recall(5), r10: recall(10) });
    }
    return outcomes;
  });
}

/** Some questions name several turns in one text, or write a number with zeros. */
function turnIds(evidence: string): string[] {
  return [...evidence.matchAll(/D?(\d+):(\d+)/g)].map(([, talk, turn]) => `D${Number(talk)}:${Number(turn)}`);
}

function talksOf(conversation: Conversation['conversation']): Talk[] {
  return Object.entries(conversation).flatMap(([key, turns]) => {
    if (!/^session_\d+$/.test(key) || typeof turns === 'string') return [];
    const began = dateOf(conversation[`${key}_date_time`] as string);
    const lines = turns.map(({ dia_id: id, speaker, text, blip_caption: caption }, at) => ({
      id,
      speaker,
      at: began + at * MINUTE_MS,
      text: caption ? `${text}\n[${caption}]` : text,
    }));
    return [{ id: key, lines }];
  });
}

/** `1:56 pm on 8 May, 2023`. */
function dateOf(text: string): number {
  const [, clock, half, date] = /^(\S+) (am|pm) on (.*)$/.exec(text) ?? [];
  return new Date(`${date?.replace(',', '')} ${clock} ${half}`).getTime();
}

function mean(outcomes: readonly Outcome[], figure: 'r5' | 'r10'): number {
  const sum = outcomes.reduce((total, outcome) => total + outcome[figure], 0);
  return Number((sum / outcomes.length).toFixed(4));
}
