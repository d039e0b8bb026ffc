import { isRecord } from '#kit/is-record';
import type { Handler, Procedure, ProcedureStep, Slot } from './procedure.ts';

const STEP = /^\s*\d+\.\s+Call\s+(`.+)$/;
const SLOT_LINE =
  /^\s*-\s+`([a-z][a-z0-9_]*)`: (named in the request|in the result of step (\d+)|to be chosen), such as `([^`]*)`/;
const HANDLER =
  /^\s*-\s+When step (\d+) fails(?: with "([^"]*)")?, (?:call instead: (.+)|stop and say so)\s*$/;
const CALL = /^`([A-Za-z][\w.-]*)`\s*/;

/** The procedure that a skill spells out call by call; undefined for one that only describes. */
export function readProcedure(body: string): Procedure | undefined {
  const steps: ProcedureStep[] = [];
  const slots: Slot[] = [];
  const handlers: Handler[] = [];
  for (const line of body.split(/\r?\n/)) {
    const step = STEP.exec(line);
    const [call] = readCalls(step?.[1] ?? '');
    if (call) steps.push(call);
    const slot = SLOT_LINE.exec(line);
    if (slot) slots.push(readSlot(slot));
    const handler = HANDLER.exec(line);
    if (handler) handlers.push(readHandler(handler));
  }
  return steps.length ? { steps, slots, handlers } : undefined;
}

function readSlot([, name = '', where = '', step, example = '']: RegExpExecArray): Slot {
  if (step !== undefined) return { name, from: 'result', step: Number(step), example };
  return { name, from: where.startsWith('named') ? 'task' : 'choice', example };
}

function readHandler([, step, error = '', calls = '']: RegExpExecArray): Handler {
  return { step: Number(step), error, instead: readCalls(calls) };
}

/** Calls one after the other, with `; ` between them. What is written in another way is for the model alone. */
function readCalls(text: string): ProcedureStep[] {
  const calls: ProcedureStep[] = [];
  let rest = text.trim();
  for (;;) {
    const [opening, tool] = CALL.exec(rest) ?? [];
    if (opening === undefined || tool === undefined) return calls;
    const found = objectAt(rest.slice(opening.length));
    if (!found) return calls;
    calls.push({ tool, input: found.value });
    rest = rest.slice(opening.length + found.length).replace(/^;\s*/, '');
  }
}

/** The JSON object that a text begins with: up to the first brace at which it is one. */
function objectAt(
  text: string,
): { readonly value: Record<string, unknown>; readonly length: number } | undefined {
  if (!text.startsWith('{')) return { value: {}, length: 0 };
  for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', end + 1)) {
    try {
      const value: unknown = JSON.parse(text.slice(0, end + 1));
      return isRecord(value) ? { value, length: end + 1 } : undefined;
    } catch {
      // This brace stands inside of it: the next one may be its end.
    }
  }
  return undefined;
}
