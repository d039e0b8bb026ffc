import { tell } from '#kit/text';
import type { Call } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import type { Rule, Words } from '../grammar.ts';
import { each, reads, type Verbs } from '../verbs.ts';
import { GIT_DIFF, GIT_LOG } from './git-options.ts';
import { OUTPUT_FROM_NETWORK } from './rules.ts';
import { isRelative } from './text.ts';

/** Names of a helper program instead of an address or a commit. */
const HELPER = /^ext::|^[a-z+]*::|(?:^|=)!|^(?:file:\/\/)?\/proc/;

export function judgeNames(call: Call, words: Words): void {
  if (words.operands.some(({ text }) => HELPER.test(text)))
    call.ask(tell('names a helper program', '指定了辅助程序'));
}

/** Looks: a path that is absolute may be compared with anything on the machine. */
export const looks: Rule = (call, words) => {
  judgeNames(call, words);
  for (const operand of words.operands) if (/^[/~]|^\.\.\//.test(operand.text)) call.reads(operand);
  return OPAQUE;
};
const listsFiles: Rule = (call, words) => {
  looks(call, words);
  return { ...OPAQUE, listing: words.operands.every(isRelative) };
};
const looksAtDiff: Rule = (call, words) => {
  looks(call, words);
  const named = words.has('--name-only');
  return named ? { ...OPAQUE, listing: true } : OPAQUE;
};

export const fetches: Rule = (call, words) => {
  judgeNames(call, words);
  call.outward();
  return OUTPUT_FROM_NETWORK;
};

/** Sub-commands of git that only look. */
export const GIT_READING: Verbs = {
  ...each('diff,diff-tree,diff-index,diff-files,range-diff', reads(GIT_DIFF, looksAtDiff)),
  ...each('log,show,whatchanged,rev-list,reflog,reflog show,stash list,stash show', reads(GIT_LOG, looks)),
  shortlog: reads(
    {
      flags:
        '-n|--numbered -s|--summary -e|--email -c|--committer --all --no-merges --merges --branches --tags --first-parent',
      text: '--since --after --until --before --author --group --format --max-count --grep',
      glued: '-w',
      numbers: true,
    },
    looks,
  ),
  status: reads({
    flags:
      '-s|--short -b|--branch --show-stash --porcelain -v|--verbose --long -z --ahead-behind --no-ahead-behind --renames --no-renames',
    glued: '--porcelain -u|--untracked-files --ignored --ignore-submodules --column --find-renames',
  }),
  'ls-files': reads(
    {
      flags:
        '-c|--cached -d|--deleted -m|--modified -o|--others -i|--ignored -s|--stage -u|--unmerged -k|--killed --directory --no-empty-directory --eol -z -t -v -f --deduplicate --exclude-standard --error-unmatch --full-name --recurse-submodules --resolve-undo',
      text: '-x|--exclude --with-tree --format',
      glued: '--abbrev',
      reads: '-X|--exclude-from',
    },
    listsFiles,
  ),
  'ls-tree': reads(
    {
      flags: '-d -r -t -l|--long -z --name-only --name-status --object-only --full-name --full-tree',
      text: '--format',
      glued: '--abbrev',
    },
    listsFiles,
  ),
  blame: reads(
    {
      flags:
        '-w -e|--show-email -f|--show-name -n|--show-number -l -s -t -c --root --show-stats -p|--porcelain --line-porcelain --incremental --color-lines --color-by-age --minimal -b --first-parent --reverse',
      text: '-L --date --ignore-rev --since',
      glued: '-C -M --abbrev --progress',
      reads: '--contents --ignore-revs-file -S',
    },
    looks,
  ),
  annotate: reads({ flags: '-e -l -t -w', text: '-L' }, looks),
  grep: reads(
    {
      flags:
        '-i|--ignore-case -I -v|--invert-match -h -H --full-name -E|--extended-regexp -G|--basic-regexp -P|--perl-regexp -F|--fixed-strings -n|--line-number --column -l|--files-with-matches|--name-only -L|--files-without-match -z|--null -o|--only-matching -c|--count --break --heading -p|--show-function -W|--function-context -w|--word-regexp -a|--text -q|--quiet --cached --untracked --no-index --recurse-submodules --and --or --not --all-match -r|--recursive --no-recursive --no-color --no-textconv --no-ext-grep',
      text: '-e -A|--after-context -B|--before-context -C|--context --max-depth -m|--max-count --threads',
      glued: '--color',
      reads: '-f',
      runs: '-O|--open-files-in-pager',
      asks: '--textconv --ext-grep',
      numbers: true,
    },
    looks,
  ),
  describe: reads({
    flags: '--all --tags --contains --long --always --exact-match --first-parent --debug',
    text: '--match --exclude --candidates',
    glued: '--dirty --broken --abbrev',
  }),
  'rev-parse': reads({
    flags:
      '--verify -q|--quiet --short --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches --tags --remotes --revs-only --no-revs --flags --no-flags --sq --show-superproject-working-tree --local-env-vars --not --show-object-format',
    glued: '--abbrev-ref --short --branches --tags --remotes --glob --exclude --path-format --disambiguate',
    text: '--git-path --default --prefix --since --until',
  }),
  'cat-file': reads(
    {
      flags: '-t -s -e -p --follow-symlinks --batch-all-objects --unordered --buffer -Z --use-mailmap',
      glued: '--batch --batch-check --batch-command',
      asks: '--textconv --filters',
      asksWith: '--path',
    },
    looks,
  ),
  'for-each-ref': reads({
    flags: '--shell --perl --python --tcl --ignore-case --stdin',
    text: '--format --sort --count --points-at --merged --no-merged --contains --no-contains --exclude',
    glued: '--color',
  }),
  'show-ref': reads({
    flags: '--head --heads --tags --branches -d|--dereference --verify -q|--quiet',
    glued: '-s|--hash --abbrev --exclude-existing',
  }),
  'ls-remote': reads(
    {
      flags: '-h|--heads|--branches -t|--tags --refs -q|--quiet --get-url --symref --exit-code',
      text: '--sort -o|--server-option',
      asksWith: '--upload-pack --exec',
    },
    fetches,
  ),
  ...each(
    'merge-base,name-rev,count-objects,cherry,verify-commit,verify-tag,check-ignore,check-attr,check-mailmap,check-ref-format,show-branch,merge-tree,var,version,stripspace,patch-id,fsck,request-pull',
    reads(
      {
        flags:
          '-v|--verbose -a|--all -H --human-readable --is-ancestor --octopus --independent --fork-point --name-only --tags --always --stdin -z --no-index -n|--non-matching -q|--quiet --branch --normalize --allow-onelevel --raw --full --strict --unreachable --no-dangling --connectivity-only --write-tree --build-options --stable --unstable -s --topics --current --sha1-name',
        text: '--refs --exclude',
      },
      looks,
    ),
  ),
  'hash-object': reads(
    { flags: '--stdin --no-filters --literally', text: '-t --path', asks: '-w --stdin-paths' },
    looks,
  ),
  archive: reads(
    {
      flags: '-v|--verbose -l|--list --worktree-attributes 0 1 2 3 4 5 6 7 8 9',
      text: '--format --prefix --mtime --add-virtual-file',
      reads: '--add-file',
      writes: '-o|--output',
      asksWith: '--remote --exec',
    },
    looks,
  ),
  help: reads({ flags: '-a|--all -g|--guides' }, (call) => {
    if (!call.piped)
      call.ask(tell('opens a page that can start other programs', '会打开能启动其他程序的页面'));
    return OPAQUE;
  }),
  ...each(
    'lfs ls-files,lfs status,lfs env,lfs version',
    reads({ flags: '-l|--long -s|--size -n|--name-only --porcelain --json' }),
  ),
  ...each('bundle verify,bundle list-heads', reads({ flags: '-q|--quiet' }, looks)),
  ...each(
    'submodule status,submodule summary',
    reads({ flags: '--cached --recursive -q|--quiet --files', text: '--summary-limit' }),
  ),
  ...each('remote show,remote get-url', reads({ flags: '-n --all --push -v|--verbose' }, fetches)),
  ...each('notes list,notes show', reads({ text: '--ref' })),
  'sparse-checkout list': reads(),
  ...each('bisect log,bisect visualize,bisect view', reads({}, looks)),
};
