import { tell } from '#kit/text';
import type { Call } from '../call.ts';
import { type Token, tokensOf, wordSet } from './tokens.ts';

const FUNCTIONS = wordSet(
  `length substr index split sub gsub gensub match sprintf tolower toupper sin cos atan2 exp log sqrt int rand srand
   strftime systime mktime asort asorti patsplit and or xor compl lshift rshift strtonum isarray typeof`,
);
const LEXICON = { comment: /#[^\n]*/, strings: /"(?:\\.|[^"\\\n])*"/, patterns: true };

/**
 * Awk can run commands, write files and read others. A program is followed when it only calls functions that compute, and
 * has no pipe and no redirection.
 */
export function judgeAwk(code: string, call: Call): void {
  const tokens = tokensOf(code, LEXICON);
  if (!tokens) return call.runsAnything(tell('an awk program', 'awk 程序'));
  if (tokens.some(({ text }) => text === 'ENVIRON'))
    return call.showsPrivate(tell('reads the environment', '会读取环境变量'));
  if (tokens.some(({ text }) => /^(?:PROCINFO|SYMTAB|ARGV|ARGC|ARGIND)$/.test(text)))
    return call.runsAnything(tell('an awk program', 'awk 程序'));
  const own = new Set(
    tokens.filter((_, at) => /^func(?:tion)?$/.test(tokens[at - 1]?.text ?? '')).map(({ text }) => text),
  );
  let [printing, depth] = [false, 0];
  for (const [at, token] of tokens.entries()) {
    const { kind, text } = token;
    if (kind === 'break' || text === ';' || text === '}' || text === '{') [printing, depth] = [false, 0];
    if (kind === 'name' && /^printf?$/.test(text)) [printing, depth] = [true, 0];
    if (text === '(') depth++;
    if (text === ')') depth--;
    if (kind === 'name' && (text === 'getline' || text === 'system'))
      return call.runsAnything(tell('an awk program that starts others', '会启动其他程序的 awk 程序'));
    if (text === '@' || text === '|' || text === '|=')
      return call.runsAnything(tell('an awk program that starts others', '会启动其他程序的 awk 程序'));
    if (printing && depth <= 0 && (text === '>' || text === '>>') && !goesToScreen(tokens[at + 1]))
      return call.runsAnything(tell('an awk program that writes files', '会写文件的 awk 程序'));
    const calls =
      kind === 'name' &&
      tokens[at + 1]?.text === '(' &&
      !/^(?:if|while|for|switch|return|in|printf?|exit|delete)$/.test(text);
    // A name in front of a parenthesis is a call only where nothing stands between them; a value would be joined to it.
    if (calls && !FUNCTIONS.has(text) && !own.has(text) && new RegExp(`\\b${text}\\(`).test(code))
      return call.runsAnything(tell(`an awk program that calls \`${text}\``, `调用 \`${text}\` 的 awk 程序`));
  }
}

const goesToScreen = (token: Token | undefined): boolean =>
  token !== undefined && /^"(?:\/dev\/(?:stdout|stderr)|-)"$/.test(token.text);
