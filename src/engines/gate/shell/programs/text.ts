import { tell } from '#kit/text';
import { type Arg, literal } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, joinFeeds, OPAQUE, textFeed } from '../feed.ts';
import { type Grammar, known, type Rule } from '../grammar.ts';
import { readSedScript } from '../sed-script.ts';
import { jq, yq } from './queries.ts';
import { readers } from './readers.ts';

/** What comes out is what went in, changed. */
const changes: Rule = () => undefined;
const HELP = '--help --version';

/** `echo` and `printf` print their words; escapes in them count as an encoding. */
const echo: Program = ({ args, name }) => {
  const [option] = args;
  const words = option && /^-[neE]+$/.test(option.text) ? args.slice(1) : args;
  const joined = words.reduce<Feed>((all, arg) => (arg.feed ? joinFeeds(all, arg.feed) : all), EMPTY);
  const text = words.map((arg) => arg.text).join(' ');
  const escapes =
    /\\(?:x[0-9a-f]|0?[0-7]{2,3}|u[0-9a-f])/i.test(text) && (name === 'printf' || option?.text.includes('e'));
  if (escapes) return { ...joined, decoded: true, opaque: true };
  if (!words.every((arg) => arg.literal && !arg.glob)) {
    const { text: _, ...rest } = joined;
    return { ...rest, opaque: true };
  }
  return textFeed(`${name === 'printf' ? formatted(words) : text}\n`);
};

/** Good enough for `printf '%s\n' words`; anything else keeps its format. */
function formatted(words: readonly Arg[]): string {
  const [format, ...values] = words;
  let next = 0;
  const once = (format?.text ?? '').replace(/\\n/g, '\n').replace(/\\t/g, '\t');
  const filled = once.replace(/%[sbdq]/g, () => values[next++]?.text ?? '');
  return values.length > next
    ? `${filled}${values
        .slice(next)
        .map((value) => value.text)
        .join('\n')}`
    : filled;
}

/** Copies its input, or the files that it is given. */
const cat = known(
  {
    flags: `AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting ${HELP}`,
    text: '-B|--before --separator',
    operands: ['reads'],
    calm: true,
  },
  (call, { operands }) => {
    const files = operands.filter(({ text }) => text !== '-');
    for (const file of files)
      if (/^\/dev\/(?:zero|urandom|random|full)$/.test(file.text) && !call.piped)
        call.ask(tell('never ends', '永不结束'));
    if (files.length === 0) return call.stdin;
    return files.reduce<Feed>((all, file) => (file.piped ? joinFeeds(all, file.piped) : all), OPAQUE);
  },
);

const tee = known(
  { flags: `-a|--append -i|--ignore-interrupts p ${HELP}`, glued: '--output-error' },
  (call, words) => {
    for (const file of words.operands) call.writes(file, words.has('-a') ? 'create' : 'change');
    return call.stdin;
  },
);

const revealed = (call: Call): Feed => ({
  ...OPAQUE,
  network: call.stdin.network,
  secret: call.stdin.secret,
  decoded: true,
});

/** Decoders: what comes out was not readable in what went in. */
const decoder: Program = known(
  {
    flags: `-d|-D|--decode -i|--ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85 ${HELP}`,
    text: '-w|--wrap',
    operands: ['reads'],
    calm: true,
  },
  (call, words) => (words.has('-d') ? revealed(call) : undefined),
);

const sort = known(
  {
    flags: `bcCdfghimMnRruVszu --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort --reverse --stable --unique --version-sort --zero-terminated --merge --debug ${HELP}`,
    text: '-k|--key -t|--field-separator -S|--buffer-size --batch-size --parallel',
    glued: '--check --sort',
    writes: '-o|--output',
    inside: '-T|--temporary-directory',
    reads: '--random-source',
    runs: '--compress-program',
    asksWith: '--files0-from',
    operands: ['reads'],
  },
  changes,
);

