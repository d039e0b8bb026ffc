import { tell } from '#kit/text';
import { type Arg, cutArg, literal, unknownArg } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, known } from '../grammar.ts';
import { packer, tar, unzip } from './archives.ts';
import { isRelative } from './text.ts';
import { asks } from './rules.ts';

const HELP = '--help --version';

const RM: Grammar = {
  flags: `-f|--force -i -I -r|-R|--recursive -d|--dir -v|--verbose --preserve-root --no-preserve-root --one-file-system ${HELP}`,
  glued: '--interactive --preserve-root',
  calm: true,
};
const rm = known(RM, (call, options) => {
  const recursive = options.has('-r');
  if (options.has('--no-preserve-root'))
    call.deny(tell('would not even stop at the root of the file system', '连文件系统的根目录也不会放过'));
  if (options.operands.length === 0) call.level(2);
  for (const operand of options.operands) {
    // With an empty variable, `$x/` and `$x/*` are the root.
    if (recursive && !operand.literal && /^"?\$\{?\w+\}?\/\*?$/.test(operand.text))
      call.ask(tell('deletes the root if the variable is empty', '变量为空时会删除根目录'));
    if (recursive && operand.below)
      call.ask(tell('deletes folders that it is given by another command', '会删除由另一条命令给出的目录'));
    call.writes(operand, recursive ? 'delete all below' : 'delete');
  }
  return EMPTY;
});

const removes = known(
  {
    flags: `-f|--force -u|--remove -v|--verbose -z|--zero -x|--exact -p|--parents --ignore-fail-on-non-empty -r -i ${HELP}`,
    text: '-n|--iterations -s|--size',
    reads: '--random-source',
  },
  (call, { operands }) => {
    for (const operand of operands)
      call.writes(operand, call.name === 'shred' || call.name === 'wipe' ? 'delete all below' : 'delete');
    return EMPTY;
  },
);

/** Copies, moves and links: the last operand, or the folder of `-t`, is written. */
const COPY: Grammar = {
  flags: `-a|--archive -b -f|--force -i|--interactive -H -L|--dereference|--logical -l|--link -n|--no-clobber -P|--no-dereference|--physical -p -R|-r|--recursive -s|--symbolic|--symbolic-link -T|--no-target-directory -u|--update -v|--verbose -x|--one-file-system -Z --attributes-only --copy-contents --remove-destination --strip-trailing-slashes --parents --exchange --no-copy --debug -F --relative -d|--directory -D -c -C|--compare --preserve-timestamps --preserve-context ${HELP}`,
  text: '-t|--target-directory -S|--suffix -g|--group -o|--owner -m|--mode',
  glued: '--backup --preserve --no-preserve --reflink --sparse --context --update',
  asks: '--strip',
  runs: '--strip-program',
};
const copies = known(COPY, (call, options) => {
  const moves = call.name === 'mv';
  const folder = options.value('-t');
  const makesFolders = call.name === 'install' && options.has('-d');
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
      if (name && each.literal && source.literal && !isRelative(each))
        call.writes({ ...each, text: `${each.text}/${name}` }, 'change');
      else if (name && each.literal && each.text.endsWith('/'))
        call.writes({ ...each, text: each.text + name }, 'change');
    }
  }
  if (call.name === 'install') {
    for (const mode of options.values('-m')) judgeMode(call, mode);
  }
  return EMPTY;
});

const MAKE_FOLDER: Grammar = {
  flags: `-p|--parents -v|--verbose -Z ${HELP}`,
  text: '-m|--mode',
  glued: '--context',
  calm: true,
};
const makesPlaces = known(MAKE_FOLDER, (call, words) => {
  for (const operand of words.operands) call.writes(operand, 'create');
  for (const mode of words.values('-m')) judgeMode(call, mode);
  return EMPTY;
});
const touch = known(
  {
    flags: `-a -c|--no-create -f -h|--no-dereference -m ${HELP}`,
    text: '-d|--date -t --time',
    reads: '-r|--reference',
    calm: true,
  },
  (call, { operands }) => {
    for (const operand of operands) call.writes(operand, 'create');
    return EMPTY;
  },
);

