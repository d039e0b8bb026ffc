import type { Call } from '../call.ts';
import { stripStrings } from './strip-strings.ts';

/** What one-liners of these languages may name. Everything else asks. */
const HARMLESS: Readonly<Record<string, ReadonlySet<string>>> = {
  perl: words(
    'print say printf if unless and or not eq ne lt gt le ge x my our local last next redo while until for foreach push pop shift unshift split join map grep sort reverse keys values scalar length substr index rindex uc lc ucfirst lcfirst sprintf sum END BEGIN chomp chop s m y tr g i e1 n p undef defined exists delete int abs sqrt hex oct ord chr else elsif strict warnings use v5 0777 STDIN STDOUT List Util max min first F',
  ),
  ruby: words(
    'puts print p if unless and or not then end do each map select reject sort uniq size length join split upcase downcase capitalize reverse first last gsub sub match scan to_s to_i to_f to_a to_sym inject sum min max times upto downto step nil true false RUBY_VERSION require json JSON parse STDIN ARGF each_line chomp strip include lines chars keys values sort_by group_by each_with_index with_index format round zip flatten compact tally',
  ),
  php: words(
    'echo print if else phpversion PHP_VERSION PHP_EOL strlen strtoupper strtolower str_repeat implode explode json_encode json_decode var_dump print_r count date time max min round number_format sprintf printf php true false null foreach as for in_array array_map array_sum array_keys',
  ),
  lua: words(
    'print string format rep upper lower len math floor ceil max min pi for do end if then else in pairs ipairs _VERSION local table concat insert sort return and or not nil true false io write',
  ),
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** One-liners of scripting languages: fine when they name nothing but printing, text and numbers. */
export function judgeWordy(language: string, code: string, call: Call): void {
  const known = HARMLESS[language];
  if (!known) return call.ask(`runs ${language} code, which is not followed`);
  if (/`|%x|\bqx\b|\|["']|["']\|/.test(code))
    return call.ask(`runs ${language} code that may start other programs`);
  const bare = stripStrings(code, /(?:^|\s)#[^\n]*/g);
  // Patterns are text, too; but behind a replacement, `e` makes code of it.
  if (/\b(?:s|tr|y)([^\w\s])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[a-z]*e/.test(bare))
    return call.ask('runs code that a replacement computes');
  const plain = bare
    .replace(/\b(?:s|tr|y)([^\w\s;=])(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1[a-z]*/g, ' ')
    .replace(/\bm?\/(?:\\.|[^/\n])+\/[a-z]*|\/(?:\\.|[^/\n])+\/[a-z]*/g, ' ')
    .replace(/\b(?:STDIN|ARGF)\s*\.\s*(?:read|each_line|readlines)\b/g, ' ');
  const interpolated = [...code.matchAll(/#\{([^}]*)\}|@\{\[([^\]]*)\]\}/g)]
    .map((match) => match[1] ?? match[2] ?? '')
    .join(' ');
  for (const name of `${plain} ${interpolated}`.match(/(?<![$@%\w&*])[A-Za-z_]\w*/g) ?? []) {
    if (!known.has(name) && !/^.$/.test(name)) return call.ask(`runs ${language} code that uses \`${name}\``);
  }
  if (language === 'perl' && /\beval\b|\bdo\s*["'{]|&\$|->\s*\(|\$\{\s*\^|\*\{/.test(code))
    call.ask('runs perl code that cannot be followed');
  if (language === 'lua' && /\bio\s*\.\s*(?!write\b)\w+/.test(bare))
    call.ask('runs lua code that opens files');
  if (language === 'ruby' && /\$0|\bsend\b|\bpublic_send\b/.test(bare))
    call.ask('runs ruby code that cannot be followed');
}
