import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineBench, MissingData } from '../bench.ts';
import { questionsAboutPassages } from '../recall/passages.ts';
import { benchEmbedder } from '../recall/bench-embedder.ts';
import { questionsAboutConversations } from '../recall/conversations.ts';
import { newestFirst } from '../recall/updated-facts.ts';

const DEFAULT_DATA = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'locomo');

/** Whether a question as it was typed finds the messages that answer it. The folder tells what is measured. */
export const bench = defineBench({
  summary: 'finding past messages: the evidence of questions, the newest of several versions',
  goals: {
    r5: { least: 0.68 },
    r10: { least: 0.76 },
    multi_hop_r10: { least: 0.45 },
    empty_rate: { exactly: 0 },
    newest_first: { least: 0.98 },
    hit1: { least: 0.95 },
  },
  run: async ({ data = DEFAULT_DATA, say }) => {
    const passages = join(data, 'passages.json');
    const conversations = join(data, 'conversations.json');
    if (!existsSync(passages) && !existsSync(conversations)) {
      throw new MissingData(
        `${data} has neither conversations.json nor passages.json: give the folder with --data`,
      );
    }
    const embedder = await benchEmbedder(say);
    try {
      if (existsSync(passages)) return await questionsAboutPassages(passages, embedder, say);
      return {
        ...(await questionsAboutConversations(conversations, embedder, say)),
        newest_first: await newestFirst(embedder, say),
      };
    } finally {
      await embedder?.close();
    }
  },
});