/** Set-user-id bits and files that everybody may write need agreement. */
function judgeMode(call: Call, mode: Arg): void {
  if (!mode.literal)
    return call.ask(tell('sets permissions that cannot be told beforehand', '会设置无法事先得知的权限'));
  const { text } = mode;
  if (/^[0-7]+$/.test(text)) {
    const bits = Number.parseInt(text, 8);
    if (bits & 0o6000)
      call.ask(tell('lets a file run with the rights of its owner', '会让文件以其所有者的权限运行'));
    if (bits & 0o002 && !(bits & 0o1000)) call.ask(tell('lets everybody write', '会让任何人都能写入'));
    return;
  }
  for (const clause of text.split(',')) {
    const [, who = '', operator = '', what = ''] = /^([ugoa]*)([+=-])([rwxXstugo]*)/.exec(clause) ?? [];
    if (operator === '-') continue;
    if (what.includes('s'))
      call.ask(tell('lets a file run with the rights of its owner', '会让文件以其所有者的权限运行'));
    if (/[oa]/.test(who) && /[wugo]/.test(what)) call.ask(tell('lets everybody write', '会让任何人都能写入'));
  }
}

const CHMOD: Grammar = {
  flags: `-R|--recursive -v|--verbose -c|--changes -f|--silent|--quiet --preserve-root --no-preserve-root ${HELP}`,
  reads: '--reference',
};
const chmod: Program = (call) => {
  // `-x` and the like are modes, not options.
  const minus = call.args.find(({ text }) => /^-[rwxXst]+$/.test(text) && !/^-[Rvcf]+$/.test(text));
  const options = applyGrammar(
    call,
    call.args.filter((arg) => arg !== minus),
    CHMOD,
  );
  const [mode, ...files] = minus ? [minus, ...options.operands] : options.operands;
  if (options.has('--reference')) call.ask(tell('copies permissions', '会复制权限'));
  else if (mode) judgeMode(call, mode);
  for (const file of options.has('--reference') && mode ? [mode, ...files] : files) {
    if (/[+=].*x|[1357]/.test(mode?.text ?? '') && call.wroteHere(file))
      call.ask(tell('makes a program of what was just written', '会把刚写入的内容变成程序'));
    call.writes(file, options.has('-R') ? 'change all below' : 'change');
  }
  return EMPTY;
};

/** Tests and actions of `find` that only look; the second list takes a value. */
const FIND_FLAGS = new Set(
  '-depth -d -follow -mount -xdev -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -daystart -empty -executable -readable -writable -nogroup -nouser -true -false -print -print0 -prune -quit -ls -not -and -or -a -o ! ( ) , -H -L -P -E -X -x -s'.split(
    ' ',
  ),
);
const FIND_VALUES = new Set(
  '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerat -newerct -newermm -perm -user -group -uid -gid -links -inum -samefile -fstype -maxdepth -mindepth -printf -used -context -D'.split(
    ' ',
  ),
);

