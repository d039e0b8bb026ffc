/** Class names, without those that are absent. */
export const classes = (...names: readonly (string | false | undefined)[]): string =>
  names.filter(Boolean).join(' ');

/** Colour says a state, and nothing else. */
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'quiet';
