/**
 * JSON with comments as JSON: line and block comments and commas before a closing bracket become blanks, so that
 * everything else stays where it was. What stands in strings is never touched. A comment without an end stays, for the
 * parser to find.
 */
export function blankComments(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at);
    out += piece.blank ? piece.text.replace(/[^\r\n]/g, ' ') : piece.text;
    at += piece.text.length;
  }
  return out.replace(STRING_OR_COMMA, (found) => (found.startsWith('"') ? found : found.replace(',', ' ')));
}

/** Strings are matched so that commas inside them are passed over. */
const STRING_OR_COMMA = /"(?:[^"\\\n]|\\.)*"|,(?=\s*[\]}])/g;
const STRING = /"(?:[^"\\\n]|\\.)*"?/y;
const COMMENT = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//y;

function pieceAt(text: string, at: number): { readonly text: string; readonly blank: boolean } {
  for (const [pattern, blank] of [
    [STRING, false],
    [COMMENT, true],
  ] as const) {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found) return { text: found, blank };
  }
  return { text: text[at] ?? '', blank: false };
}

/** Where a text stops being JSON, and what would have to stand there. */
export interface JsonFault {
  readonly at: number;
  readonly expected: string;
}

const SPACE = /[ \t\r\n]*/y;
const ATOM =
  // oxlint-disable-next-line no-control-regex -- JSON allows no control characters in strings
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b/y;

/** Undefined for what is JSON. What the text holds is not repeated: it may be a secret. */
export function jsonFault(text: string): JsonFault | undefined {
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    at += found?.length ?? 0;
    return found;
  };
  const next = (mark: string): boolean => {
    take(SPACE);
    if (text[at] !== mark) return false;
    at += 1;
    return true;
  };
  const fault = (expected: string): JsonFault => ({ at, expected });
  const list = (end: string, item: () => JsonFault | undefined): JsonFault | undefined => {
    if (next(end)) return undefined;
    for (;;) {
      const wrong = item();
      if (wrong) return wrong;
      if (next(end)) return undefined;
      if (!next(',')) return fault(`',' or '${end}'`);
    }
  };
  const member = (): JsonFault | undefined => {
    take(SPACE);
    if (text[at] !== '"' || take(ATOM) === undefined) return fault('a key in double quotes');
    return next(':') ? value() : fault("':'");
  };
  const value = (): JsonFault | undefined => {
    if (next('{')) return list('}', member);
    if (next('[')) return list(']', value);
    return take(ATOM) === undefined ? fault('a value') : undefined;
  };
  const wrong = value();
  if (wrong) return wrong;
  take(SPACE);
  return at < text.length ? fault('nothing more') : undefined;
}
