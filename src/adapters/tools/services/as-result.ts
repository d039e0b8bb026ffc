import { AppError } from '#kit/app-error';
import type { ToolResult } from '#spec/ports';
import { refusal } from '../text/answer.ts';

/** Turns what went wrong outside into a result that the model can act on. A defect of ours is thrown on. */
export async function asResult(run: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { message, hint } = error.record;
    return refusal(hint ? `${message}\n${hint}` : message);
  }
}
