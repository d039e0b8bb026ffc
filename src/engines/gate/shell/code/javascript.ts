import { tell } from '#kit/text';
import { literal } from '../arg.ts';
import type { Call } from '../call.ts';
import { type Token, tokensOf, wordSet } from './tokens.ts';

const KEYWORDS = wordSet(
  `const let var if else for of in while do switch case default break continue return function new typeof instanceof void
   delete throw try catch finally true false null undefined NaN Infinity class extends this async await yield static get
   set`,
);
/** What a program has without loading anything, as far as it computes. */
const GLOBALS = wordSet(
  `Math JSON Number String Boolean Array Object Date Set Map BigInt RegExp Error TypeError RangeError Symbol Intl parseInt
   parseFloat isNaN isFinite encodeURIComponent encodeURI structuredClone URL URLSearchParams`,
);
/** Of these only what is written down. */
const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  console: wordSet('log error warn info table dir time timeEnd'),
  process: wordSet(
    'argv version versions platform arch pid ppid uptime cwd memoryUsage hrtime exit exitCode stdout',
  ),
  Object: wordSet('keys values entries fromEntries assign freeze is groupBy'),
  Array: wordSet('from of isArray'),
  Date: wordSet('now UTC parse'),
};
/** Names through which a value leads to the code that made it. */
const REACHING = wordSet(
  `constructor prototype caller callee arguments eval Function globalThis global window self Reflect Proxy WebAssembly
   require module exports import process mainModule getBuiltinModule binding dlopen Buffer setTimeout setInterval
   setImmediate queueMicrotask fetch XMLHttpRequest WebSocket Deno Bun with`,
);
const MODULES = wordSet(
  'path os util url querystring crypto assert fs node:path node:os node:util node:url node:crypto node:fs',
);
const MODULE_PARTS = wordSet(
  `join resolve basename dirname extname relative sep cpus totalmem freemem hostname platform arch type release uptime
   loadavg EOL inspect format isDeepStrictEqual parse createHash update digest randomUUID randomBytes toString
   readFileSync existsSync statSync readdirSync length model speed size`,
);
const LEXICON = {
  comment: /\/\/[^\n]*|\/\*[\s\S]*?\*\//,
  woven: /`(?:\\[\s\S]|[^`\\])*\$\{/,
  strings: /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`/,
  patterns: true,
};

/** JavaScript is followed when every name in it is bound in it, or known to compute, and no name is computed. */
export function judgeJavaScript(code: string, call: Call): void {
  const tokens = /\\u|\\x/.test(code) ? undefined : tokensOf(code, LEXICON);
  const stranger = tokens ? strangerIn(tokens, call) : 'text that is put together';
  if (stranger !== undefined)
    call.runsAnything(tell(`JavaScript that uses ${stranger}`, `使用 ${stranger} 的 JavaScript`));
}

function strangerIn(tokens: readonly Token[], call: Call): string | undefined {
  const bound = boundNames(tokens);
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as Token;
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (text === '[' && before && isValue(before) && !isPlainIndex(tokens, at)) return 'a computed name';
    if (kind !== 'name' || KEYWORDS.has(text)) continue;
    if (text === 'require') {
      const skip = requires(tokens, at, call);
      if (skip === undefined) return '`require`';
      at += skip;
      continue;
    }
    const parts = PARTS[text];
    if (parts && before?.text !== '.') {
      if (after?.text === '.' && parts.has(tokens[at + 2]?.text ?? '')) at += 2;
      else if (!(text === 'Date' || text === 'Array') || bound.has(text)) return `\`${text}\``;
      continue;
    }
    if (REACHING.has(text) || text.startsWith('_')) return `\`${text}\``;
    // A name behind a dot, or in front of a colon, names a part of a value.
    if (before?.text === '.' || before?.text === '?.' || (after?.text === ':' && before?.text !== '?'))
      continue;
    if (!GLOBALS.has(text) && !bound.has(text)) return `\`${text}\``;
  }
  return undefined;
}

const isValue = ({ kind, text }: Token): boolean =>
  (kind === 'name' && !KEYWORDS.has(text)) || kind === 'text' || text === ')' || text === ']' || text === '.';

/** `[0]`, or `['name']` with a name that leads nowhere. */
function isPlainIndex(tokens: readonly Token[], at: number): boolean {
  const [inner, end] = tokens.slice(at + 1, at + 3);
  if (end?.text !== ']') return false;
  if (inner?.kind === 'number') return true;
  const name = inner?.kind === 'text' ? inner.text.slice(1, -1) : '';
  return /^[\w@/.-]+$/.test(name) && !REACHING.has(name) && !name.startsWith('_');
}

/** `require('./x.json')` and modules that compute. Gives how many pieces it took. */
function requires(tokens: readonly Token[], at: number, call: Call): number | undefined {
  const [open, name, close, dot, part] = tokens.slice(at + 1, at + 6);
  if (open?.text !== '(' || name?.kind !== 'text' || close?.text !== ')') return undefined;
  const path = name.text.slice(1, -1);
  if (/^\.{1,2}\/[\w./@-]+\.json$/.test(path)) {
    call.reads(literal(path));
    return 3;
  }
  if (!MODULES.has(path) || dot?.text !== '.' || !MODULE_PARTS.has(part?.text ?? '')) return undefined;
  if (!path.endsWith('fs')) return 5;
  const [bracket, file] = tokens.slice(at + 6, at + 8);
  if (bracket?.text !== '(' || (file?.kind !== 'text' && file?.text !== '0')) return undefined;
  if (file.kind === 'text') call.reads(literal(file.text.slice(1, -1)));
  return 5;
}

/** Names that the code itself declares: variables, functions, parameters. */
function boundNames(tokens: readonly Token[]): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'name' || KEYWORDS.has(text)) continue;
    const [before, after] = [tokens[at - 1]?.text ?? '', tokens[at + 1]?.text ?? ''];
    const declared = /^(?:const|let|var|function|class|catch)$/.test(before);
    const assigned = before !== '.' && /^(?:=|=>|[-+*/%]=)$/.test(after);
    const listed = /^[{,(.[]$|^\.\.\.$/.test(before) && before !== '.' && isParameter(tokens, at);
    if (declared || assigned || listed) bound.add(text);
  }
  return bound;
}

/** In `(a, b) =>`, `function f(a, b)`, `[a, b] =`, `{ a, b } =`. */
function isParameter(tokens: readonly Token[], at: number): boolean {
  let depth = 0;
  for (let next = at + 1; next < tokens.length && next < at + 60; next++) {
    const { text } = tokens[next] as Token;
    if (/^[([{]$/.test(text)) depth++;
    if (!/^[)\]}]$/.test(text)) continue;
    if (depth-- > 0) continue;
    const { text: behind } = tokens[next + 1] ?? {};
    if (/^(?:=>|=|of|in|\{)$/.test(behind ?? '')) return true;
    depth = 0;
  }
  return false;
}