/** Expressions of `find` that run or write something. */
const find: Program = (call) => {
  const args = call.args;
  const hiding = args.find((arg) => !arg.literal && !arg.plain && !arg.whole && !arg.below && !arg.piped);
  if (hiding)
    call.ask(
      tell(
        `may be given options through \`${hiding.text.slice(0, 40)}\``,
        `可能经由 \`${hiding.text.slice(0, 40)}\` 带入选项`,
      ),
    );
  const start = args.findIndex(({ text }) => /^[-(!,]/.test(text) && !/^-(?:H|L|P|O\d|D)$/.test(text));
  const roots = (start < 0 ? args : args.slice(0, start)).filter(({ text }) => !text.startsWith('-'));
  const tests = start < 0 ? [] : args.slice(start);
  const below = roots.every(isRelative);
  for (const root of roots) call.reads(root);
  let output: Feed | undefined;
  // A test filters only what stands behind it.
  let filtered = false;
  for (let at = 0; at < tests.length; at++) {
    const { text } = tests[at] as Arg;
    if (FIND_VALUES.has(text)) {
      if (/^-i?(?:name|path|regex|wholename)$|^-(?:[mac](?:time|min)|newer\w*|size)$/.test(text))
        filtered = true;
      at++;
    } else if (text === '-empty') filtered = true;
    else if (text === '-delete') deleteFound(call, roots, filtered);
    else if (/^-(?:o|or|not)$|^[,!]$/.test(text)) filtered = false;
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const end = tests.findIndex(
        (arg, index) =>
          index > at && (arg.text === ';' || (arg.text === '+' && tests[index - 1]?.text.includes('{}'))),
      );
      const words = tests.slice(at + 1, end < 0 ? undefined : end);
      if (/(?:^|\/)(?:ba|da|z|k|a)?sh$/.test(words[0]?.text ?? ''))
        call.ask(tell('runs a shell on what it finds', '会对找到的内容运行 shell'));
      if (!below && !words.every((word) => !word.text.includes('{}')) && readsContent(words[0]?.text ?? ''))
        call.ask(
          tell('reads whatever it finds outside of the working folder', '会读取工作目录之外找到的任何内容'),
        );
      output = call.runs(
        words.map((word) => {
          if (!word.text.includes('{}')) return word;
          if (word.text !== '{}') return unknownArg(word.text);
          return below && filtered ? unknownArg('{}', true) : foundIn(roots);
        }),
      );
      at = end < 0 ? tests.length : end;
    } else if (!FIND_FLAGS.has(text) && !/^-O\d$/.test(text))
      call.ask(
        tell(
          `uses \`${text.slice(0, 40)}\`, which is not known to be harmless`,
          `会使用 \`${text.slice(0, 40)}\`,是否无害尚不可知`,
        ),
      );
  }
  return { ...(output ?? OPAQUE), listing: below };
};

