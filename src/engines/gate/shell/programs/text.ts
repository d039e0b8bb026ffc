import { type Arg, readOptions } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, joinFeeds, OPAQUE, textFeed } from '../feed.ts';
import { careful, harmless, prints, readsFiles } from './rules.ts';

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
const cat: Program = (call) => {
  const { operands } = readOptions(call.args);
  const files = operands.filter(({ text }) => text !== '-');
  for (const file of files) {
    call.reads(file);
    if (/^\/dev\/(?:zero|urandom|random|full)$/.test(file.text) && !call.piped) call.ask('never ends');
  }
  if (files.length === 0) return call.stdin;
  return files.reduce<Feed>((all, file) => (file.piped ? joinFeeds(all, file.piped) : all), OPAQUE);
};

const tee: Program = (call) => {
  for (const file of readOptions(call.args).operands)
    call.writes(file, readOptions(call.args).has('-a', '--append') ? 'create' : 'change');
  return call.stdin;
};

/** Decoders: what comes out was not readable in what went in. */
const decoder =
  (decodes: (call: Call) => boolean): Program =>
  (call) => {
    const options = readOptions(call.args, 'wi --wrap');
    for (const operand of options.operands) call.reads(operand);
    return decodes(call)
      ? { ...call.stdin, ...OPAQUE, network: call.stdin.network, secret: call.stdin.secret, decoded: true }
      : undefined;
  };
const flagged =
  (...names: string[]) =>
  (call: Call) =>
    readOptions(call.args).has(...names);

const sort: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    'ktSTo --key --field-separator --buffer-size --temporary-directory --output --compress-program --files0-from --batch-size --parallel',
  );
  if (options.has('--compress-program')) call.ask('runs another program');
  for (const file of options.values('-o', '--output')) call.writes(file, 'change');
  if (options.has('--files0-from')) call.ask('takes its files from elsewhere');
  for (const file of options.operands) call.reads(file);
  return undefined;
};

/** `s/…/…/e`, `e`, `w file`: sed can run and write. A script is fine when it holds none of them. */
function judgeSed(call: Call, script: Arg): void {
  if (!script.literal) return call.ask('runs an editing script that cannot be told beforehand');
  const { text } = script;
  for (const part of text.split(/[;\n{}]+/).slice(0, 500)) {
    const bare = part
      .trim()
      .replace(
        /^(?:(?:\d+|\$|\/(?:\\.|[^\\/])*\/|\\(.)(?:\\.|(?!\1).)*\1)[IM]*(?:~\d+)?,?[+~]?)*\s*!?\s*/,
        '',
      );
    if (/^e(?:\s|$)/.test(bare)) call.ask('runs a command from an editing script');
    const write = /^[wW]\s+(.*)$/.exec(bare) ?? /^[sy](.).*\1[gpiImM0-9]*w\s+(.+)$/.exec(bare);
    const target = write?.at(-1);
    if (target && !/^\/dev\/(?:stdout|stderr)$/.test(target))
      call.ask(`writes to ${target} from an editing script`);
    const read = /^[rR]\s+(.*)$/.exec(bare)?.[1];
    if (read) call.reads({ ...script, text: read });
    if (/^s(.).*\1[gpiImM0-9]*e[gpiImM0-9]*\s*$/.test(bare)) call.ask('runs the result of a replacement');
  }
}

const sed: Program = (call) => {
  careful(call);
  const options = readOptions(call.args, 'efl --expression --file --line-length');
  const inPlace =
    options.has('--in-place') ||
    [...options.flags].some((flag) => /^-[a-zA-Z]*i/.test(flag) && !flag.startsWith('--'));
  for (const file of options.values('-f', '--file')) {
    call.reads(file);
    call.ask('runs an editing script from a file');
  }
  const given = options.values('-e', '--expression');
  const [script, ...rest] = options.operands;
  const scripted = given.length > 0 || options.has('-f', '--file');
  for (const each of scripted ? given : script ? [script] : []) judgeSed(call, each);
  const files = scripted ? options.operands : rest;
  for (const file of files) {
    call.reads(file);
    if (inPlace) call.writes(file, 'change');
  }
  return {
    ...OPAQUE,
    network: call.stdin.network,
    decoded: call.stdin.decoded || (files.length === 0 && call.stdin.text !== undefined),
    secret: call.stdin.secret,
  };
};

const awk: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    'Fvfile --field-separator --assign --file --include --load --source --exec',
    true,
  );
  if (
    options.has(
      '-f',
      '--file',
      '-i',
      '--include',
      '-l',
      '--load',
      '-E',
      '--exec',
      '-e',
      '--source',
      '-o',
      '-d',
      '-p',
      '-D',
      '--debug',
      '--profile',
      '--dump-variables',
      '--pretty-print',
    )
  ) {
    call.ask('takes its program from elsewhere, or writes a file');
  }
  const [program, ...files] = options.operands;
  if (program) call.runsCode('awk', program);
  for (const file of files) call.reads(file);
  return { ...OPAQUE, network: call.stdin.network, decoded: call.stdin.decoded, secret: call.stdin.secret };
};

