import { type Arg, cutArg, literal, readOptions, unknownArg } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { isRelative } from './text.ts';
import { asks, careful, harmless, prints, readsFiles } from './rules.ts';

const rm: Program = (call) => {
  const options = readOptions(call.args, '--interactive');
  const recursive = options.has('-r', '-R', '--recursive');
  if (options.has('--no-preserve-root')) call.deny('would not even stop at the root of the file system');
  if (options.operands.length === 0) call.level(2);
  for (const operand of options.operands) {
    // With an empty variable, `$x/` and `$x/*` are the root.
    if (recursive && !operand.literal && /^"?\$\{?\w+\}?\/\*?$/.test(operand.text))
      call.ask('deletes the root if the variable is empty');
    if (recursive && operand.below) call.ask('deletes folders that it is given by another command');
    call.writes(operand, recursive ? 'delete all below' : 'delete');
  }
  return EMPTY;
};

const removes: Program = (call) => {
  for (const operand of readOptions(call.args, 'ns --iterations --size --random-source').operands) {
    call.writes(operand, call.name === 'shred' || call.name === 'wipe' ? 'delete all below' : 'delete');
  }
  return EMPTY;
};

/** Copies, moves and links: the last operand, or the folder of `-t`, is written. */
const copies: Program = (call) => {
  const options = readOptions(
    call.args,
    'tSgomB --target-directory --suffix --group --owner --mode --strip-program',
  );
  if (options.has('--strip-program')) call.ask('runs another program');
  const moves = call.name === 'mv';
  const folder = options.values('-t', '--target-directory')[0];
  const makesFolders = call.name === 'install' && options.has('-d', '--directory');
  const target = folder ?? options.operands.at(-1);
  const sources = makesFolders ? [] : folder ? options.operands : options.operands.slice(0, -1);
  for (const source of sources) {
    if (moves) call.writes(source, 'delete all below');
    else if (call.name !== 'ln') call.reads(source);
    else if (/^[/~]/.test(source.text)) call.writes(source, 'change');
    if (source.text === '/dev/null' || source.text === '/dev/zero') call.level(2);
  }
  for (const each of makesFolders ? options.operands : target ? [target] : []) {
    call.writes(each, 'change');
    // Into a folder: the file keeps its name there.
    for (const source of sources) {
      const name = source.text.slice(source.text.lastIndexOf('/') + 1);
      if (name && each.literal && source.literal && !isRelativeFile(each))
        call.writes({ ...each, text: `${each.text}/${name}` }, 'change');
      else if (name && each.literal && each.text.endsWith('/'))
        call.writes({ ...each, text: each.text + name }, 'change');
    }
  }
  if (call.name === 'install') {
    for (const mode of options.values('-m', '--mode')) judgeMode(call, mode);
  }
  return EMPTY;
};
const isRelativeFile = (arg: Arg): boolean => isRelative(arg);

const creates: Program = (call) => {
  const options = readOptions(call.args, 'mrdt --mode --reference --date --time --context');
  for (const operand of options.operands) call.writes(operand, 'create');
  for (const mode of call.name === 'touch' ? [] : options.values('-m', '--mode')) judgeMode(call, mode);
  return EMPTY;
};

/** Set-user-id bits and files that everybody may write need agreement. */
function judgeMode(call: Call, mode: Arg): void {
  if (!mode.literal) return call.ask('sets permissions that cannot be told beforehand');
  const { text } = mode;
  if (/^[0-7]+$/.test(text)) {
    const bits = Number.parseInt(text, 8);
    if (bits & 0o6000) call.ask('lets a file run with the rights of its owner');
    if (bits & 0o002 && !(bits & 0o1000)) call.ask('lets everybody write');
    return;
  }
  for (const clause of text.split(',')) {
    const [, who = '', operator = '', what = ''] = /^([ugoa]*)([+=-])([rwxXstugo]*)/.exec(clause) ?? [];
    if (operator === '-') continue;
    if (what.includes('s')) call.ask('lets a file run with the rights of its owner');
    if (/[oa]/.test(who) && /[wugo]/.test(what)) call.ask('lets everybody write');
  }
}

const chmod: Program = (call) => {
  const options = readOptions(call.args, '--reference');
  // `-x` and the like are modes, not options.
  const minus = call.args.find(({ text }) => /^-[rwxXst]+$/.test(text) && !/^-[Rvcf]+$/.test(text));
  const [mode, ...files] = minus ? [minus, ...options.operands] : options.operands;
  if (options.has('--reference')) call.ask('copies permissions');
  else if (mode) judgeMode(call, mode);
  for (const file of options.has('--reference') && mode ? [mode, ...files] : files) {
    if (/[+=].*x|[1357]/.test(mode?.text ?? '') && call.wroteHere(file))
      call.ask('makes a program of what was just written');
    call.writes(file, options.has('-R', '--recursive') ? 'change all below' : 'change');
  }
  return EMPTY;
};

/** Expressions of `find` that run or write something. */
const find: Program = (call) => {
  careful(call);
  const args = call.args;
  const start = args.findIndex(({ text }) => /^[-(!,]/.test(text) && !/^-(?:H|L|P|O\d|D)$/.test(text));
  const roots = (start < 0 ? args : args.slice(0, start)).filter(({ text }) => !text.startsWith('-'));
  const tests = start < 0 ? [] : args.slice(start);
  const below = roots.every(isRelative);
  const filtered = tests.some(({ text }) =>
    /^-i?(?:name|path|regex|wholename)$|^-(?:mtime|mmin|newer|empty|size)$/.test(text),
  );
  for (const root of roots) call.reads(root);
  let output: Feed | undefined;
  for (let at = 0; at < tests.length; at++) {
    const { text } = tests[at] as Arg;
    if (/^-(?:fprint|fprint0|fprintf|fls)$/.test(text)) call.ask('writes a file');
    if (text === '-delete') deleteFound(call, roots, filtered);
    if (text === '-files0-from') call.ask('takes its folders from a file');
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    const end = tests.findIndex(
      (arg, index) =>
        index > at && (arg.text === ';' || (arg.text === '+' && tests[index - 1]?.text.includes('{}'))),
    );
    const words = tests.slice(at + 1, end < 0 ? undefined : end);
    if (/(?:^|\/)(?:ba|da|z|k|a)?sh$/.test(words[0]?.text ?? '')) call.ask('runs a shell on what it finds');
    output = call.runs(
      words.map((word) => {
        if (!word.text.includes('{}')) return word;
        if (word.text !== '{}') return unknownArg(word.text);
        return below && filtered ? unknownArg('{}', true) : foundIn(roots);
      }),
    );
    at = end < 0 ? tests.length : end;
  }
  return { ...(output ?? OPAQUE), listing: below };
};

/** What was found may be anything below where the search began. */
const foundIn = (roots: readonly Arg[]): Arg => {
  const [root = literal('.')] = roots;
  return {
    ...unknownArg('{}'),
    whole: true,
    text: `${root.text.replace(/\/+$/, '')}/*`,
    glob: true,
    literal: root.literal,
  };
};

function deleteFound(call: Call, roots: readonly Arg[], filtered: boolean): void {
  for (const root of roots.length > 0 ? roots : [literal('.')]) {
    if (filtered && isRelative(root)) call.level(2);
    else call.writes(root, 'delete all below');
  }
}

const tar: Program = (call) => {
  careful(call);
  const [first, ...rest] = call.args;
  // The old style: letters without a dash.
  const old =
    first !== undefined && first.literal && /^[A-Za-z]+$/.test(first.text) && /[cxtruAd]/.test(first.text);
  const args = old
    ? [literal(`-${first.text.replace(/f/g, '')}${first.text.includes('f') ? 'f' : ''}`), ...rest]
    : call.args;
  const options = readOptions(
    args,
    'fCTXIFbgHKLNV --file --directory --files-from --exclude --exclude-from --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command --transform --owner --group --mode --index-file --strip-components --one-top-level --add-file',
  );
  const runs = [
    '--to-command',
    '--checkpoint-action',
    '--use-compress-program',
    '-I',
    '--info-script',
    '--new-volume-script',
    '-F',
    '--rsh-command',
    '--rmt-command',
  ];
  if (options.has(...runs)) {
    const harmlessPacker = options
      .values('-I', '--use-compress-program')
      .every((value) => /^(?:gzip|pigz|bzip2|pbzip2|xz|zstd|lz4|lzma)(?: -\w+)*$/.test(value.text));
    if (
      !harmlessPacker ||
      options.has(...runs.filter((name) => name !== '-I' && name !== '--use-compress-program'))
    )
      call.ask('runs another program');
  }
  if (
    options.has(
      '-P',
      '--absolute-names',
      '--remove-files',
      '--unlink-first',
      '--recursive-unlink',
      '--index-file',
    )
  )
    call.ask('writes or removes files outside of its folder');
  const archives = options.values('-f', '--file');
  for (const archive of archives) if (/^[^/]+:/.test(archive.text)) call.ask('talks to another machine');
  const folders = options.values('-C', '--directory', '--one-top-level');
  if (options.has('-x', '--extract', '--get')) {
    for (const archive of archives) call.reads(archive);
    if (options.has('-O', '--to-stdout')) return { ...OPAQUE, network: call.stdin.network };
    for (const folder of folders.length > 0 ? folders : [literal('.')]) call.writes(folder, 'change');
    return EMPTY;
  }
  if (options.has('-t', '--list', '-d', '--diff', '--compare')) return OPAQUE;
  for (const archive of archives) if (archive.text !== '-') call.writes(archive, 'change');
  for (const file of options.operands)
    call.reads(folders[0] ? { ...file, text: `${folders[0].text}/${file.text}` } : file);
  for (const file of options.values('-T', '--files-from')) call.reads(file);
  call.level(1);
  return OPAQUE;
};

/** Packs or unpacks in place, or to standard output. */
const packer: Program = (call) => {
  const options = readOptions(call.args, 'SbTo --suffix --threads --output');
  const decodes = options.has('-d', '--decompress', '--uncompress') || /^(?:un|g?unzip)/.test(call.name);
  for (const file of options.operands) {
    call.reads(file);
    if (!options.has('-c', '--stdout', '--to-stdout', '-t', '--test', '-l', '--list'))
      call.writes(file, 'change');
  }
  for (const file of options.values('-o', '--output')) call.writes(file, 'change');
  return decodes ? { ...OPAQUE, network: call.stdin.network, decoded: call.stdin.decoded } : undefined;
};

const unzip: Program = (call) => {
  const options = readOptions(call.args, 'dxP');
  if (options.has('-l', '-t', '-v', '-Z', '-p', '-c')) return OPAQUE;
  if (options.has('-K', '-:')) call.ask('writes outside of its folder');
  for (const folder of options.values('-d').length > 0 ? options.values('-d') : [literal('.')])
    call.writes(folder, 'change');
  return EMPTY;
};

const dd: Program = (call) => {
  const of = (key: string) => call.args.find(({ text }) => text.startsWith(`${key}=`));
  const output = of('of');
  const input = of('if');
  if (input) call.reads(cutArg(input, 3));
  if (call.args.some((arg) => !arg.literal && !arg.text.includes('='))) call.ask('may write anywhere');
  if (!output) return { ...OPAQUE, network: call.stdin.network };
  call.writes(cutArg(output, 3), 'change');
  const size = byteCount(of('bs')?.text.slice(3) ?? '512') * Number(of('count')?.text.slice(6) ?? Number.NaN);
  const endless = /^if=\/dev\/(?:zero|urandom|random)$/.test(input?.text ?? '');
  if (endless && !(size <= 2 ** 31)) call.ask('fills the disk');
  return EMPTY;
};

const UNITS: Readonly<Record<string, number>> = {
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
  p: 1024 ** 5,
};
function byteCount(text: string): number {
  const [, digits, unit = ''] = /^[+<>/%]?(\d+)([kmgtp]?)(?:i?b)?$/i.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
}

const resizes: Program = (call) => {
  const options = readOptions(call.args, 'slor --size --length --offset --reference');
  for (const operand of options.operands) call.writes(operand, 'change');
  for (const size of options.values('-s', '-l', '--size', '--length'))
    if (!(byteCount(size.text.replace(/^-/, '')) <= 2 ** 31)) call.ask('makes a very large file');
  return EMPTY;
};

const rsync: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    'efBTM --rsh --rsync-path --exclude --include --filter --exclude-from --include-from --files-from --log-file --temp-dir --backup-dir --password-file --bwlimit --port --chmod --remote-option --partial-dir --compare-dest --copy-dest --link-dest --write-batch --only-write-batch --read-batch --out-format --info --max-size --min-size --timeout --early-input',
  );
  if (
    options.has(
      '-e',
      '--rsh',
      '--rsync-path',
      '-M',
      '--remote-option',
      '--early-input',
      '--daemon',
      '--config',
    )
  )
    call.ask('runs another program');
  const remote = options.operands.some(({ text }) => /^[^/]*:/.test(text));
  const dry = options.flags.has('-n') || options.flags.has('--dry-run');
  if (remote) {
    call.outward({ sends: true });
    if (!dry) call.ask('copies to or from another machine');
  }
  const target = options.operands.at(-1);
  for (const source of options.operands.slice(0, -1)) call.reads(source);
  if (dry) return OPAQUE;
  if (
    [...options.flags].some((flag) => flag.startsWith('--del')) ||
    options.has('--remove-source-files', '--inplace', '--write-batch')
  )
    call.ask('deletes what is not in its source, or the source');
  for (const file of options.values('--log-file', '--backup-dir', '--temp-dir')) call.writes(file, 'create');
  const deletes = [...options.flags].some((flag) => flag.startsWith('--del'));
  if (target && !/^[^/]*:/.test(target.text)) call.writes(target, deletes ? 'change all below' : 'change');
  return EMPTY;
};