const sed = known(
  {
    flags: `nrEsuz --quiet --silent --regexp-extended --separate --unbuffered --null-data --posix --debug --follow-symlinks --sandbox ${HELP}`,
    text: '-e|--expression -l|--line-length',
    glued: '-i|--in-place',
    asksWith: '-f|--file',
  },
  (call, words) => {
    const given = words.values('-e');
    const scripted = given.length > 0 || words.has('-f');
    const [first, ...rest] = words.operands;
    judgeSed(call, scripted ? given : first ? [first] : []);
    const files = scripted ? words.operands : rest;
    for (const file of files) {
      call.reads(file);
      if (words.has('-i')) call.writes(file, 'change');
    }
    const { network, decoded, secret, text } = call.stdin;
    return { ...OPAQUE, network, decoded: decoded || (files.length === 0 && text !== undefined), secret };
  },
);

/** Several scripts are one, line after line. */
function judgeSed(call: Call, scripts: readonly Arg[]): void {
  if (scripts.some((script) => !script.literal))
    return call.ask(
      tell('runs an editing script that cannot be told beforehand', '会运行无法事先得知的编辑脚本'),
    );
  const deeds = readSedScript(scripts.map(({ text }) => text).join('\n'));
  if (!deeds) return call.ask(tell('runs an editing script that cannot be read', '会运行无法读懂的编辑脚本'));
  if (deeds.runs) call.ask(tell('runs a command from an editing script', '会由编辑脚本运行命令'));
  for (const file of deeds.reads) if (file !== '/dev/stdin') call.reads(literal(file));
  for (const file of deeds.writes)
    if (!/^\/dev\/(?:stdout|stderr)$/.test(file))
      call.ask(tell(`writes to ${file} from an editing script`, `会由编辑脚本写入 ${file}`));
}

const awk = known(
  {
    flags: `-b|--characters-as-bytes -c|--traditional -P|--posix -r|--re-interval -S|--sandbox -O|--optimize -s|--no-optimize -M|--bignum -n|--non-decimal-data -k|--csv ${HELP}`,
    text: '-F|--field-separator -v|--assign',
    asks: '-h -t|--lint-old -C -V -g|--gen-pot -I|--trace',
    asksWith:
      '-f|--file -i|--include -l|--load -E|--exec -e|--source -o|--pretty-print -d|--dump-variables -p|--profile -D|--debug -L|--lint -W',
    stopsEarly: true,
  },
  (call, words) => {
    const [program, ...files] = words.operands;
    if (program) call.runsCode('awk', program);
    for (const file of files) {
      if (/^-./.test(file.text)) call.ask(tell('has an option behind its program', '在程序之后带有选项'));
      if (!/^[A-Za-z_]\w*=/.test(file.text)) call.reads(file);
    }
    const { network, decoded, secret } = call.stdin;
    return { ...OPAQUE, network, decoded, secret };
  },
);

/** Programs to page through text: they can start others when somebody types. */
const pager = known(
  { flags: 'eEfFgGiImMnNqQrRsSuUwWX', text: 'bhjptxyz', asks: 'O -', asksWith: 'okPT', operands: ['rule'] },
  (call, { operands }) => {
    for (const operand of operands) {
      if (operand.text.startsWith('+')) call.ask(tell('runs a command at its start', '会在启动时运行命令'));
      else call.reads(operand);
    }
    if (!call.piped)
      call.ask(
        tell(
          'waits for somebody at a terminal, and can start other programs',
          '会在终端等人操作,并能启动其他程序',
        ),
      );
    return undefined;
  },
);

