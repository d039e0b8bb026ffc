import type { AskModel } from '#spec/ports';
import { AppError } from '#kit/app-error';
import { explainPrompt } from './explain-prompt.ts';
import type { ExplainRequest } from './explain-request.ts';
import { guardClaims, type GuardedText } from './guard-claims.ts';

const MAX_OUTPUT = 900;
const LONGEST_ANSWER = 8_000;

/**
 * What a model makes of the evidence, with every claim struck out that cites none. Undefined without a model, when it did
 * not answer, or when nothing of its answer stands: an incident does not wait for one. The verdict is not the model's and stays as it is.
 */
export async function explainIncident(request: ExplainRequest): Promise<GuardedText | undefined> {
  const { rca, ask, signal, services } = request;
  const text = await answer(ask, explainPrompt(request), signal);
  if (!text?.trim()) return undefined;
  const guarded = guardClaims(text.slice(0, LONGEST_ANSWER), rca, services ? { services } : {});
  return guarded.text.trim() ? guarded : undefined;
}

async function answer(ask: AskModel, prompt: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await ask([{ type: 'text', text: prompt }], { maxOutput: MAX_OUTPUT, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