const ls: Program = (call) => ({ ...OPAQUE, listing: readOptions(call.args).operands.every(isRelative) });

const tree: Program = (call) => {
  for (const file of readOptions(call.args, 'LPIoHT').values('-o')) call.writes(file, 'change');
  return OPAQUE;
};

const fd: Program = (call) => {
  careful(call);
  const options = readOptions(call.args, 'eEtdxXSgj --extension --exclude --type --exec --exec-batch');
  if (options.has('-x', '-X', '--exec', '--exec-batch')) call.ask('runs another program on what it finds');
  return { ...OPAQUE, listing: options.operands.every(isRelative) };
};

export const files: ProgramTable = {
  rm,
  ...forEach('unlink rmdir shred wipe srm trash trash-put', removes),
  ...forEach('cp mv ln install link', copies),
  ...forEach('touch mkdir mkfifo', creates),
  mknod: asks('makes a device'),
  mktemp: prints,
  chmod,
  ...forEach('chown chgrp', (call) => {
    const options = readOptions(call.args, '--reference --from');
    for (const file of options.operands.slice(1))
      call.writes(file, options.has('-R', '--recursive') ? 'change all below' : 'change');
    call.ask('changes whom files belong to');
    return EMPTY;
  }),
  ...forEach('setfacl chattr setcap setfattr chcon restorecon setenforce', asks('changes permissions')),
  ...forEach('getfacl lsattr getcap getfattr', readsFiles()),
  ...forEach('find gfind', find),
  ...forEach('fd fdfind', fd),
  ...forEach('locate plocate', prints),
  ...forEach('tar gtar bsdtar', tar),
  ...forEach(
    'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 compress uncompress pigz brotli',
    packer,
  ),
  unzip,
  ...forEach('cpio ar pax 7z 7za 7zr rar unrar unar', (call) => {
    const list = /^(?:-?[tl]|--list)/.test(call.args[0]?.text ?? '');
    if (!list) call.ask('packs or unpacks files');
    return OPAQUE;
  }),
  dd,
  ...forEach('truncate fallocate', resizes),
  ...forEach('rsync', rsync),
  ...forEach('ls ll dir vdir exa eza lsd', ls),
  tree,
  ...forEach('stat du df mountpoint namei lsblk blkid findmnt ncdu dust duf sync', (call) => {
    if (call.name === 'ncdu' && !call.piped) call.ask('waits for somebody at a terminal');
    return harmless(call);
  }),
};
