/** A unit vector. Only vectors of the same space can be compared. */
export interface Embedding {
  /** The model and its version, such as `minilm-l6-v2-q8`. */
  readonly space: string;
  readonly vector: Float32Array;
}

/** Turns texts into vectors. A text goes to the model that knows its script, so one call may give several spaces. */
export interface Embedder {
  /** In the order of the texts. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Embedding[]>;
  close(): Promise<void>;
}
