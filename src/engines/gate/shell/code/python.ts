import type { Call } from '../call.ts';
import { literal } from '../arg.ts';
import { stripStrings } from './strip-strings.ts';

/** Modules that only compute. */
const MODULES = new Set(
  'json sys re math datetime time collections itertools functools string textwrap statistics random decimal fractions hashlib base64 uuid calendar operator typing dataclasses enum csv html difflib pprint bisect heapq copy unicodedata struct binascii zlib locale platform secrets sysconfig ast tokenize keyword numbers cmath array colorsys ipaddress email configparser tomllib yaml toml numpy pandas importlib.metadata'.split(
    ' ',
  ),
);
/** Names through which code gets at everything else. */
const FORBIDDEN =
  /\b(?:__\w+__|exec|eval|compile|getattr|setattr|delattr|globals|locals|vars|breakpoint|input|help|memoryview|modules|meta_path|path_hooks|settrace|setprofile|os|subprocess|shutil|socket|ctypes|pty|builtins|importlib(?!\.metadata)|runpy|pickle|marshal|shelve|tempfile|pathlib|glob|urllib|http|requests|httpx|aiohttp|ftplib|smtplib|telnetlib|multiprocessing|threading|asyncio|signal|atexit|code|codeop|inspect|gc|webbrowser|sqlite3|to_csv|to_json|to_pickle|read_pickle|to_sql|save|savetxt|tofile|unsafe_load|full_load|load_all|write_text|write_bytes|system|popen|spawn|fork|unlink|remove|rmtree|rename|chmod|mkdir|environ|getenv|dlopen|audit|excepthook|displayhook|_\w*|func_globals|gi_frame|f_globals)\b/;

export function judgePython(code: string, call: Call): void {
  const bare = stripStrings(code, /#[^\n]*/g)
    .replace(/\bos\s*\.\s*(?:getcwd|listdir|cpu_count|uname|getpid|sep|linesep|path\s*\.\s*\w+)\b/g, 'SAFE')
    .replace(/\b__(?:version|name|file|doc)__\b/g, 'SAFE')
    .replace(/\bimport\s+os\s*(?=;|\n|$)/g, 'SAFE');
  for (const [, from, list] of bare.matchAll(
    /\bfrom\s+([\w.]+)\s+import\b|\bimport\s+([\w.,\s]+?)(?:;|\n|$)/g,
  )) {
    const names = from ? [from] : (list ?? '').split(',').map((name) => name.trim().split(/\s+/)[0] ?? '');
    for (const name of names)
      if (name && !MODULES.has(name)) return call.ask(`runs Python code that uses \`${name}\``);
  }
  const found = FORBIDDEN.exec(bare.replace(/\b_\b/g, ''));
  if (found) return call.ask(`runs Python code that uses \`${found[0]}\``);
  if (/\bimport\b[^;\n]*\\\n|\bsys\s*\.\s*stdin\s*\.\s*\w*buffer\w*\b.*\bexec/.test(bare))
    return call.ask('runs Python code that cannot be followed');
  for (const [, path, rest] of code.matchAll(/\bopen\s*\(\s*(?:r|b|u)?['"]([^'"]*)['"]\s*([^)]*)/g)) {
    call.reads(literal(path ?? ''));
    if (/['"][^'"]*[wax+][^'"]*['"]/.test((rest ?? '').replace(/encoding\s*=\s*['"][^'"]*['"]/, '')))
      return call.ask('runs Python code that writes a file');
  }
  if (/\bopen\s*\(\s*[^'"\s)]/.test(code.replace(/\bopen\s*\(\s*[rbu]?['"]/g, ''))) {
    if (!/\bopen\s*\(\s*0\s*\)|\bopen\s*\(\s*sys\.argv\[\d\]\s*\)/.test(code))
      call.ask('runs Python code that opens a file which cannot be told beforehand');
  }
}
