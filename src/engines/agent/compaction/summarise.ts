import { estimateTokens } from '#kit/estimate-tokens';
import type { ModelRequest, StoredMessage } from '#spec/data';
import type { Model } from '#spec/ports';
import { digest } from './digest.ts';
import type { Summarise } from './compact.ts';

const INSTRUCTIONS = `You shorten a conversation between a user and an assistant so that the work can go on from your text alone.
Write in the language of the user, under these headings, leaving out the empty ones:
Active task (the user's current request, word for word), Goal, Decisions, Done so far, Files and commands, Findings with numbers, Errors and fixes, Open questions, Next steps, Preferences of the user.
Keep names, paths, identifiers, commands and figures exactly. Write no preamble. Never include keys, tokens or passwords.`;

/** Counts of tokens are estimates. */
const LENIENCE = 1.5;

/** Lets a model write the summary. A model that fails, says nothing or far too much, leaves it to the rule-based digest. */
export function summariser(model: Model, signal: AbortSignal): Summarise {
  return async (messages, mostTokens) => {
    const request: ModelRequest = {
      system: [{ text: INSTRUCTIONS }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: transcript(messages, model.info.contextWindow) }] },
      ],
      tools: [],
      maxOutput: Math.min(mostTokens, model.info.maxOutput),
    };
    const outcome = await model.stream(request, signal).result();
    if (outcome.status !== 'done' || outcome.stop !== 'end') return undefined;
    const text = outcome.message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    // One that does not keep to its length would not make room.
    if (estimateTokens(text) > mostTokens * LENIENCE) return undefined;
    return text.trim() || undefined;
  };
}

function transcript(messages: readonly StoredMessage[], window: number): string {
  return digest(messages, Math.max(4_000, Math.floor(window * 1.5)));
}
