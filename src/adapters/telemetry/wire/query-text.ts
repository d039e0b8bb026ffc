/** A string of PromQL, LogQL or TraceQL. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A pattern that matches exactly this text; RE2 takes the same escapes. */
export const literal = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|]/g, (sign) => `\\${sign}`);