const GREP: Grammar = {
  flags: `abcEFGHhIiLlnoPqRrsTUuVvwxyZz --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case
    --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --byte-offset --line-number
    --line-buffered --with-filename --no-filename --only-matching --quiet --silent --text --recursive
    --dereference-recursive --files-without-match --files-with-matches --count --initial-tab --null --no-group-separator
    --unix-byte-offsets --binary ${HELP}`,
  text: '-e|--regexp -m|--max-count -A|--after-context -B|--before-context -C|--context -D|--devices -d|--directories --label --include --exclude --exclude-dir --group-separator --binary-files',
  glued: '--color --colour',
  reads: '-f|--file --exclude-from',
  numbers: true,
};
const grep = known(GREP, (call, words) => {
  const files = words.operands.slice(words.has('-e', '-f') ? 0 : 1);
  for (const file of files) call.reads(file);
  const { network, decoded, secret } = call.stdin;
  const listing =
    words.has('-l', '-L', '--files-with-matches', '--files-without-match') && files.every(isRelative);
  return { ...OPAQUE, network, decoded, secret, listing };
});

const ripgrep = known(
  {
    flags: `abcFhHiILlNnopPqsSUuvVwxz0. --no-heading --heading --files --files-with-matches --files-without-match --hidden
      --no-ignore --no-ignore-vcs --no-ignore-parent --ignore-case --smart-case --case-sensitive --fixed-strings
      --word-regexp --line-regexp --invert-match --line-number --no-line-number --only-matching --multiline
      --multiline-dotall --count --count-matches --quiet --json --pcre2 --text --null --stats --trim --vimgrep --column
      --with-filename --no-filename --no-messages --type-list --debug --pretty --passthru --max-columns-preview
      --follow --unrestricted --crlf --one-file-system --no-config --binary ${HELP}`,
    text: '-e|--regexp -g|--glob --iglob -t|--type -T|--type-not -m|--max-count -A|--after-context -B|--before-context -C|--context -j|--threads -M|--max-columns -r|--replace -E|--encoding -d|--max-depth --sort --sortr --color --colors --max-filesize --context-separator --field-match-separator --path-separator --type-add',
    reads: '-f|--file --ignore-file',
    runs: '--pre --hostname-bin',
    asksWith: '--pre-glob --generate',
    asks: '--search-zip',
  },
  (call, words) => {
    const files = words.operands.slice(words.has('--files', '-e', '-f') ? 0 : 1);
    for (const file of files) call.reads(file);
    const listing = words.has('--files', '-l', '--files-with-matches') && words.operands.every(isRelative);
    return { ...OPAQUE, listing };
  },
);
export const isRelative = (arg: Arg): boolean => arg.literal && !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(arg.text);

const split = known(
  {
    flags: `dexu --elide-empty-files --unbuffered --verbose ${HELP}`,
    text: '-a|--suffix-length -b|--bytes -C|--line-bytes -l|--lines -n|--number -t|--separator --additional-suffix',
    glued: '--numeric-suffixes --hex-suffixes',
    runs: '--filter',
  },
  (call, { operands: [file, prefix] }) => {
    if (file && file.text !== '-') call.reads(file);
    if (prefix) call.writes(prefix, 'create');
    else call.level(1);
    return EMPTY;
  },
);

const uniq = known(
  {
    flags: `cdDiuz --count --repeated --ignore-case --unique --zero-terminated ${HELP}`,
    text: '-f|--skip-fields -s|--skip-chars -w|--check-chars',
    glued: '--all-repeated --group',
    operands: ['reads', 'writes'],
    calm: true,
  },
  changes,
);

const head = known(
  {
    flags: `fFqrsvz --quiet --silent --verbose --zero-terminated --retry ${HELP}`,
    text: '-n|--lines -c|--bytes --pid -s|--sleep-interval --max-unchanged-stats',
    glued: '--follow',
    operands: ['reads'],
    numbers: true,
    calm: true,
  },
  (call, words) => {
    const endless = words.operands.some(({ text: file }) => /^\/dev\/(?:zero|u?random)$/.test(file));
    const large = /[GTPEZY]|\d{10}/.test(words.value('-c')?.text ?? '');
    if (endless && (call.name === 'tail' || large))
      call.ask(tell('never ends, or fills the disk', '永不结束,或写满磁盘'));
    return undefined;
  },
);

