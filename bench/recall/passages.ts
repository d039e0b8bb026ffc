import { readFileSync } from 'node:fs';
import type { Embedder } from '#spec/ports';
import { type Talk, withTalks } from './scratch-memory.ts';

interface Passages {
  readonly data: readonly {
    readonly paragraphs: readonly {
      readonly id: string;
      readonly context: string;
      readonly qas: readonly { readonly question: string }[];
    }[];
  }[];
}

/** Whether the passage that a question was written on comes first among all of them. */
export async function questionsAboutPassages(
  path: string,
  embedder: Embedder | undefined,
  say: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const { data } = JSON.parse(readFileSync(path, 'utf8')) as Passages;
  const passages = data.flatMap(({ paragraphs }) => paragraphs);
  const talks: Talk[] = passages.map(({ id, context }) => {
    return { id: `about ${id}`, lines: [{ id, speaker: '', at: 0, text: context }] };
  });
  return withTalks(talks, { embedder, now: 1 }, async ({ recall }) => {
    const counts = { asked: 0, first: 0, empty: 0 };
    for (const { id, qas } of passages) {
      for (const { question } of qas) {
        const hits = await recall(question, 5);
        counts.asked += 1;
        if (hits[0] === id) counts.first += 1;
        if (hits.length === 0) counts.empty += 1;
      }
    }
    say(`${counts.asked} questions about ${passages.length} passages`);
    return {
      hit1: Number((counts.first / counts.asked).toFixed(4)),
      empty_rate: Number((counts.empty / counts.asked).toFixed(4)),
    };
  });
}
