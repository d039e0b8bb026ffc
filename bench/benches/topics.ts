import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { thesaurus, topicIndex } from '#engines/retrieval';
import { readPhrasings, withoutNames } from '#app/operator';
import { defineBench } from '../bench.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'phrases');
const FOLDS = 8;
/** Scores at which the share of right answers is told: what the floors of the router are read off. */
const BANDS = [0.1, 0.18, 0.3, 0.45];

/** How often the topic of a phrasing is found by all other phrasings: an eighth is held out. */
export const bench = defineBench({
  summary:
    'topics of the built-in operator: held-out phrasings that find their topic first, or among the first two',
  goals: { first: { least: 0.45 }, first_two: { least: 0.6 } },
  run: async ({ say }) => {
    const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
    const words = thesaurus(read('words.txt').split('\n'));
    const all = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.txt') && name !== 'words.txt')
      .flatMap((name) => readPhrasings(read(name)))
      .map(({ topic, text }) => ({ topic, text: withoutNames(text) }));
    const began = performance.now();
    const index = topicIndex(
      all.filter((_one, at) => at % FOLDS !== 0),
      words,
    );
    const buildMs = performance.now() - began;
    const rows = all
      .filter((_one, at) => at % FOLDS === 0)
      .map(({ topic, text }) => {
        const found = index.search(text);
        const [first] = found;
        return { place: found.findIndex((one) => one.topic === topic), score: first?.score ?? 0 };
      });
    const share = (of: readonly { readonly place: number }[], most: number) =>
      of.filter(({ place }) => place >= 0 && place < most).length / (of.length || 1);
    for (const band of BANDS) {
      const own = rows.filter(({ score }) => score >= band);
      say(`score ≥ ${band}: ${own.length} of ${rows.length}, first right in ${share(own, 1).toFixed(2)}`);
    }
    return {
      phrasings: all.length,
      topics: new Set(all.map(({ topic }) => topic)).size,
      first: share(rows, 1),
      first_two: share(rows, 2),
      build_ms: buildMs,
    };
  },
});