/** Programs to page through text: they can start others when somebody types. */
const pager: Program = (call) => {
  const options = readOptions(call.args, 'bhjkopPtTxyz');
  if (
    options.has('-o', '-O', '--log-file', '-k', '--lesskey-file', '--lesskey-content') ||
    [...options.flags].some((flag) => flag.startsWith('+'))
  )
    call.ask('writes a file or takes settings');
  for (const operand of options.operands) {
    if (operand.text.startsWith('+')) call.ask('runs a command at its start');
    else call.reads(operand);
  }
  if (!call.piped) call.ask('waits for somebody at a terminal, and can start other programs');
  return undefined;
};

const grep = readsFiles(
  'efmABCDd --regexp --file --max-count --include --exclude --exclude-dir --color --context --glob --type',
  [],
);
const ripgrep: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    'efgtTmABCjMrE --regexp --file --glob --type --max-count --pre --pre-glob --hostname-bin --replace --context',
  );
  if (options.has('--pre', '--hostname-bin')) call.ask('runs another program on every file');
  for (const operand of options.operands.slice(options.has('--files', '-e', '--regexp') ? 0 : 1))
    call.reads(operand);
  return {
    ...OPAQUE,
    listing: options.has('--files', '-l', '--files-with-matches') && options.operands.every(isRelative),
  };
};
export const isRelative = (arg: Arg): boolean => arg.literal && !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(arg.text);

const split: Program = (call) => {
  const options = readOptions(
    call.args,
    'abClnt --filter --bytes --lines --number --suffix-length --additional-suffix',
  );
  if (options.has('--filter')) call.ask('runs another program');
  const [file, prefix] = options.operands;
  if (file) call.reads(file);
  if (prefix) call.writes(prefix, 'create');
  else call.level(1);
  return EMPTY;
};

const uniq: Program = (call) => {
  const [input, output] = readOptions(call.args, 'fsw').operands;
  if (input) call.reads(input);
  if (output) call.writes(output, 'change');
  return undefined;
};

const head: Program = (call) => {
  const options = readOptions(call.args, 'ncs --lines --bytes --pid --sleep-interval');
  for (const file of options.operands) call.reads(file);
  const endless = options.operands.some(({ text: file }) => /^\/dev\/(?:zero|u?random)$/.test(file));
  if (
    endless &&
    (call.name === 'tail' ||
      options.values('-c', '--bytes').some(({ text: size }) => /[GTPEZY]|\d{10}/.test(size)))
  )
    call.ask('never ends, or fills the disk');
  return undefined;
};

const grepListing: Program = (call) => {
  grep(call);
  const options = readOptions(call.args, 'efmABC');
  const listing =
    options.has('-l', '-L', '--files-with-matches', '--files-without-match') &&
    options.operands.slice(1).every(isRelative);
  return {
    ...OPAQUE,
    network: call.stdin.network,
    decoded: call.stdin.decoded,
    secret: call.stdin.secret,
    listing,
  };
};

const jq: Program = (call) => {
  const options = readOptions(
    call.args,
    'fL --arg --argjson --slurpfile --rawfile --from-file --indent',
    false,
  );
  const [filter, ...files] = options.operands;
  if (filter && /\benv\b|\$ENV\b/.test(filter.text)) call.showsPrivate('reads the environment');
  if (options.has('-f', '--from-file', '-L')) call.ask('takes its program from elsewhere');
  for (const file of files) call.reads(file);
  return undefined;
};

