import type { Grammar } from '../grammar.ts';

/** Options that git's sub-commands share. */
export const GIT_DIFF: Grammar = {
  flags: `-p|--patch|-u -s|--no-patch --raw --patch-with-raw --minimal --patience --histogram --numstat --shortstat --summary --patch-with-stat
    -z --name-only --name-status --no-color --no-renames --check --full-index --binary -R -a|--text --ignore-cr-at-eol
    --ignore-space-at-eol -b|--ignore-space-change -w|--ignore-all-space --ignore-blank-lines -W|--function-context --exit-code
    --quiet --no-ext-diff --no-textconv --cached --staged --merge-base -0|--base -1 -2 -3 --ours --theirs --no-index -c --cc -t -r --root
    --no-prefix --default-prefix --find-copies-harder --pickaxe-all --pickaxe-regex -m --no-indent-heuristic --indent-heuristic
    --no-relative --stdin --always --dual-color --no-dual-color --left-only --right-only --compact-summary --no-commit-id`,
  text: '-U --unified -G -S -O --diff-algorithm --anchored --diff-filter --inter-hunk-context --src-prefix --dst-prefix --line-prefix --word-diff-regex --creation-factor --skip-to --rotate-to -l --ws-error-highlight --find-object --pretty --format',
  glued:
    '--stat --dirstat -X --cumulative --dirstat-by-file --color --color-moved --color-moved-ws --word-diff --color-words --abbrev -M|--find-renames -C|--find-copies -B|--break-rewrites -D --relative --submodule --ignore-submodules --diff-merges',
  writes: '--output',
  asks: '--ext-diff --textconv',
  numbers: true,
};

export const GIT_LOG: Grammar = {
  ...GIT_DIFF,
  flags: `${GIT_DIFF.flags} --oneline --graph --all --branches --tags --remotes --follow --no-decorate --clear-decorations --reverse --merges
    --no-merges --first-parent --left-right --cherry --cherry-pick --cherry-mark --date-order --author-date-order --topo-order
    --abbrev-commit --no-abbrev-commit --parents --children --boundary --simplify-by-decoration --full-history --dense --sparse
    --no-walk --walk-reflogs|-g -i|--regexp-ignore-case -E|--extended-regexp -F|--fixed-strings -P|--perl-regexp --all-match --invert-grep
    --show-signature --no-show-signature --relative-date --no-notes --no-mailmap --use-mailmap --mailmap --count --objects --not --stdin --reflog
    --no-expand-tabs --bisect --log-size --no-log-size --source --ignore-missing --remove-empty --exclude-first-parent-only
    --no-diff-merges --remerge-diff --include-untracked|-u --only-untracked`,
  text: `${GIT_DIFF.text} -L --max-count --skip --since --after --until --before --author --committer --grep --grep-reflog --date --encoding
    --min-parents --max-parents --glob --exclude --since-as-filter --show-linear-break --group --filter --decorate-refs --decorate-refs-exclude -n`,
  glued: `${GIT_DIFF.glued} --decorate --pretty --format --notes --show-notes --branches --tags --remotes --no-walk --ancestry-path --expand-tabs`,
};

export const GIT_BRANCHES: Grammar = {
  flags:
    '-a|--all -r|--remotes -l|--list -v -vv --verbose -q|--quiet --show-current -i|--ignore-case --no-column -m|--move -c|--copy -d|--delete -t|--track --no-track --create-reflog --unset-upstream --no-abbrev --omit-empty',
  text: '-u|--set-upstream-to --format --sort --points-at',
  glued: '--contains --no-contains --merged --no-merged --color --column --abbrev --track',
  asks: '-D -M -C -f|--force --edit-description',
};

/** What merging, picking and rebasing share. */
export const GIT_PICK: Grammar = { text: '-X|--strategy-option -m --mainline --cleanup --onto --empty' };