/** Programs that make no more of a file than its name or its state. */
const readsContent = (program: string): boolean =>
  !/^(?:ls|stat|du|file|echo|printf|basename|dirname|realpath|readlink|test|\[|wc|md5sum|sha\d+sum|touch|chmod|rm|mv)$/.test(
    program,
  );

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

const dd: Program = (call) => {
  const of = (key: string) => call.args.find(({ text }) => text.startsWith(`${key}=`));
  const output = of('of');
  const input = of('if');
  if (input) call.reads(cutArg(input, 3));
  const strange = call.args.find(
    ({ text }) =>
      !/^(?:if|of|bs|ibs|obs|cbs|count|skip|seek|iseek|oseek|conv|iflag|oflag|status)=|^--(?:help|version)$/.test(
        text,
      ),
  );
  if (strange?.literal)
    call.ask(
      tell(
        `uses \`${strange.text.slice(0, 40)}\`, which is not known to be harmless`,
        `会使用 \`${strange.text.slice(0, 40)}\`,是否无害尚不可知`,
      ),
    );
  if (call.args.some((arg) => !arg.literal && !arg.text.includes('=')))
    call.ask(tell('may write anywhere', '可能写到任何位置'));
  if (!output) return { ...OPAQUE, network: call.stdin.network };
  call.writes(cutArg(output, 3), 'change');
  const size = byteCount(of('bs')?.text.slice(3) ?? '512') * Number(of('count')?.text.slice(6) ?? Number.NaN);
  const endless = /^if=\/dev\/(?:zero|urandom|random)$/.test(input?.text ?? '');
  if (endless && !(size <= 2 ** 31)) call.ask(tell('fills the disk', '会写满磁盘'));
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

const resizes = known(
  {
    flags: `-c|--no-create -o|--io-blocks -n|--keep-size -v|--verbose -x|--posix ${HELP}`,
    text: '-s|--size -l|--length',
    reads: '-r|--reference',
    asks: '-p|--punch-hole -z|--zero-range -d|--dig-holes -i|--insert-range --collapse-range',
    asksWith: '--offset',
  },
  (call, words) => {
    for (const operand of words.operands) call.writes(operand, 'change');
    for (const size of words.values('-s', '-l'))
      if (!(byteCount(size.text.replace(/^-/, '')) <= 2 ** 31))
        call.ask(tell('makes a very large file', '会生成很大的文件'));
    return EMPTY;
  },
);

const rsync = known(
  {
    flags: `-v|--verbose -q|--quiet -c|--checksum -a|--archive -r|--recursive -R|--relative -b|--backup -u|--update -d|--dirs -l|--links -L|--copy-links -k|--copy-dirlinks -K|--keep-dirlinks -H|--hard-links -p|--perms -E|--executability -A|--acls -X|--xattrs -o|--owner -g|--group -D -t|--times -O|--omit-dir-times -J --numeric-ids -S|--sparse -n|--dry-run|!--no-dry-run -W|--whole-file -x|--one-file-system -I|--ignore-times -y|--fuzzy -z|--compress -C|--cvs-exclude -F -P -h|--human-readable -i|--itemize-changes -8 -4|--ipv4 -6|--ipv6 -s --existing --ignore-existing --size-only --partial --progress --stats --list-only --append --append-verify --no-perms --no-owner --no-group --no-times --no-motd --prune-empty-dirs|-m --safe-links --copy-unsafe-links --no-implied-dirs --delay-updates --super --fake-super --devices --specials --blocking-io --mkpath --open-noatime --preallocate --delete|--del|--delete-before|--delete-during|--delete-delay|--delete-after --delete-excluded --delete-missing-args --remove-source-files ${HELP}`,
    text: '--exclude --include -f|--filter --bwlimit --port --chmod -B|--block-size --out-format --info --debug --max-size --min-size --timeout --contimeout --suffix --modify-window|-@ --max-delete --compress-level --skip-compress --outbuf --chown --usermap --groupmap --iconv --protocol --address --checksum-choice --compress-choice',
    reads:
      '--exclude-from --include-from --files-from --compare-dest --copy-dest --link-dest --password-file',
    writes: '--log-file --backup-dir --temp-dir|-T --partial-dir',
    asks: '--daemon --ignore-errors --force --inplace --write-devices',
    runs: '-e|--rsh --rsync-path',
    asksWith:
      '-M|--remote-option --early-input --config --write-batch --only-write-batch --read-batch --dparam --sockopts --log-file-format --stop-after',
  },
  (call, words) => {
    const remote = words.operands.some(({ text }) => /^[^/]*:/.test(text));
    const dry = words.has('-n');
    if (remote) {
      call.outward({ sends: true });
      if (!dry) call.ask(tell('copies to or from another machine', '会与另一台机器互相复制'));
    }
    const target = words.operands.at(-1);
    for (const source of words.operands.slice(0, -1)) call.reads(source);
    if (dry) return OPAQUE;
    if (words.has('--delete', '--delete-excluded', '--delete-missing-args', '--remove-source-files'))
      call.ask(tell('deletes what is not in its source, or the source', '会删除来源中没有的内容,或删除来源'));
    if (target && !/^[^/]*:/.test(target.text))
      call.writes(target, words.has('--delete') ? 'change all below' : 'change');
    return EMPTY;
  },
);

const ls = known(
  {
    flags: `-a|--all -A|--almost-all -b|--escape -B|--ignore-backups -c -C -d|--directory -D|--dired -f -F -g -G|--no-group -h|--human-readable -H -i|--inode -k|--kibibytes -l|--long -L|--dereference -m -n|--numeric-uid-gid -N|--literal -o -p -q|--hide-control-chars -Q|--quote-name -r|--reverse -R|--recursive -s|--size -S -t -u -U -v -x -X -1|--oneline -Z|--context --author --full-time --group-directories-first --show-control-chars --si --zero --git --icons --header --tree --git-ignore --no-permissions --dereference-command-line -@ ${HELP}`,
    text: '--block-size --format --hide --indicator-style -I|--ignore --quoting-style --time --time-style -T|--tabsize -w|--width --level --depth',
    glued: '--color --colour --classify --hyperlink --icons --sort --time-style',
    operands: ['text'],
    calm: true,
  },
  (_, words) => ({ ...OPAQUE, listing: words.operands.every(isRelative) }),
);

const tree = known({
  flags: `-a -d -f -l -x -i -q -N -Q -p -u -g -s -h -D -F -v -t -c -U -r -n -C -A -S -J -X --noreport --dirsfirst --filesfirst --prune --gitignore --matchdirs --ignore-case --inodes --device --du --si --metafirst ${HELP}`,
  text: '-L -P -I -T -H --filelimit --timefmt --charset --sort',
  writes: '-o',
  asks: '-R --fromfile',
  operands: ['text'],
});

const fd = known(
  {
    flags: `-H|--hidden -I|--no-ignore -u|--unrestricted -s|--case-sensitive -i|--ignore-case -g|--glob -F|--fixed-strings -a|--absolute-path -l|--list-details -L|--follow -p|--full-path -0|--print0 -1 -q|--quiet --show-errors --no-ignore-vcs --no-ignore-parent --prune --one-file-system --strip-cwd-prefix --regex ${HELP}`,
    text: '-d|--max-depth --min-depth --exact-depth -E|--exclude -t|--type -e|--extension -S|--size --changed-within --changed-before -o|--owner -c|--color -j|--threads --max-results --format --path-separator --search-path --base-directory --batch-size',
    reads: '--ignore-file',
    runs: '-x|--exec -X|--exec-batch',
  },
  (_, words) => ({ ...OPAQUE, listing: words.operands.every(isRelative) }),
);

/** Looks at names, sizes and states. */
const LOOKS: Readonly<Record<string, Grammar>> = {
  stat: {
    flags: '-L|--dereference -f|--file-system -t|--terse -x -s -r -n -q',
    text: '-c|--format --printf --cached',
  },
  du: {
    flags:
      '-0|--null -a|--all -b|--bytes -c|--total -D|--dereference-args -h|--human-readable --inodes -k -L|--dereference -l|--count-links -m -P|--no-dereference -S|--separate-dirs --si -s|--summarize -x|--one-file-system -A --apparent-size',
    text: '-B|--block-size -d|--max-depth -t|--threshold --exclude --time-style',
    glued: '--time',
    reads: '-X|--exclude-from',
    asksWith: '--files0-from',
  },
  df: {
    flags:
      '-a|--all -h|--human-readable -H|--si -i|--inodes -k -l|--local --no-sync --sync -P|--portability --total -T|--print-type -v -m -g',
    text: '-B|--block-size -t|--type -x|--exclude-type',
    glued: '--output',
  },
  lsblk: {
    flags:
      '-a|--all -b|--bytes -d|--nodeps -D|--discard -f|--fs -J|--json -l|--list -m|--perms -n|--noheadings -O|--output-all -p|--paths -P|--pairs -r|--raw -s|--inverse -S|--scsi -t|--topology -z|--zoned -A -M|--merge -N|--nvme',
    text: '-e|--exclude -I|--include -o|--output -x|--sort -E|--dedup -w|--width',
  },
  blkid: {
    flags: '-k -i -D -d -p',
    text: '-o -s -t -L -U -l -m -n -u -O -S',
    asks: '-g|--garbage-collect',
    asksWith: '-c|--cache-file -w',
  },
  findmnt: {
    flags:
      '-A|--all -a|--ascii -b|--bytes -C|--nocanonicalize -D|--df -e|--evaluate -f|--first-only -i|--invert -J|--json -k|--kernel -l|--list -m|--mtab -n|--noheadings -P|--pairs -r|--raw -R|--submounts -s|--fstab -u|--notruncate -U|--uniq -v|--nofsroot -x|--verify --real --pseudo --output-all',
    text: '-d|--direction -M|--mountpoint -o|--output -O|--options -S|--source -t|--types -T|--target -N|--task',
    asks: '-p|--poll',
    asksWith: '-F|--tab-file',
  },
  'namei mountpoint': {
    flags:
      '-d|--fs-devno -q|--quiet -x|--devno -l|--long -m|--modes -n|--nosymlinks -o|--owners -v|--vertical --nofollow',
  },
  'dust duf': {
    flags: '-a -b -r -s -x -X -p -c -t -i --all --json --inodes --only-local --hide-loops',
    text: '-d|--depth -n|--number-of-lines --only --hide --output --sort --theme --width',
  },
  sync: { flags: '-d|--data -f|--file-system' },
  'getfacl lsattr getcap getfattr': {
    flags:
      '-a|--access -c|--omit-header -d|--default -e -E -n|--numeric -p|--absolute-names -R|--recursive -t|--tabular -v -l -r -L -P -h|--no-dereference --only-values',
    text: '-m|--match',
  },
  'locate plocate': {
    flags:
      '-b|--basename -c|--count -e|--existing -i|--ignore-case -0|--null -q|--quiet -r|--regexp --regex -S|--statistics -w|--wholename -A|--all',
    text: '-l|--limit|-n',
    asksWith: '-d|--database',
  },
};

const looking = (): ProgramTable =>
  Object.entries(LOOKS).reduce<ProgramTable>(
    (table, [names, grammar]) => ({
      ...table,
      ...forEach(
        names,
        known({
          ...grammar,
          flags: `${grammar.flags ?? ''} ${HELP}`,
          operands: ['text'],
          calm: !(grammar.asks || grammar.asksWith),
        }),
      ),
    }),
    {},
  );

const archiver = known({ flags: '-t -l --list -v -tv -p', operands: ['text'], reads: '-I', style: 'gnu' });

export const files: ProgramTable = {
  rm,
  ...forEach('unlink rmdir shred wipe srm trash trash-put', removes),
  ...forEach('cp mv ln install link', copies),
  touch,
  ...forEach('mkdir mkfifo', makesPlaces),
  mknod: asks(tell('makes a device', '会创建设备文件')),
  mktemp: known({
    flags: `-d|--directory -u|--dry-run -q|--quiet -t ${HELP}`,
    text: '-p --suffix',
    glued: '--tmpdir',
    operands: ['text'],
  }),
  chmod,
  ...forEach(
    'chown chgrp',
    known(
      {
        flags: `-R|--recursive -v|--verbose -c|--changes -f|--silent|--quiet -h|--no-dereference --dereference --preserve-root --no-preserve-root -H -L -P ${HELP}`,
        text: '--from',
        reads: '--reference',
      },
      (call, words) => {
        for (const file of words.operands.slice(1))
          call.writes(file, words.has('-R') ? 'change all below' : 'change');
        call.ask(tell('changes whom files belong to', '会改动文件的所有者'));
        return EMPTY;
      },
    ),
  ),
  ...forEach(
    'setfacl chattr setcap setfattr chcon restorecon setenforce',
    asks(tell('changes permissions', '会改动权限')),
  ),
  ...forEach('find gfind', find),
  ...forEach('fd fdfind', fd),
  ...forEach('tar gtar bsdtar', tar),
  ...forEach(
    'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 compress uncompress pigz brotli',
    packer,
  ),
  unzip,
  ...forEach('cpio ar pax 7z 7za 7zr rar unrar unar', (call) => {
    const [first] = call.args;
    if (!first || !/^(?:-?[tl]v?|--list)$/.test(first.text))
      call.ask(tell('packs or unpacks files', '会打包或解包文件'));
    else archiver({ ...call, args: [literal('-t'), ...call.args.slice(1)] });
    return OPAQUE;
  }),
  dd,
  ...forEach('truncate fallocate', resizes),
  rsync,
  ...forEach('ls ll dir vdir exa eza lsd', ls),
  tree,
  ncdu: asks(tell('waits for somebody at a terminal', '会在终端等人操作'), 2),
  ...looking(),
};
