import { tell } from '#kit/text';
import { type Arg, literal } from '../arg.ts';
import type { Program } from '../call.ts';
import { EMPTY, OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, known } from '../grammar.ts';

const HELP = '--help --version';

const TAR: Grammar = {
  flags: `-c|--create -x|--extract|--get -t|--list -r|--append -u|--update -A|--catenate|--concatenate -d|--diff|--compare --delete -v|--verbose -z|--gzip|--gunzip -j|--bzip2 -J|--xz --zstd --lzma --lzip --lzop -Z|--compress -a|--auto-compress --no-auto-compress -k|--keep-old-files --keep-newer-files --overwrite --skip-old-files -m|--touch -o|--no-same-owner --same-owner -p|--preserve-permissions|--same-permissions --no-same-permissions -O|--to-stdout -h|--dereference --hard-dereference -l|--check-links --one-file-system -S|--sparse -W|--verify -w|--interactive -R|--block-number -i|--ignore-zeros --wildcards --no-wildcards --anchored --no-anchored --ignore-case --exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches --exclude-caches-all --no-recursion --recursion --totals --numeric-owner --delay-directory-restore --no-xattrs --no-acls --null --show-transformed-names --show-omitted-dirs --full-time --utc --acls --selinux --xattrs -n|--seek -s ${HELP}`,
  text: '-f|--file -C|--directory --exclude --transform|--xform --owner --group --mode --mtime --strip-components -b|--blocking-factor --record-size -H|--format -L|--tape-length -N|--newer|--after-date --newer-mtime --sort --level --exclude-tag --exclude-ignore --occurrence -V|--label -K|--starting-file --quoting-style --warning --pax-option --one-top-level',
  reads: '-T|--files-from -X|--exclude-from --add-file',
  glued: '--totals --checkpoint --backup',
  asks: '-P|--absolute-names --remove-files -U|--unlink-first --recursive-unlink -M|--multi-volume',
  runs: '-F|--info-script|--new-volume-script --to-command --checkpoint-action --rsh-command --rmt-command',
  asksWith: '--index-file -g|--listed-incremental --suffix --volno-file --use-compress-program|-I',
};
const HARMLESS_PACKER = /^(?:gzip|pigz|bzip2|pbzip2|xz|zstd|lz4|lzma)(?: -[\w]+)*$/;

export const tar: Program = (call) => {
  const [first, ...rest] = call.args;
  // The old style: letters without a dash.
  const old =
    first !== undefined && first.literal && /^[A-Za-z]+$/.test(first.text) && /[cxtruAd]/.test(first.text);
  const args = old
    ? [literal(`-${first.text.replace(/f/g, '')}${first.text.includes('f') ? 'f' : ''}`), ...rest]
    : call.args;
  const packed = withoutPacker(args);
  const options = applyGrammar(call, packed, TAR);
  const archives = options.values('-f');
  for (const archive of archives)
    if (/^[^/]+:/.test(archive.text)) call.ask(tell('talks to another machine', '会与另一台机器通信'));
  const folders = options.values('-C', '--one-top-level');
  if (options.has('-x')) {
    for (const archive of archives) call.reads(archive);
    if (options.has('-O')) return { ...OPAQUE, network: call.stdin.network };
    for (const folder of folders.length > 0 ? folders : [literal('.')]) call.writes(folder, 'change');
    return EMPTY;
  }
  if (options.has('-t', '-d')) {
    for (const archive of archives) if (archive.text !== '-') call.reads(archive);
    return OPAQUE;
  }
  for (const archive of archives) if (archive.text !== '-') call.writes(archive, 'change');
  for (const file of options.operands)
    call.reads(folders[0] ? { ...file, text: `${folders[0].text}/${file.text}` } : file);
  call.level(1);
  return OPAQUE;
};

/** A packer that does nothing else is no program that anybody has to know about. */
function withoutPacker(args: readonly Arg[]): readonly Arg[] {
  const at = args.findIndex(({ text }) => /^(?:-I|--use-compress-program)$/.test(text));
  const next = args[at + 1];
  if (at >= 0 && next?.literal && HARMLESS_PACKER.test(next.text)) return args.toSpliced(at, 2);
  return args.filter(
    (arg) =>
      !(arg.literal && HARMLESS_PACKER.test(/^--use-compress-program=(.*)$/.exec(arg.text)?.[1] ?? '')),
  );
}

/** Packs or unpacks in place, or to standard output. */
export const packer = known(
  {
    flags: `-c|--stdout|--to-stdout -d|--decompress|--uncompress -f|--force -k|--keep -l|--list -n|--no-name -N|--name -q|--quiet -r|--recursive -t|--test -v|--verbose -z|--compress -e|--extreme -0 -1|--fast -2 -3 -4 -5 -6 -7 -8 -9|--best -a|--ascii --rsyncable --rm --no-progress --ultra -D -h -i -L -V --single-stream --no-sparse --synchronous --no-check --check ${HELP}`,
    text: '-S|--suffix -b|--blocksize -T|--threads -p --memory -M --memlimit --memlimit-compress --format -F -C -w|--lgwin -j|--jobs',
    glued: '--long --adapt --fast',
    writes: '-o|--output',
    asksWith: '--files --files0 --filelist --output-dir-flat --output-dir-mirror --patch-from -D',
    operands: ['reads'],
    numbers: true,
  },
  (call, words) => {
    const decodes = words.has('-d') || /^(?:un|g?unzip)/.test(call.name);
    const keeps = words.has('-c', '-t', '-l');
    for (const file of words.operands) if (!keeps) call.writes(file, 'change');
    return decodes ? { ...OPAQUE, network: call.stdin.network, decoded: call.stdin.decoded } : undefined;
  },
);

export const unzip = known(
  {
    flags: '-l -t -v -Z -Z1 -1 -p -c -z -f -u -a -b -j -n -o -q -qq -C -L -X -V -M -h -U -D -DD -s -B',
    text: '-d -x -P',
    asks: '-K -: -^',
    operands: ['rule'],
  },
  (call, words) => {
    const [archive] = words.operands;
    if (archive) call.reads(archive);
    if (words.has('-l', '-t', '-v', '-Z', '-p', '-c', '-z')) return OPAQUE;
    const folder = words.value('-d') ?? literal('.');
    call.writes(folder, 'change');
    return EMPTY;
  },
);
