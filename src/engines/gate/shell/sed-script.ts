/** What a script of sed would do besides printing. Undefined: it cannot be read, and may do anything. */
export interface SedDeeds {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly runs: boolean;
}

const LONGEST = 20_000;
/** Commands that take nothing. */
const PLAIN = /[=dDFgGhHnNpPxz]/;

/** Reads a script in the manner of GNU sed: addresses, then one letter, then what belongs to that letter. */
export function readSedScript(script: string): SedDeeds | undefined {
  if (script.length > LONGEST) return undefined;
  const deeds = { reads: [] as string[], writes: [] as string[], runs: false };
  let at = 0;
  const skip = (pattern: RegExp) => {
    while (at < script.length && pattern.test(script[at] as string)) at++;
  };
  /** Everything up to the end of the line: names of files and commands have no other end. */
  const line = (): string => {
    const end = script.indexOf('\n', at);
    const text = script.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? script.length : end;
    return text.trim();
  };
  /** Behind the opening delimiter: up to the next one that is not escaped nor in a class. False: there is none. */
  const delimited = (delimiter: string): boolean => {
    for (let inClass = false; at < script.length; at++) {
      const sign = script[at] as string;
      if (sign === '\\') at++;
      else if (sign === '[' && !inClass) {
        inClass = true;
        if (script[at + 1] === '^') at++;
        if (script[at + 1] === ']') at++;
      } else if (sign === ']') inClass = false;
      else if (sign === delimiter && !inClass) return at++ >= 0;
    }
    return false;
  };
  const address = (): boolean => {
    const sign = script[at];
    if (sign === '/' || sign === '\\') {
      at += sign === '\\' ? 2 : 1;
      if (!delimited(sign === '\\' ? (script[at - 1] ?? '') : '/')) return false;
      skip(/[IM]/);
    } else if (sign === '$') at++;
    else skip(/[\d~+]/);
    skip(/[ \t]/);
    return true;
  };
  while (at < script.length) {
    skip(/[\s;{}]/);
    if (at >= script.length) break;
    if (script[at] === '#') {
      line();
      continue;
    }
    if (!address()) return undefined;
    if (script[at] === ',') {
      at++;
      skip(/[ \t]/);
      if (!address()) return undefined;
    }
    skip(/[! \t]/);
    const command = script[at++];
    if (command === undefined) return undefined;
    if (command === '{' || PLAIN.test(command)) continue;
    if (/[qQlL]/.test(command)) skip(/[ \t\d]/);
    else if (/[aic]/.test(command)) {
      // A line that ends with a backslash goes on in the next one.
      while (/(?:^|[^\\])(?:\\\\)*\\$/.test(line()) && at < script.length) at++;
    } else if (/[btT:v]/.test(command)) skip(/[^\n;}]/);
    else if (/[rR]/.test(command)) deeds.reads.push(line());
    else if (/[wW]/.test(command)) deeds.writes.push(line());
    else if (command === 'e') {
      deeds.runs = true;
      line();
    } else if (command === 's' || command === 'y') {
      const delimiter = script[at++];
      if (delimiter === undefined || !delimited(delimiter) || !replacement(delimiter)) return undefined;
      while (at < script.length && /[gpiImMe\d]/.test(script[at] as string))
        if (script[at++] === 'e') deeds.runs = true;
      if (script[at] === 'w') {
        at++;
        deeds.writes.push(line());
      }
    } else return undefined;
    skip(/[ \t]/);
    if (at < script.length && !/[\n;}#]/.test(script[at] as string)) return undefined;
  }
  return deeds;

  /** In a replacement a bracket is a sign like any other. */
  function replacement(delimiter: string): boolean {
    for (; at < script.length; at++) {
      if (script[at] === '\\') at++;
      else if (script[at] === delimiter) return at++ >= 0;
    }
    return false;
  }
}
