import type { FlowCall, FlowFailure, FlowRecord, FlowState } from '#spec/ports';
import type { Call } from './journal.ts';

export interface FlowRow {
  readonly n: number;
  readonly id: string;
  readonly flow: string;
  readonly version: number;
  readonly input: string;
  readonly state: FlowState;
  readonly waits_for: string | null;
  readonly wakes_at: number | null;
  readonly holder: string | null;
  readonly fence: number;
  readonly beat: number;
  readonly claims: number;
  readonly output: string | null;
  readonly failure: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function toFlowRecord(row: FlowRow): FlowRecord {
  const { id, flow, version, state, fence } = row;
  return {
    id,
    flow,
    version,
    state,
    fence,
    input: parsed(row.input),
    ...(state === 'waiting' ? { waitsFor: (parsed(row.waits_for) ?? []) as string[] } : {}),
    ...(state === 'waiting' && row.wakes_at !== null ? { wakesAt: row.wakes_at } : {}),
    ...(row.output === null ? {} : { output: parsed(row.output) }),
    ...(row.failure === null ? {} : { failure: parsed(row.failure) as FlowFailure }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toFlowCall({ kind, name, state, value, begun_at: at }: Call): FlowCall {
  return { kind, name, state, at, ...(value === null ? {} : { value: parsed(value) }) };
}

/** A record is shown as far as it can be read; whoever runs it says what is wrong. */
function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
