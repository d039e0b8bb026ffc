import type { Embedder } from '#spec/ports';
import { type Asked, readConversations } from './conversation-data.ts';
import { figuresOf, type Outcome, outcomeOf } from './outcomes.ts';
import { type ScratchOptions, withTalks } from './scratch-memory.ts';

/** Recall of the turns that answer each question, every conversation in a memory of its own. */
export async function questionsAboutConversations(
  path: string,
  embedder: Embedder | undefined,
  say: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const conversations = readConversations(path);
  const parity: [Outcome[], Outcome[]] = [[], []];
  for (const [at, conversation] of conversations.entries()) {
    parity[at % 2 === 0 ? 0 : 1].push(...(await askAll(conversation, embedder)));
  }
  const outcomes = parity.flat();
  say(`${outcomes.length} questions about ${conversations.length} conversations`);
  for (const [at, name] of ['even ones, which the weights were fitted to', 'odd ones'].entries()) {
    const { r5, r10, multi_hop_r10: hops } = figuresOf(parity[at === 0 ? 0 : 1]);
    if (parity[at]?.length) say(`  on the ${name}: r5 ${r5}, r10 ${r10}, multi_hop_r10 ${hops}`);
  }
  return {
    ...figuresOf(outcomes),
    empty_rate: outcomes.filter(({ found }) => found === 0).length / outcomes.length,
  };
}

async function askAll({ talks, questions }: Asked, embedder: Embedder | undefined): Promise<Outcome[]> {
  const options: ScratchOptions = { embedder, now: endOf(talks) };
  return withTalks(talks, options, async ({ recall }) => {
    const outcomes: Outcome[] = [];
    for (const question of questions) outcomes.push(outcomeOf(question, await recall(question.text, 10)));
    return outcomes;
  });
}

/** It is asked when everything has been said. */
export const endOf = (talks: Asked['talks']): number =>
  Math.max(...talks.flatMap(({ lines }) => lines.map(({ at }) => at))) + 1;
