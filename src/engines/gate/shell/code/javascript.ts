import type { Call } from '../call.ts';
import { literal } from '../arg.ts';
import { stripStrings } from './strip-strings.ts';

const MODULES = new Set(
  'path node:path os node:os util node:util url node:url querystring node:querystring assert node:assert crypto node:crypto perf_hooks node:perf_hooks string_decoder semver zlib node:zlib punycode'.split(
    ' ',
  ),
);
/** What of `fs` only looks. */
const READS = new Set(
  'readFileSync readFile existsSync statSync lstatSync readdirSync readdir realpathSync promises constants accessSync'.split(
    ' ',
  ),
);
const FORBIDDEN =
  /\b(?:eval|Function|constructor|__proto__|__\w+__|prototype|child_process|spawn\w*|exec\w*|fork|execPath|binding|dlopen|mainModule|getBuiltinModule|kill|abort|reallyExit|setuid|setgid|chdir|env|loadEnvFile|globalThis|global|Reflect|Proxy|WebAssembly|Worker|vm|module|createRequire|fetch|XMLHttpRequest|WebSocket|http|https|net|tls|dgram|dns|cluster|inspector|repl|Deno|Bun|write\w*|append\w*|rm\w*|unlink\w*|rename\w*|mkdir\w*|copy\w*|chmod\w*|chown\w*|truncate\w*|symlink\w*|link\w*|open\w*|createWriteStream|utimes\w*|import|with|setPrototypeOf|defineProperty|fromCharCode|atob|unescape|decodeURIComponent|process\s*\.\s*(?!argv|version\b|versions|platform|arch|pid|ppid|uptime|cwd|memoryUsage|hrtime|exit|exitCode|stdin|stdout|release|title|features|nextTick)\w+)\b/;

export function judgeJavaScript(code: string, call: Call): void {
  const required = [...code.matchAll(/\brequire\s*\(\s*(['"`])([^'"`]*)\1\s*\)/g)].map(
    (match) => match[2] ?? '',
  );
  const usesFiles = required.some((name) => /^(?:node:)?fs(?:\/promises)?$/.test(name));
  for (const name of required) {
    if (MODULES.has(name) || /^(?:node:)?fs(?:\/promises)?$/.test(name)) continue;
    if (/^\.{1,2}\/[\w./@-]+$/.test(name) && !name.includes('../..')) call.reads(literal(name));
    if (!name.endsWith('.json') || /^[/~]/.test(name))
      return call.ask(`runs JavaScript that loads \`${name.slice(0, 60)}\``);
  }
  const bare = stripStrings(code, /\/\/[^\n]*|\/\*[\s\S]*?\*\//g)
    .replace(/\brequire\s*\(\s*""\s*\)/g, 'REQUIRED')
    .replace(/\b(?:process\.)?stdout\s*\.\s*write\b/g, 'PRINT');
  if (/\brequire\b/.test(bare))
    return call.ask('runs JavaScript that loads something which cannot be told beforehand');
  const found = FORBIDDEN.exec(bare) ?? /\\u|\\x/.exec(bare);
  if (found) return call.ask(`runs JavaScript that uses \`${found[0]}\``);
  // A property whose name is computed, or taken from a string, can be any of the above.
  const named = code.match(/[\w)\]'"]\s*\[\s*(['"`])(?:\\.|(?!\1).)*\1\s*\]/g) ?? [];
  const computed = /[\w)\]"]\s*\[(?!\s*(?:\d+|"")\s*\])/.test(bare);
  if (computed || named.some((text) => FORBIDDEN.test(text)))
    return call.ask('runs JavaScript that picks a property by a computed name');
  if (/`/.test(bare) && /`[^`]*\$\{/.test(code) && FORBIDDEN.test(code))
    return call.ask('runs JavaScript that cannot be followed');
  if (!usesFiles) return;
  for (const [, method] of code.matchAll(/\bfs\b["'`)]*\s*\)?\s*\.\s*(\w+)/g))
    if (!READS.has(method ?? '')) return call.ask(`runs JavaScript that uses \`fs.${method}\``);
}
