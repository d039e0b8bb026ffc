import type { ModelEvent, ModelInfo, ModelOutcome, ModelRequest } from '#spec/data';

/**
 * The live events of a call and its outcome. It runs whether or not anyone iterates, can be iterated once,
 * and never throws: a failure is the `response.end` event and what `result()` resolves to.
 */
export interface ModelStream extends AsyncIterable<ModelEvent> {
  result(): Promise<ModelOutcome>;
}

/** Anything that answers: a wire protocol, the built-in operator, or a route over several of them. */
export interface Model {
  readonly info: ModelInfo;
  stream(request: ModelRequest, signal: AbortSignal): ModelStream;
}