const xxd = known(
  {
    flags: 'abeEipPruv -ps -postscript -plain -include -bits -uppercase',
    text: 'cglnos -len -cols -seek',
    glued: 'R',
    operands: ['reads', 'writes'],
    style: 'gnu',
  },
  (call, words) => (words.has('-r') ? revealed(call) : undefined),
);

const patch = known(
  {
    flags: `bcEflNnRstTuZ --dry-run --backup --forward --reverse --silent --quiet --unified --context --normal --batch --force --remove-empty-files --ignore-whitespace --binary --verbose --merge ${HELP}`,
    text: '-p|--strip -F|--fuzz -D|--ifdef -V|--version-control -z|--suffix -B|--prefix -Y --reject-format',
    reads: '-i|--input',
    asks: '-e|--ed',
    inside: '-d|--directory',
    writes: '-o|--output -r|--reject-file',
    asksWith: '-g|--get -x|--debug',
  },
  (call, words) => {
    if (words.has('--dry-run')) return EMPTY;
    for (const target of words.operands.slice(0, 1)) call.writes(target, 'change');
    if (call.stdin.network)
      call.ask(tell('applies what comes from another machine', '会应用来自另一台机器的内容'));
    call.level(2);
    return EMPTY;
  },
);

const date = known(
  {
    flags: `uR --utc --universal --rfc-email --debug --resolution n j ${HELP}`,
    text: '-d|--date v',
    glued: '-I|--iso-8601 --rfc-3339',
    reads: '-f|--file -r|--reference',
    asksWith: '-s|--set',
  },
  (call, words) => {
    if (words.operands.some(({ text: word }) => !word.startsWith('+')))
      call.ask(tell('sets the clock', '会设置时钟'));
    return OPAQUE;
  },
);

/** Neither reads a file nor changes anything, whatever it is given. */
const computes: Program = known({ flags: HELP, operands: ['text'], calm: true }, changes);

