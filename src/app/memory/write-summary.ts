import type { WriteSummary } from '#engines/memory';
import { cutMiddle } from '#kit/cut-middle';
import type { Dependencies } from '../dependencies.ts';

type Needs = Pick<Dependencies, 'answering' | 'auxiliary' | 'settings'>;

/** Has the auxiliary model write summaries of conversations, or the one that answers where none is named. */
export async function summaryWriter(deps: Needs): Promise<WriteSummary | undefined> {
  const { model: named } = deps.settings.compression;
  if (!(await deps.answering(named))) return undefined;
  return async ({ instructions, transcript, maxOutput }, signal) => {
    const model = await deps.auxiliary(named);
    if (!model) return undefined;
    // Chinese takes about a token a character.
    const most = Math.max(2_000, Math.floor(model.info.contextWindow / 2));
    const outcome = await model
      .stream(
        {
          system: [{ text: instructions }],
          messages: [{ role: 'user', content: [{ type: 'text', text: cutMiddle(transcript, most) }] }],
          tools: [],
          maxOutput: Math.min(maxOutput, model.info.maxOutput),
        },
        signal,
      )
      .result();
    if (outcome.status !== 'done' || outcome.stop !== 'end') return undefined;
    return outcome.message.content
      .map((part) => (part.type === 'text' ? part.text : ''))
      .join('')
      .trim();
  };
}
