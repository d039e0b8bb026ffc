import {
  chooseTerms,
  FIELD_WEIGHTS,
  RECALL_WEIGHTS,
  rankRecall,
  recallPool,
  type Scorer,
  type RecallWeights,
} from '#engines/retrieval';
import type { MemoryEntry } from '#spec/data';
import type { Embedder, MemoryIndex } from '#spec/ports';
import { type Asked, readConversations } from './conversation-data.ts';
import { endOf } from './conversations.ts';
import { type Figures, figuresOf, type Outcome, outcomeOf } from './outcomes.ts';
import { SCOPE, withTalks } from './scratch-memory.ts';

interface Arm {
  readonly name: string;
  readonly weights: RecallWeights;
  readonly scorer?: Scorer;
  readonly context: boolean;
  readonly vectors: boolean;
}

export interface ArmFigures {
  readonly name: string;
  readonly all: Figures;
  readonly even: Figures;
  readonly odd: Figures;
}

const LIMIT = 10;
const NOTHING = {
  vectors: 0,
  hrr: 0,
  asking: 0,
  length: 0,
  enough: 1,
  group: 0,
  near: { share: 0, fullShare: 0 },
};
const { vectors, asking, length, enough, group, near } = RECALL_WEIGHTS;
const context = { ...NOTHING, group };
const told = { ...context, asking, length, enough };
const fused = { ...told, vectors };

/** Each adds one thing to the one before it, up to the default; the last ones stand beside it. */
const ARMS: readonly Arm[] = [
  { name: 'text', weights: NOTHING, context: false, vectors: false },
  { name: '+ context', weights: context, context: true, vectors: false },
  { name: '+ asking, length', weights: told, context: true, vectors: false },
  { name: '+ vectors', weights: fused, context: true, vectors: true },
  { name: '+ recency (the default)', weights: { ...fused, near }, context: true, vectors: true },
  { name: 'default + HRR', weights: RECALL_WEIGHTS, scorer: 'hrr', context: true, vectors: true },
  { name: 'default without vectors', weights: { ...told, near }, context: true, vectors: false },
  { name: 'vectors alone', weights: { ...NOTHING, vectors: 1 }, context: false, vectors: true },
  { name: 'seed 0.6/0.3/0.1', weights: RECALL_WEIGHTS, scorer: 'seed', context: false, vectors: true },
  { name: 'seed, without vectors', weights: RECALL_WEIGHTS, scorer: 'seed', context: true, vectors: false },
];

/** What each part of the ranking adds, on the conversations of a file. */
export async function ablation(path: string, embedder: Embedder | undefined): Promise<readonly ArmFigures[]> {
  const outcomes = ARMS.map((): [Outcome[], Outcome[]] => [[], []]);
  for (const [at, asked] of readConversations(path).entries()) {
    const found = await askArms(asked, embedder);
    for (const [arm, list] of found.entries()) outcomes[arm]?.[at % 2 === 0 ? 0 : 1].push(...list);
  }
  return ARMS.map(({ name }, at) => {
    const [even, odd] = outcomes[at] ?? [[], []];
    return { name, all: figuresOf([...even, ...odd]), even: figuresOf(even), odd: figuresOf(odd) };
  });
}

async function askArms({ talks, questions }: Asked, embedder: Embedder | undefined): Promise<Outcome[][]> {
  const now = endOf(talks);
  return withTalks(talks, { embedder, now }, async ({ index }) => {
    const outcomes = ARMS.map((): Outcome[] => []);
    for (const question of questions) {
      const hits = await hitsOf(question.text, index, embedder);
      for (const [at, arm] of ARMS.entries()) {
        const textHits = arm.context ? hits.inContext : arm.vectors ? [] : hits.plain;
        // Vectors alone must not look at words.
        const terms = arm.context || !arm.vectors ? hits.terms : [];
        const given = { terms, textHits, vectorHits: arm.vectors ? hits.vectors : [] };
        const ranked = rankRecall(given, { ...arm, now, limit: LIMIT });
        outcomes[at]?.push(
          outcomeOf(
            question,
            ranked.map(({ id }) => id),
          ),
        );
      }
    }
    return outcomes;
  });
}

async function hitsOf(query: string, index: MemoryIndex, embedder: Embedder | undefined) {
  const pool = recallPool(LIMIT);
  const terms = await chooseTerms(query, index);
  const asked = terms.filter((term) => term.asked).map(({ term }) => term);
  const byTerms = async (weights: typeof FIELD_WEIGHTS) =>
    (await index.byTerms(asked, weights, [SCOPE], pool)).map(({ entry, score }) => {
      return { candidate: candidateOf(entry), score };
    });
  const [embedding] = (await embedder?.embed([query], new AbortController().signal)) ?? [];
  const alike = embedding ? await index.byVector(embedding, [SCOPE], pool) : [];
  return {
    terms,
    plain: await byTerms({ text: 1, speaker: 0, previous: 0, next: 0, date: 0 }),
    inContext: await byTerms(FIELD_WEIGHTS),
    vectors: alike.map(({ entry, similarity }) => ({ candidate: candidateOf(entry), similarity })),
  };
}

const candidateOf = ({ id, provenance, at, text, context: around, accesses }: MemoryEntry) => ({
  id,
  group: provenance.session ?? id,
  at,
  text,
  speaker: around?.speaker,
  accesses,
});
