import { tell } from '#kit/text';
import { literal } from '../arg.ts';
import type { Call } from '../call.ts';
import { type Token, tokensOf, wordSet } from './tokens.ts';

/** Modules of which only computing can be named with the attributes below. */
const MODULES = wordSet(
  `json sys re math datetime time collections itertools functools string textwrap statistics random decimal fractions
   hashlib base64 uuid calendar csv html difflib pprint bisect heapq unicodedata binascii zlib ipaddress tomllib secrets
   platform importlib.metadata`,
);
/** Modules of which no more may be named than this. */
const PARTS: Readonly<Record<string, ReadonlySet<string>>> = {
  os: wordSet('getcwd listdir cpu_count uname getpid sep linesep path'),
  yaml: wordSet('safe_load safe_load_all safe_dump __version__'),
  numpy: wordSet('__version__'),
  pandas: wordSet('__version__'),
};
const KEYWORDS = wordSet(
  `and as assert break class continue def del elif else except finally for from if import in is lambda None not or pass
   raise return True False try while yield with`,
);
const BUILTINS = wordSet(
  `abs all any ascii bin bool bytearray bytes chr dict divmod enumerate filter float frozenset hash hex int
   isinstance iter len list map max min next oct ord pow print range repr reversed round set slice sorted str sum tuple
   zip Exception ValueError KeyError TypeError IndexError SystemExit StopIteration exit __name__ __version__`,
);
/** Every other name that a program has without naming a module: bound in one place, it is still itself in another. */
const REACHING = wordSet(
  `exec eval compile open input getattr setattr delattr hasattr globals locals vars dir breakpoint help memoryview object
   property classmethod staticmethod super type callable id format copyright credits license quit aiter anext complex
   issubclass`,
);
/** What may stand behind a dot: methods of plain values, and what of the modules computes. */
const ATTRIBUTES = wordSet(
  `append extend insert pop sort reverse index count copy clear update keys values items get setdefault add discard union
   intersection difference issubset join split rsplit splitlines strip lstrip rstrip replace startswith endswith find
   rfind lower upper title capitalize swapcase zfill ljust rjust center encode decode isdigit isalpha isalnum isspace
   isupper islower partition rpartition expandtabs translate maketrans casefold removeprefix removesuffix hex fromhex
   to_bytes from_bytes bit_length as_integer_ratio is_integer
   load loads dumps dump JSONDecodeError argv stdin stdout stderr version version_info platform maxsize byteorder read
   readline readlines exit exists isfile isdir basename dirname splitext getsize
   pi e tau inf nan sqrt floor ceil log log2 log10 exp sin cos tan atan atan2 asin acos degrees radians hypot fabs gcd
   lcm factorial comb perm isclose isnan isinf prod trunc fsum dist
   datetime date time timedelta timezone utc now utcnow today fromtimestamp utcfromtimestamp fromisoformat isoformat
   strftime strptime timestamp total_seconds days seconds year month day hour minute second microsecond weekday
   isoweekday isocalendar combine astimezone sleep monotonic perf_counter gmtime localtime ctime mktime
   Counter defaultdict OrderedDict namedtuple deque most_common elements chain product permutations combinations
   groupby accumulate islice cycle repeat count starmap zip_longest reduce lru_cache partial
   mean median mode stdev pstdev variance pvariance quantiles fmean geometric_mean
   random randint choice choices shuffle sample uniform seed gauss randrange getrandbits token_hex token_urlsafe
   token_bytes Decimal Fraction quantize numerator denominator
   sha1 sha224 sha256 sha384 sha512 md5 blake2b blake2s new hexdigest digest b64encode b64decode urlsafe_b64encode
   urlsafe_b64decode b32encode b32decode hexlify unhexlify crc32 adler32 compress decompress
   uuid1 uuid3 uuid4 uuid5 UUID NAMESPACE_DNS NAMESPACE_URL
   compile match search findall finditer fullmatch sub subn escape group groups groupdict span start end I IGNORECASE M
   MULTILINE S DOTALL
   DictReader reader writer DictWriter writerow writerows fieldnames unescape unified_diff ndiff pprint pformat
   bisect_left bisect_right insort heappush heappop heapify nlargest nsmallest name category normalize
   ip_address ip_network ip_interface hosts num_addresses network_address broadcast_address prefixlen netmask
   ascii_letters ascii_lowercase ascii_uppercase digits punctuation hexdigits dedent indent fill wrap shorten
   calendar monthrange isleap month_name system machine node release python_version processor
   write flush`,
);