export const text: ProgramTable = {
  ...forEach('echo printf', (call) => {
    if (call.name === 'printf' && call.args[0]?.text.startsWith('-v')) {
      const glued = call.args[0].text.slice(2);
      const target = glued === '' ? (call.args[1]?.text ?? '') : glued;
      if (/\[/.test(target) && /\$\(|`/.test(target))
        call.ask(tell('evaluates a subscript, which runs the code in it', '会求值下标,从而运行其中的代码'));
      call.sets(target, undefined);
      if (/^(?:HERMES_|LD_|PATH$|BASH_ENV$)/.test(target))
        call.deny(tell(`sets ${target}`, `会设置 ${target}`));
    }
    return echo(call);
  }),
  ...forEach('cat tac', cat),
  tee,
  sponge: known({ flags: 'a' }, (call, { operands }) => {
    for (const file of operands) call.writes(file, 'change');
    return EMPTY;
  }),
  ...forEach('base64 base32 base58 basenc', decoder),
  ...forEach('uudecode rot13', (call) => {
    if (call.args.length > 0) call.ask(tell('writes what a file hides', '会写出文件中隐藏的内容'));
    return revealed(call);
  }),
  shuf: known(
    {
      flags: `erz --echo --repeat --zero-terminated ${HELP}`,
      text: '-n|--head-count -i|--input-range',
      reads: '--random-source',
      writes: '-o|--output',
    },
    (call, words) => {
      if (!words.has('-e', '--echo')) for (const file of words.operands) call.reads(file);
      return undefined;
    },
  ),
  xxd,
  tr: known(
    {
      flags: `cCdst --complement --delete --squeeze-repeats --truncate-set1 ${HELP}`,
      operands: ['text'],
      calm: true,
    },
    (call, words) => ({
      ...OPAQUE,
      network: call.stdin.network,
      secret: call.stdin.secret,
      decoded: !words.has('-d', '-s', '--delete', '--squeeze-repeats'),
    }),
  ),
  rev: known({ flags: HELP, operands: ['reads'], calm: true }, revealed),
  sort,
  ...forEach('sed gsed', sed),
  ...forEach('awk gawk mawk nawk', awk),
  ...forEach('less more most', pager),
  ...forEach('grep egrep fgrep zgrep zegrep', grep),
  ...forEach('rg ag', ripgrep),
  split,
  uniq,
  jq,
  yq,
  patch,
  ...forEach('head tail', head),
  ...readers,
  ...forEach(
    'seq',
    known({
      flags: `w --equal-width ${HELP}`,
      text: '-f|--format -s|--separator',
      operands: ['text'],
      numbers: true,
      calm: true,
    }),
  ),
  basename: known({
    flags: `az --multiple --zero ${HELP}`,
    text: '-s|--suffix',
    operands: ['text'],
    calm: true,
  }),
  dirname: known({ flags: `z --zero ${HELP}`, operands: ['text'], calm: true }),
  ...forEach(
    'realpath readlink',
    known({
      flags: `efmnLPqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --strip --no-symlinks --logical --physical --zero ${HELP}`,
      text: '--relative-to --relative-base',
      operands: ['text'],
      calm: true,
    }),
  ),
  numfmt: known(
    {
      flags: `z --debug --grouping ${HELP}`,
      text: '-d|--delimiter --from --to --from-unit --to-unit --field --format --padding --round --suffix --invalid',
      glued: '--header',
      operands: ['text'],
      calm: true,
    },
    changes,
  ),
  ...forEach('expr true false : factor', (call) => (call.args, OPAQUE)),
  ...forEach('sleep clear wait', computes),
  tput: known({ flags: 'SVx', text: 'T', operands: ['text'] }),
  nproc: known({ flags: `--all ${HELP}`, text: '--ignore', operands: ['none'] }),
  cal: known({ flags: '13hjmMnswyY', text: 'ABdm', operands: ['text'] }),
  date,
  yes: known({ flags: HELP, operands: ['text'] }, (call) => {
    if (!call.piped) call.ask(tell('never ends', '永不结束'));
    return { ...textFeed('y\n'), opaque: true };
  }),
  pwd: known({ flags: 'LP', operands: ['none'] }),
  ...forEach(
    'whoami groups arch tty logname',
    known({ flags: `s --silent --quiet ${HELP}`, operands: ['text'] }),
  ),
  id: known({
    flags: `agGnruzZ --user --group --groups --name --real --zero --context ${HELP}`,
    operands: ['text'],
  }),
  hostname: known(
    {
      flags: `adfAIisy --fqdn --short --ip-address --all-ip-addresses --domain --long --alias --all-fqdns ${HELP}`,
      operands: ['rule'],
    },
    (call, { operands }) => {
      if (operands.length > 0) call.ask(tell('renames the machine', '会更改主机名'));
      return OPAQUE;
    },
  ),
  uname: known({
    flags: `asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system ${HELP}`,
    operands: ['none'],
  }),
  uptime: known({ flags: `psrV --pretty --since --raw ${HELP}`, operands: ['none'] }),
  locale: known({
    flags: `amck --all-locales --charmaps --category-name --keyword-name --verbose ${HELP}`,
    operands: ['text'],
  }),
  zip: known(
    {
      flags:
        'rjqvu09123456789ylXDfFgeo --recurse-paths --junk-paths --quiet --symlinks --no-dir-entries --update --freshen',
      text: '-x|--exclude -i|--include -n|--suffixes -t -b|--temp-path',
      asks: '-m|--move -T|--test -@ -O',
      asksWith: '-TT|--unzip-command -P|--password',
      style: 'gnu',
    },
    (call, { operands: [archive, ...files] }) => {
      if (archive && archive.text !== '-') call.writes(archive, 'change');
      for (const file of files) call.reads(file);
      return OPAQUE;
    },
  ),
};
