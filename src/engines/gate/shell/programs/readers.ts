import { forEach, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, known, type Rule } from '../grammar.ts';

const HELP = '--help --version';

/** Programs that print what they are given in another form. Their options neither write nor run. */
const READERS: Readonly<Record<string, Grammar>> = {
  wc: {
    flags: 'clLmw --bytes --chars --lines --words --max-line-length',
    glued: '--total',
    asksWith: '--files0-from',
  },
  nl: {
    flags: 'p --no-renumber',
    text: '-b|--body-numbering -d|--section-delimiter -f|--footer-numbering -h|--header-numbering -i|--line-increment -l|--join-blank-lines -n|--number-format -s|--number-separator -v|--starting-line-number -w|--number-width',
  },
  cut: {
    flags: 'nsz --complement --only-delimited --zero-terminated',
    text: '-b|--bytes -c|--characters -d|--delimiter -f|--fields --output-delimiter',
  },
  paste: { flags: 'sz --serial --zero-terminated', text: '-d|--delimiters' },
  join: {
    flags: 'iz --ignore-case --check-order --nocheck-order --header --zero-terminated',
    text: 'aejotv12',
  },
  comm: { flags: '123z --check-order --nocheck-order --total --zero-terminated', text: '--output-delimiter' },
  'fold fmt': {
    flags: 'bcsut --spaces --bytes --split-only --uniform-spacing --crown-margin --tagged-paragraph',
    text: '-w|--width -g|--goal -p|--prefix',
    numbers: true,
  },
  column: {
    flags: 'cdentxJL --table --json --tree-id --fillrows --table-noheadings --keep-empty-lines',
    text: '-s|--separator -o|--output-separator -c|--output-width -N|--table-columns -R|--table-right -H|--table-hide -O|--table-order -E|--table-noextreme -T|--table-truncate -l|--table-columns-limit',
  },
  'diff colordiff': {
    flags:
      'abBdeEiNnpPqrstTuwyZ --brief --recursive --text --minimal --new-file --report-identical-files --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-trailing-space --side-by-side --suppress-common-lines --left-column --speed-large-files --strip-trailing-cr --normal --ed --rcs --expand-tabs --show-c-function --no-dereference',
    text: '-U|--unified-lines -C -W|--width -I|--ignore-matching-lines -F|--show-function-line -x|--exclude -L|--label -S|--starting-file --palette --tabsize --horizon-lines --line-format --old-line-format --new-line-format --unchanged-line-format',
    glued: '--color --unified --context',
    reads: '-X|--exclude-from --from-file --to-file',
    numbers: true,
  },
  sdiff: {
    flags: 'abBdEHilstWZ --suppress-common-lines --left-column',
    text: '-w|--width -I',
    runs: '--diff-program',
    writes: '-o|--output',
  },
  cmp: { flags: 'bls --print-bytes --verbose --quiet --silent', text: '-i|--ignore-initial -n|--bytes' },
  strings: {
    flags: 'adfow --all --data --print-file-name --include-all-whitespace',
    text: '-n|--bytes -t|--radix -e|--encoding -s|--output-separator',
    numbers: true,
  },
  'od hexdump hd': {
    flags: 'abBcCdDfFHhiIlLoOsvxX --output-duplicates --canonical --traditional',
    text: '-A|--address-radix -j|--skip-bytes -N|--read-bytes -S|--strings -t|--format -w|--width -n|--length -s|--skip -e',
    asksWith: '--format-file',
  },
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum shasum md5': {
    flags:
      'bctrqswz0 --binary --check --text --tag --zero --quiet --status --strict --warn --ignore-missing --portable --untagged --base64 --raw',
    text: '-a|--algorithm -l|--length',
  },
  file: {
    flags:
      'bcdEhikLNnprsSvzZ0 --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --raw --uncompress --extension --no-pad --list --exclude-quiet',
    text: '-e|--exclude -F|--separator -P|--parameter',
    asks: '-C|--compile',
    asksWith: '-f|--files-from -m|--magic-file',
  },
  'nm objdump readelf size': {
    flags:
      'aAbBCdDefghHiIlLnoPprsStTuVvWwxzM --demangle --dynamic --all-headers --disassemble --disassemble-all --headers --syms --symbols --dyn-syms --sections --segments --relocs --wide --notes --file-headers --private-headers --extern-only --undefined-only --defined-only --size-sort --reverse-sort --numeric-sort --line-numbers --source --full-contents --totals --format-default',
    text: '-j|--section -F|--format --start-address --stop-address --radix -R|--relocated-dump',
  },
  iconv: {
    flags: 'cls --list --silent --verbose',
    text: '-f|--from-code -t|--to-code',
    writes: '-o|--output',
  },
  'bat batcat': {
    flags: 'AfnpPruSd --plain --number --show-all --list-languages --list-themes --diff --unbuffered',
    text: '-l|--language -H|--highlight-line -r|--line-range --style --theme --color --tabs --wrap --decorations --paging --terminal-width --file-name -m|--map-syntax --diff-context --italic-text',
    runs: '--pager',
  },
  'cloc tokei scc': {
    flags:
      'fahqv --by-file --json --yaml --csv --md --quiet --hide-rate --files --hidden --no-ignore --vcs-git --git --skip-uniqueness --wide --no-cocomo --no-complexity --by-percent',
    text: '-e|--exclude --exclude-dir --exclude-ext --exclude-lang --include-lang --include-ext --not-match-d --not-match-f --match-f --match-d --timeout --processes -s|--sort -t|--type -o|--output-format -f|--format -i|--include-ext-list --columns',
    reads: '--list-file --exclude-list-file',
  },
  xmllint: {
    flags:
      '--noout --format --recover --nonet --html --noblanks --nowarning --huge --valid --c14n --xmlout --stream',
    text: '--xpath --encode --maxmem --pattern',
    reads: '--schema --relaxng --dtdvalid',
    asks: '--shell --catalogs --xinclude --loaddtd --dtdattr --noent',
    writes: '--output',
    style: 'word',
  },
  gron: { flags: 'usmcjkv --ungron --stream --monochrome --colorize --json --values --no-sort' },
  'zcat bzcat xzcat lz4cat zstdcat zless zdiff': { flags: 'cdfklqtv --stdout --quiet --force' },
};

export const readers: ProgramTable = Object.entries(READERS).reduce<ProgramTable>(
  (table, [names, grammar]) => {
    const full = {
      ...grammar,
      flags: `${grammar.flags ?? ''} ${HELP}`,
      operands: ['reads'] as const,
      calm: !(grammar.writes || grammar.runs || grammar.asks || grammar.asksWith || grammar.inside),
    };
    const rule: Rule = (call) =>
      /^(?:zcat|bzcat|xzcat|lz4cat|zstdcat)$/.test(call.name)
        ? { ...OPAQUE, network: call.stdin.network }
        : undefined;
    return { ...table, ...forEach(names, known(full, rule)) };
  },
  {},
);
