import { tell } from '#kit/text';
import type { Call } from '../call.ts';
import { type Lexicon, type Token, tokensOf, wordSet } from './tokens.ts';

interface Language {
  /** What one-liners may name. */
  readonly words: ReadonlySet<string>;
  readonly lexicon: Lexicon;
}

const QUOTED = /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"/;
const PERL_QUOTES =
  /(?:s|y|tr)([/|!,#])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[a-z]*|m([/|!,#])(?:\\.|(?!\2)[^\\\n])*\2[a-z]*/;

const LANGUAGES: Readonly<Record<string, Language>> = {
  perl: {
    words: wordSet(
      `print say printf if unless and or not eq ne lt gt le ge x my our local last next redo while until for foreach push
       pop shift unshift split join map grep sort reverse keys values scalar length substr index rindex uc lc ucfirst
       lcfirst sprintf sum END BEGIN chomp chop undef defined exists delete int abs sqrt hex oct ord chr else elsif
       strict warnings use v5 STDIN STDOUT List Util max min first F a b`,
    ),
    lexicon: {
      comment: /(?:^|(?<=\s))#[^\n]*/,
      // Into double quotes code can be woven: `@{…}` and `${…}`.
      woven:
        /"(?:\\[\s\S]|[^"\\])*?(?:[@$]\{|[@$]\$|->)(?:\\[\s\S]|[^"\\])*"|q[qxwr]?\s*[^\w\s,;=)]|<<|s([^\w\s])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[a-z]*e/,
      strings: new RegExp(`${PERL_QUOTES.source}|${QUOTED.source}`),
      patterns: true,
      names: /[$@%&]?[A-Za-z_]\w*|[$@%][\d&_,;!.\\/]|[$@]\$?(?=\w)/,
    },
  },
  ruby: {
    words: wordSet(
      `puts print p if unless and or not then end do each map select reject sort uniq size length join split upcase
       downcase capitalize reverse first last gsub sub match scan to_s to_i to_f to_a to_sym inject sum min max times
       upto downto step nil true false RUBY_VERSION STDIN ARGF each_line chomp strip include lines chars keys values
       sort_by group_by each_with_index with_index format round zip flatten compact tally JSON parse read`,
    ),
    lexicon: {
      comment: /(?:^|(?<=\s))#[^\n]*/,
      woven: /"(?:\\[\s\S]|[^"\\])*#\{|%[qQwWxri]?[^\w\s]|<<[~-]?\w|\/[^/\n]*#\{|`/,
      strings: QUOTED,
      patterns: true,
      names: /[$@]{0,2}[A-Za-z_]\w*[?!]?|\$[\d&_,;!.\\/~]/,
    },
  },
  php: {
    words: wordSet(
      `echo print if else phpversion PHP_VERSION PHP_EOL strlen strtoupper strtolower str_repeat implode explode json_encode
       json_decode var_dump print_r count date time max min round number_format sprintf printf true false null foreach as
       for in_array array_sum array_keys`,
    ),
    lexicon: {
      comment: /\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//,
      woven: /"(?:\\[\s\S]|[^"\\])*(?:\{\$|\$\{)|<<<|`/,
      strings: QUOTED,
      names: /\$?[A-Za-z_]\w*/,
    },
  },
  lua: {
    words: wordSet(
      `print string format rep upper lower len math floor ceil max min pi for do end if then else in pairs ipairs _VERSION
       local concat insert sort return and or not nil true false write`,
    ),
    lexicon: { comment: /--[^\n]*/, woven: /\[=*\[/, strings: QUOTED },
  },
};

/** One-liners of scripting languages: followed when they name nothing but printing, text and numbers. */
export function judgeWordy(language: string, code: string, call: Call): void {
  const known = LANGUAGES[language];
  // `(?{…})` in a pattern is code.
  const tokens = known && !/\(\?\??\{/.test(code) ? tokensOf(code, known.lexicon) : undefined;
  const stranger = known && tokens ? strangerIn(tokens, known.words, language) : 'what cannot be followed';
  if (stranger !== undefined)
    call.runsAnything(tell(`${language} code that uses ${stranger}`, `使用 ${stranger} 的 ${language} 代码`));
}

function strangerIn(
  tokens: readonly Token[],
  words: ReadonlySet<string>,
  language: string,
): string | undefined {
  const bound = boundNames(tokens);
  for (const [at, { kind, text }] of tokens.entries()) {
    const after = tokens[at + 1]?.text;
    // Text, a variable or the outcome of something else that is called would be a name that is computed.
    const callable =
      kind === 'text' || (kind === 'name' && /^[$@&]/.test(text)) || text === ')' || text === ']';
    if (callable && after === '(') return 'a computed name';
    if (text === '`' || (text === '|' && language !== 'php')) return 'other programs';
    if (text === '&' && after === '&') continue;
    if (kind === 'sign' && (text === '&' || text === '<')) {
      if (
        language === 'perl' &&
        text === '<' &&
        !/^(?:STDIN|>)$/.test(after ?? '') &&
        tokens[at + 2]?.text === '>'
      )
        return 'other files';
      if (language === 'perl' && text === '&') return 'a computed name';
    }
    if (language === 'lua' && text === '[' && tokens[at + 1]?.kind !== 'number') return 'a computed name';
    if (kind !== 'name') continue;
    if (/^[$@%]/.test(text)) {
      if (/^\$_[A-Z]|^[$%]ENV$|^\$GLOBALS$|^[$@]$/.test(text)) return `\`${text}\``;
      continue;
    }
    if (!words.has(text) && !bound.has(text)) return `\`${text}\``;
  }
  return undefined;
}

/** `x = …` in languages whose variables have no sign. A name that is also called is none of them. */
function boundNames(tokens: readonly Token[]): ReadonlySet<string> {
  const bound = new Set<string>();
  for (const [at, { text }] of tokens.entries())
    if (
      /^[a-z]\w{0,8}$/.test(text) &&
      /^(?:=|,)$/.test(tokens[at + 1]?.text ?? '') &&
      !/^[.:]$/.test(tokens[at - 1]?.text ?? '')
    )
      bound.add(text);
  for (const [at, { text }] of tokens.entries()) if (tokens[at + 1]?.text === '(') bound.delete(text);
  return bound;
}
