import { readFileSync } from 'node:fs';
import type { Talk } from './scratch-memory.ts';

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

export interface Question {
  readonly text: string;
  readonly category: number;
  /** The lines that answer it. */
  readonly gold: readonly string[];
}

export interface Asked {
  readonly talks: readonly Talk[];
  readonly questions: readonly Question[];
}

const MINUTE_MS = 60_000;

/** The talks and questions of each conversation. A question that no line answers is left out. */
export function readConversations(path: string): readonly Asked[] {
  const conversations = JSON.parse(readFileSync(path, 'utf8')) as readonly Conversation[];
  return conversations.map(({ qa, conversation }) => {
    const talks = talksOf(conversation);
    const known = new Set(talks.flatMap(({ lines }) => lines.map(({ id }) => id)));
    const questions = qa.map(({ question, evidence = [], category }) => {
      const gold = [...new Set(evidence.flatMap(turnIds))].filter((id) => known.has(id));
      return { text: question, category, gold };
    });
    return { talks, questions: questions.filter(({ gold }) => gold.length > 0) };
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