const LEXICON = {
  comment: /#[^\n]*/,
  woven: /(?:[fF][rR]?|[rR][fF]|[tT])(?:'|")/,
  strings:
    /(?:[rRbBuU]|[bB][rR]|[rR][bB])?(?:'''(?:\\[\s\S]|(?!''')[\s\S])*'''|"""(?:\\[\s\S]|(?!""")[\s\S])*"""|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*")/,
  names: /[^\W\d]\w*/u,
};

/** Python is followed when every name in it is bound in it, or known to compute; text in it stays text. */
export function judgePython(code: string, call: Call): void {
  const tokens = tokensOf(code, LEXICON);
  const stranger = tokens ? strangerIn(tokens, call) : 'text that is put together';
  if (stranger !== undefined)
    call.runsAnything(tell(`Python code that uses ${stranger}`, `使用 ${stranger} 的 Python 代码`));
}

/** The first name that is not known. Files that it opens by a literal name are judged on the way. */
function strangerIn(tokens: readonly Token[], call: Call): string | undefined {
  const bound = boundNames(tokens);
  const imports = importFaults(tokens);
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'name' || KEYWORDS.has(text)) continue;
    const before = tokens[at - 1]?.text;
    if (before === '.') {
      const whole = PARTS[tokens[at - 2]?.text ?? ''];
      if (whole && tokens[at - 3]?.text !== '.') {
        if (!whole.has(text)) return `\`.${text}\``;
        continue;
      }
      if (!ATTRIBUTES.has(text) && !imports.has(at)) return `\`.${text}\``;
      continue;
    }
    if (imports.has(at)) {
      const fault = imports.get(at);
      if (fault) return fault;
      continue;
    }
    if (PARTS[text]) {
      if (tokens[at + 1]?.text !== '.' || bound.taken.has(text)) return `\`${text}\``;
      continue;
    }
    if (text === 'open') {
      if (!readsLiteral(tokens, at, call)) return '`open`';
      continue;
    }
    if (BUILTINS.has(text)) continue;
    if (
      !bound.has(text) ||
      REACHING.has(text) ||
      (text.startsWith('__') && !/^__(?:init|str|repr|len|iter)__$/.test(text))
    )
      return `\`${text}\``;
  }
  return undefined;
}

/** Of every piece of an import what is wrong with that import: empty when nothing is. */
function importFaults(tokens: readonly Token[]): ReadonlyMap<number, string> {
  const faults = new Map<number, string>();
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at - 1] ?? { kind: 'break', text: '' };
    const starts = kind === 'break' || text === ';' || text === ':';
    if (!starts || !/^(?:import|from)$/.test(tokens[at]?.text ?? '')) continue;
    let end = at;
    while (end < tokens.length && tokens[end]?.kind !== 'break' && tokens[end]?.text !== ';') end++;
    const fault = importFault(tokens.slice(at, end));
    for (let piece = at; piece < end; piece++) faults.set(piece, fault);
    at = end;
  }
  return faults;
}

/** `import a.b as c, d` and `from a.b import c as d`: the module is known, and so is what is taken out of it. */
function importFault(pieces: readonly Token[]): string {
  const line = pieces
    .map(({ text }) => text)
    .join(' ')
    .replace(/ ?\. ?/g, '.');
  const from = /^from ([\w.]+) import ([\w ,]+)$/.exec(line);
  const plain = /^import ([\w., ]+)$/.exec(line);
  if (!from && !plain) return '`import`';
  const items = (list: string) => list.split(',').map((item) => item.trim());
  const bare = (item: string) => item.replace(/ as \w+$/, '');
  if (plain) {
    const strange = items(plain[1] ?? '').find((item) => !MODULES.has(bare(item)) && !PARTS[item]);
    return strange === undefined ? '' : `\`${strange}\``;
  }
  if (!MODULES.has(from?.[1] ?? '')) return `\`${from?.[1]}\``;
  const taken = items(from?.[2] ?? '').find((item) => !ATTRIBUTES.has(bare(item)));
  return taken === undefined ? '' : `\`${taken}\``;
}

/** Names that the code itself gives a value: assignments, loops, parameters, imports; `taken` without the imports. */
function boundNames(tokens: readonly Token[]): ReadonlySet<string> & { readonly taken: ReadonlySet<string> } {
  const bound = new Set<string>();
  const taken = new Set<string>();
  const unpacked = unpackings(tokens);
  let target = '';
  let parameters = false;
  for (const [at, { kind, text }] of tokens.entries()) {
    const [before, after] = [tokens[at - 1]?.text, tokens[at + 1]?.text];
    if (/^(?:for|lambda|import|as|def|class|with)$/.test(text)) target = text;
    if (text === 'def') parameters = true;
    if (text === 'in' || (text === ':' && !parameters) || (kind === 'break' && !parameters) || text === ';')
      target = '';
    if (text === ':' && before === ')') {
      parameters = false;
      target = '';
    }
    if (kind !== 'name' || KEYWORDS.has(text) || before === '.') continue;
    const assigned =
      after === '=' ||
      after === ':=' ||
      /^[-+*/%|&^]=$/.test(after ?? '') ||
      (after === ':' && tokens[at + 2]?.text === '=');
    if (target || assigned || unpacked.has(at)) bound.add(text);
    if ((target && target !== 'import') || assigned || unpacked.has(at)) taken.add(text);
  }
  return Object.assign(bound, { taken });
}

/** The names in `a, b = …`, by where they stand. */
function unpackings(tokens: readonly Token[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (let at = tokens.length - 2; at >= 0; at--) {
    if (tokens[at]?.kind !== 'name') continue;
    const next = tokens[at + 1]?.text;
    if (next === '=' || (next === ',' && found.has(at + 2))) found.add(at);
  }
  return found;
}

/** `open('name')` and `open('name', 'r')`: the file is judged like that of any other command. */
function readsLiteral(tokens: readonly Token[], at: number, call: Call): boolean {
  const [bracket, path, next, mode, end] = tokens.slice(at + 1, at + 6);
  if (bracket?.text !== '(') return false;
  if (path?.kind === 'number') return path.text === '0' && next?.text === ')';
  if (path?.kind !== 'text' || /\\/.test(path.text)) return false;
  call.reads(literal(path.text.replace(/^[a-zA-Z]*['"]+|['"]+$/g, '')));
  return (
    next?.text === ')' || (next?.text === ',' && /^['"]rb?['"]$/.test(mode?.text ?? '') && end?.text === ')')
  );
}