const yq: Program = (call) => {
  const options = readOptions(call.args, 'opIs --output-format --input-format --from-file --split-exp');
  const [filter, ...files] = options.operands;
  if (filter && /\benv\b|strenv|envsubst|\$ENV|load(?:_str)?\s*\(|\bsystem\b/.test(filter.text))
    call.showsPrivate('reads the environment or other files');
  if (options.has('-s', '--split-exp', '--from-file'))
    call.ask('writes files or takes its program from elsewhere');
  for (const file of files) {
    call.reads(file);
    if (options.has('-i', '--inplace', '--in-place')) call.writes(file, 'change');
  }
  return undefined;
};

const xxd: Program = (call) => {
  const options = readOptions(call.args, 'cglos');
  const [input, output] = options.operands;
  if (input) call.reads(input);
  if (output) call.writes(output, 'change');
  return options.has('-r', '--revert')
    ? { ...OPAQUE, decoded: true, network: call.stdin.network }
    : undefined;
};

const patch: Program = (call) => {
  const options = readOptions(
    call.args,
    'pidoBrFDVzYgx --strip --input --directory --output --reject-file --prefix --suffix',
  );
  if (options.has('-e', '--ed')) call.ask('runs an editing script');
  for (const file of options.values('-i', '--input')) call.reads(file);
  if (options.has('--dry-run')) return EMPTY;
  const targets = [
    ...options.values('-d', '--directory', '-o', '--output', '-r', '--reject-file'),
    ...options.operands.slice(0, 1),
  ];
  for (const target of targets) call.writes(target, 'change');
  if (call.stdin.network) call.ask('applies what comes from another machine');
  call.level(2);
  return EMPTY;
};

const sponge: Program = (call) => {
  for (const file of readOptions(call.args).operands) call.writes(file, 'change');
  return EMPTY;
};

export const text: ProgramTable = {
  ...forEach('echo printf', (call) => {
    if (call.name === 'printf' && call.args[0]?.text === '-v') {
      const target = call.args[1]?.text ?? '';
      if (/\[/.test(target) && /\$\(|`/.test(target))
        call.ask('evaluates a subscript, which runs the code in it');
      call.sets(target, undefined);
      if (/^(?:HERMES_|LD_|PATH$|BASH_ENV$)/.test(target)) call.deny(`sets ${target}`);
    }
    return echo(call);
  }),
  cat,
  tac: cat,
  nl: readsFiles('bdfhilnsvw'),
  tee,
  sponge,
  ...forEach('base64 base32 base58 basenc', decoder(flagged('-d', '-D', '--decode'))),
  ...forEach('uudecode rot13', (call) => {
    if (call.args.some(({ text: word }) => !word.startsWith('-'))) call.ask('writes what a file hides');
    return decoder(() => true)(call);
  }),
  shuf: (call) => {
    const options = readOptions(call.args, 'no --head-count --output --input-range --random-source');
    for (const file of options.values('-o', '--output')) call.writes(file, 'change');
    if (!options.has('-e', '--echo')) for (const file of options.operands) call.reads(file);
    return undefined;
  },
  xxd,
  tr: (call) => ({
    ...OPAQUE,
    network: call.stdin.network,
    secret: call.stdin.secret,
    decoded: !/^-[a-z]*[ds]/.test(call.args[0]?.text ?? ''),
  }),
  rev: decoder(() => true),
  sort,
  sed,
  gsed: sed,
  ...forEach('awk gawk mawk nawk', awk),
  ...forEach('less more most', pager),
  ...forEach('grep egrep fgrep zgrep zegrep', grepListing),
  ...forEach('rg ag', ripgrep),
  split,
  uniq,
  jq,
  yq,
  patch,
  ...forEach('head tail', head),
  ...forEach(
    'wc cut paste join comm fold fmt column diff sdiff cmp strings od hexdump md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum shasum md5 file nm objdump readelf size zcat zless zdiff bzcat xzcat zstdcat iconv bat colordiff delta cloc tokei scc xmllint mlr gron',
    (call) => {
      if (/^(?:bat|xmllint|mlr)$/.test(call.name)) careful(call);
      const options = readOptions(
        call.args,
        'dfcsnkwtbjl --delimiter --fields --output --pager --diff-program --to-file --input-file',
      );
      if (options.has('--pager', '--shell', '--diff-program')) call.ask('runs another program');
      if (options.has('--output') || (call.name === 'iconv' && options.has('-o')))
        for (const file of options.values('--output', '-o')) call.writes(file, 'change');
      for (const operand of options.operands) {
        if (operand.text.length > 1 && operand.text.startsWith('@'))
          call.ask('takes its options from a file');
        call.reads(operand);
      }
      if (options.has('--files0-from')) call.ask('takes its files from elsewhere');
      if (call.name === 'file' && options.has('-f', '-m', '-C', '--files-from', '--magic-file', '--compile'))
        call.ask('takes its files from elsewhere');
      const opaque = /^(?:zcat|bzcat|xzcat|lz4cat|zstdcat)$/.test(call.name);
      return opaque ? { ...OPAQUE, network: call.stdin.network } : undefined;
    },
  ),
  ...forEach(
    'seq basename dirname realpath readlink expr factor numfmt true false : tput clear sleep wait nproc cal',
    harmless,
  ),
  ...forEach('date', (call) => {
    const options = readOptions(call.args, 'sdfrI --set --date --file --reference');
    if (options.has('-s', '--set') || options.operands.some(({ text: word }) => /^\d{8,}/.test(word)))
      call.ask('sets the clock');
    for (const file of options.values('-f', '--file')) call.reads(file);
    return OPAQUE;
  }),
  ...forEach('yes', (call) => {
    if (!call.piped) call.ask('never ends');
    return { ...textFeed('y\n'), opaque: true };
  }),
  ...forEach('pwd whoami id groups hostname uname arch uptime tty logname locale', (call) => {
    if (call.name === 'hostname' && call.args.some(({ text: word }) => !word.startsWith('-')))
      call.ask('renames the machine');
    return prints(call);
  }),
  ...forEach('zip', (call) => {
    careful(call);
    const options = readOptions(call.args, 'xibnPtT --exclude --include --unzip-command');
    if (options.has('-TT', '--unzip-command', '-T', '--test', '-m', '--move', '-@', '-O'))
      call.ask('runs another program or removes what it packs');
    const [archive, ...files] = options.operands;
    if (archive && archive.text !== '-') call.writes(archive, 'change');
    for (const file of files) call.reads(file);
    return OPAQUE;
  }),
};
