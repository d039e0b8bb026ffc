import { tell } from '#kit/text';
import { type Arg, literal } from '../arg.ts';
import type { Call, ProgramTable } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import { type Grammar, joinGrammars, type Rule } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads, runs, type Verbs } from '../verbs.ts';
import { GIT_BRANCHES, GIT_LOG, GIT_PICK } from './git-options.ts';
import { fetches, GIT_READING, judgeNames, looks } from './git-reading.ts';
import { isRelative } from './text.ts';

/** Settings that neither run a program nor change where things go: the whole key, in any case. */
const HARMLESS_SETTING =
  /^(?:color\.[\w.-]+|column\.\w+|user\.(?:name|email)|(?:commit|tag)\.gpgsign|core\.(?:quotepath|abbrev|autocrlf|eol|longpaths|filemode|ignorecase|precomposeunicode|compression|preloadindex|bare|safecrlf|whitespace)|diff\.(?:renames|renamelimit|algorithm|context|mnemonicprefix|noprefix|colormoved|interhunkcontext|indentheuristic|submodule|wserrorhighlight|statgraphwidth)|log\.(?:abbrevcommit|date|decorate|follow|graphcolors|showroot|mailmap|initialdecorationset|excludedecoration)|status\.\w+|advice\.\w+|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|merge\.(?:ff|conflictstyle|renames|log|stat)|rebase\.(?:autostash|autosquash|updaterefs|stat)|fetch\.(?:prune|prunetags|parallel|output)|grep\.(?:linenumber|column|patterntype|extendedregexp|fallbacktonoindex)|blame\.(?:coloring|date|showemail|showroot|blankboundary)|branch\.(?:sort|autosetupmerge|autosetuprebase)|tag\.sort|format\.pretty|i18n\.\w+|http\.(?:postbuffer|version)|protocol\.version|gc\.auto|stash\.show\w+|rerere\.(?:enabled|autoupdate)|interactive\.singlekey|help\.autocorrect|feature\.\w+|index\.\w+|pack\.\w+)$/i;

const isHarmlessSetting = (setting: Arg): boolean => {
  const [key = '', value] = setting.text.split('=');
  if (!setting.literal) return false;
  if (/^core\.pager$/i.test(key)) return /^(?:cat|less|)$/.test(value ?? '');
  return HARMLESS_SETTING.test(key);
};

const GLOBALS: Grammar = {
  flags:
    '--no-pager|-P --paginate|-p --no-replace-objects --bare --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-advice --version|-v --help|-h',
  text: '-c --namespace --list-cmds --attr-source',
  reads: '-C',
  glued: '--html-path --man-path --info-path',
  asksWith: '--git-dir --work-tree --config-env --super-prefix',
};
/** With nothing behind it, it only tells; a value makes git run programs from there. */
const EXEC_PATH = { asks: '--exec-path' };
const REPO: Grammar = joinGrammars(GLOBALS, EXEC_PATH);

const push: Rule = (call, words) => {
  judgeNames(call, words);
  call.outward({ sends: false });
  if (words.has('-n')) return OPAQUE;
  const [remote, ...refs] = words.operands;
  const overwrites = words.has(
    '-f',
    '--force-with-lease',
    '--force-if-includes',
    '--mirror',
    '-d',
    '--prune',
    '--all',
  );
  if (overwrites || refs.some(({ text }) => /^[+:]/.test(text)))
    call.ask(tell('overwrites or deletes what others have', '会覆盖或删除他人的内容'));
  const place = words.value('--repo') ?? remote;
  if (place && (!place.literal || /[:/]/.test(place.text)))
    call.ask(tell('sends the project to another place than usual', '会把项目推送到非常规的地址'));
  if (words.has('--no-verify')) call.ask(tell('skips the checks', '会跳过检查'));
  return OPAQUE;
};

const clone: Rule = (call, words) => {
  const feed = fetches(call, words);
  const [url, folder] = words.operands;
  for (const setting of words.values('-c'))
    if (!isHarmlessSetting(setting))
      call.ask(
        tell(
          `changes the setting \`${setting.text.slice(0, 40)}\``,
          `会改动设置 \`${setting.text.slice(0, 40)}\``,
        ),
      );
  if (folder) call.writes(folder, 'create');
  else if (url) call.writes({ ...url, text: lastName(url.text) }, 'create');
  return feed;
};
const lastName = (url: string): string =>
  url
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^.*[/:]/, '') || 'project';

/** Throws away what is not committed. A single word may be a branch; files are told by what stands around them. */
const checkout: Rule = (call, words) => {
  judgeNames(call, words);
  const named = words.has('-b', '-c', '--orphan', '-t', '-d');
  const files = call.args.some(({ text }) => text === '--') || (words.operands.length > 1 && !named);
  const like = /^(?:\.|:\/|\*|\.\/.*|:\(top\).*)$|^(?!v?\d).*\.[a-z]{1,4}$/;
  if (files || (!named && words.operands.some(({ text }) => like.test(text))))
    call.ask(tell('throws away changes that are not committed', '会丢弃未提交的改动'));
  return OPAQUE;
};

const config: Rule = (call, words) => {
  const [first, ...rest] = words.operands;
  const gets = words.has(
    '--get',
    '--get-all',
    '--get-regexp',
    '--get-urlmatch',
    '--get-color',
    '--get-colorbool',
    '-l',
  );
  const modern = /^(?:list|get|set|unset|edit|rename-section|remove-section)$/.exec(first?.text ?? '')?.[0];
  const reading = gets || modern === 'list' || modern === 'get';
  const changing = words.has(
    '--add',
    '--replace-all',
    '--unset',
    '--unset-all',
    '--rename-section',
    '--remove-section',
    '-e',
  );
  const shown = [...words.operands, ...words.values('--get', '--get-all', '--get-regexp', '--get-urlmatch')];
  if (reading || (!modern && !changing && words.operands.length === 1)) {
    if (changing) call.ask(tell('changes settings', '会改动设置'));
    if (shown.some(({ text }) => /token|password|credential|extraheader/i.test(text)))
      call.showsPrivate(tell('shows a credential', '会显示凭据'));
    return OPAQUE;
  }
  call.level(2);
  if (words.has('--global', '--system', '--worktree', '-f', '--blob', '-e') || (modern && modern !== 'set'))
    call.ask(tell('changes settings beyond this project, or removes them', '会改动或删除本项目以外的设置'));
  const named = words.values(
    '--add',
    '--replace-all',
    '--unset',
    '--unset-all',
    '--rename-section',
    '--remove-section',
  )[0];
  const key = named ?? (modern === 'set' ? rest[0] : first);
  const value = named ? first : modern === 'set' ? rest[1] : rest[0];
  const setting = literal(`${key?.text ?? ''}=${value?.text ?? ''}`);
  if (!key?.literal || !(value?.literal ?? true) || !isHarmlessSetting(setting))
    call.ask(
      tell(
        `changes the setting \`${(key?.text ?? '').slice(0, 40)}\``,
        `会改动设置 \`${(key?.text ?? '').slice(0, 40)}\``,
      ),
    );
  return OPAQUE;
};

const worktree: Verbs = {
  'worktree list': reads({ flags: '--porcelain -v|--verbose -z' }),
  'worktree add': runs(
    {
      flags: '-f|--force -d|--detach --checkout|!--no-checkout --guess-remote --track --lock -q|--quiet',
      text: '-b -B --reason',
    },
    (call, words) => {
      if (words.has('-f')) call.ask(tell('takes a working folder over', '会接管某个工作目录'));
      const [path] = words.operands;
      if (path) call.writes(path, 'create');
      return OPAQUE;
    },
  ),
  ...each(
    'worktree prune,worktree lock,worktree unlock,worktree repair',
    runs({ flags: '-n|--dry-run -v|--verbose', text: '--expire --reason' }),
  ),
};

const changes = (grammar: Grammar, rule: Rule = looks) => runs(grammar, rule);
const COMMIT: Grammar = {
  flags: `-a|--all -p|--patch -s|--signoff|!--no-signoff -e|--edit|!--no-edit --amend --allow-empty --allow-empty-message -q|--quiet
    -v|--verbose --dry-run --short --porcelain --long -z|--null --status|!--no-status --reset-author -i|--include -o|--only --branch
    --no-post-rewrite`,
  text: '-m|--message --author --date -C|--reuse-message -c|--reedit-message --fixup --squash --trailer --cleanup',
  glued: '-u|--untracked-files -S|--gpg-sign',
  reads: '-F|--file -t|--template --pathspec-from-file',
  asks: '-n|--no-verify',
};

const FETCH: Grammar = {
  flags: `--all -a|--append -n|--no-tags -t|--tags --prune|-p --prune-tags|-P -k|--keep --multiple --dry-run -v|--verbose -q|--quiet
    --unshallow --update-shallow --progress --no-progress -4|--ipv4 -6|--ipv6 --atomic --set-upstream --porcelain --write-fetch-head
    --no-write-fetch-head --auto-gc --no-auto-gc --no-auto-maintenance --no-recurse-submodules --show-forced-updates`,
  text: '--depth --deepen --shallow-since --shallow-exclude -j|--jobs --negotiation-tip --refmap --filter --server-option|-o',
  glued: '--recurse-submodules',
  asks: '-f|--force -u|--update-head-ok',
  asksWith: '--upload-pack',
};
const PULL: Grammar = {
  flags: `${FETCH.flags} --ff --ff-only --no-ff --no-rebase --commit --no-commit --edit --no-edit --stat --no-stat --autostash --no-autostash
    --squash --no-squash --verify-signatures --signoff --allow-unrelated-histories`,
  text: `${FETCH.text}`,
  glued: '--rebase|-r --recurse-submodules --log',
  asks: '-f|--force',
  asksWith: '--upload-pack -s|--strategy -X|--strategy-option',
};

const CHANGING: Verbs = {
  add: changes({
    flags:
      '-A|--all -u|--update -p|--patch -i|--interactive -v|--verbose -n|--dry-run -f|--force -N|--intent-to-add --ignore-errors --ignore-missing --refresh --renormalize --sparse --no-all',
    glued: '--chmod',
    reads: '--pathspec-from-file',
    asks: '-e|--edit',
  }),
  commit: changes(COMMIT),
  mv: changes({ flags: '-f|--force -k -n|--dry-run -v|--verbose' }, (call, words) => {
    for (const file of words.operands) call.writes(file, 'change');
    return OPAQUE;
  }),
  init: changes(
    {
      flags: '-q|--quiet --bare',
      text: '-b|--initial-branch --object-format --ref-format',
      glued: '--shared',
      asksWith: '--template --separate-git-dir',
    },
    (call, words) => {
      for (const folder of words.operands) call.writes(folder, 'create');
      return OPAQUE;
    },
  ),
  fetch: changes(FETCH, fetches),
  'remote update': changes({ flags: '-p|--prune -v|--verbose' }, fetches),
  'remote prune': changes({ flags: '-n|--dry-run' }, fetches),
  pull: changes(PULL, fetches),
  clone: changes(
    {
      flags:
        '-q|--quiet -v|--verbose --progress -n|--no-checkout --bare --mirror --single-branch --no-single-branch --no-tags --shallow-submodules --no-shallow-submodules --sparse -l|--local --no-local --no-hardlinks -s|--shared --dissociate -4|--ipv4 -6|--ipv6',
      text: '-o|--origin -b|--branch --depth --shallow-since --shallow-exclude -j|--jobs --filter --server-option -c|--config --revision --bundle-uri',
      inside: '--reference --reference-if-able',
      asks: '--recursive',
      asksWith: '-u|--upload-pack --template --separate-git-dir',
      glued: '--reject-shallow',
      runs: '--recurse-submodules',
    },
    clone,
  ),
  merge: changes({
    flags:
      '--ff --no-ff --ff-only --squash --no-squash --commit --no-commit --edit|-e --no-edit --abort --continue --quit --stat --no-stat -n -q|--quiet -v|--verbose --autostash --no-autostash --signoff --allow-unrelated-histories --verify-signatures --no-rerere-autoupdate',
    text: '-m --cleanup --into-name',
    glued: '--log -S|--gpg-sign',
    reads: '-F|--file',
    asksWith: '-s|--strategy',
    asks: '--no-verify',
    ...GIT_PICK,
  }),
  ...each(
    'cherry-pick,revert',
    changes({
      flags:
        '--abort --continue --quit --skip -n|--no-commit -e|--edit --no-edit -x -s|--signoff --ff --allow-empty --keep-redundant-commits --reference',
      text: '-m|--mainline --cleanup',
      glued: '-S|--gpg-sign',
      ...GIT_PICK,
      asksWith: '--strategy',
    }),
  ),
  rebase: changes(
    {
      flags:
        '--abort --continue --skip --quit --show-current-patch --autosquash --no-autosquash --autostash --no-autostash -m|--merge --keep-base --root --no-ff|--force-rebase|-f --update-refs --no-update-refs -q|--quiet -v|--verbose --stat -n|--no-stat --apply --committer-date-is-author-date --signoff --fork-point --no-fork-point --rebase-merges -r',
      text: '--onto --empty',
      asks: '-i|--interactive --edit-todo --no-verify',
      asksWith: '-s|--strategy',
      runs: '-x|--exec',
      ...GIT_PICK,
    },
    (call, words) => {
      for (const script of words.values('-x')) call.runsScript(script);
      return looks(call, words);
    },
  ),
  apply: changes(
    {
      flags:
        '--check --stat --numstat --summary -R|--reverse --index --cached -3|--3way --reject -z --recount --inaccurate-eof -v|--verbose -q|--quiet --allow-empty --unidiff-zero --no-add --allow-overlap -N|--intent-to-add',
      text: '-p -C --whitespace --exclude --include',
      asks: '--unsafe-paths',
      asksWith: '--directory --build-fake-ancestor',
    },
    (call, words) => {
      if (call.stdin.network)
        call.ask(tell('applies what comes from another machine', '会应用来自另一台机器的内容'));
      return looks(call, words);
    },
  ),
  am: changes({
    flags:
      '--abort --continue|-r|--resolved --skip --quit -3|--3way -s|--signoff -k|--keep --keep-cr --no-keep-cr -q|--quiet -c|--scissors --show-current-patch',
    text: '-p -C --whitespace --patch-format',
    asks: '-i|--interactive --no-verify',
    asksWith: '--directory',
  }),
  'format-patch': changes(
    {
      ...GIT_LOG,
      flags: `${GIT_LOG.flags} --stdout --cover-letter -k|--keep-subject -N|--no-numbered --numbered --signoff`,
      text: `${GIT_LOG.text} -o|--output-directory -v|--reroll-count --subject-prefix --start-number --suffix --to --cc --in-reply-to`,
      glued: `${GIT_LOG.glued} --thread --attach --inline --base`,
    },
    (call, words) => {
      for (const folder of words.values('-o')) call.writes(folder, 'create');
      return looks(call, words);
    },
  ),
  ...each(
    'notes add,notes append,notes copy,notes remove',
    changes({ text: '-m|--message --ref', reads: '-F|--file', flags: '-f|--force' }),
  ),
  tag: changes({
    flags: '-l|--list -a|--annotate -s|--sign -v|--verify --create-reflog -i|--ignore-case --no-column',
    text: '-m|--message -u|--local-user --cleanup --sort --format --points-at --contains --no-contains --merged --no-merged',
    glued: '-n --column --color',
    reads: '-F|--file',
    asks: '-d|--delete -f|--force -e|--edit',
  }),
  branch: changes(GIT_BRANCHES, (call, words) => {
    if (words.operands.length === 0) call.level(0);
    return looks(call, words);
  }),
  ...each(
    'stash,stash push,stash save',
    changes({
      flags:
        '-p|--patch -S|--staged -k|--keep-index --no-keep-index -u|--include-untracked -a|--all -q|--quiet',
      text: '-m|--message',
      reads: '--pathspec-from-file',
    }),
  ),
  ...each(
    'stash apply,stash pop,stash branch,stash create,stash store',
    changes({ flags: '--index -q|--quiet', text: '-m|--message' }),
  ),
  ...each(
    'checkout,switch',
    changes(
      {
        flags:
          '-q|--quiet --progress --no-progress --guess --no-guess -t|--track --no-track -l -d|--detach --overlay --no-overlay --ignore-skip-worktree-bits --no-recurse-submodules',
        text: '-b -c|--create --orphan --conflict',
        asks: '-f|--force --discard-changes --ignore-other-worktrees --ours --theirs -p|--patch -m|--merge',
        asksWith: '-B -C|--force-create --pathspec-from-file',
        glued: '--recurse-submodules',
      },
      checkout,
    ),
  ),
  restore: changes(
    {
      flags:
        '-q|--quiet --progress --ours --theirs -p|--patch -S|--staged -W|--worktree --ignore-unmerged --overlay --no-overlay -m|--merge',
      text: '-s|--source --conflict',
      reads: '--pathspec-from-file',
      asks: '-f|--force --discard-changes',
    },
    (call, words) => {
      if (!words.has('-S') || words.has('-W'))
        call.ask(tell('throws away changes that are not committed', '会丢弃未提交的改动'));
      return looks(call, words);
    },
  ),
  reset: changes({
    flags: '-q|--quiet --soft --mixed -N|--intent-to-add -p|--patch --no-refresh',
    asks: '--hard --merge --keep',
    reads: '--pathspec-from-file',
  }),
  rm: changes(
    {
      flags: '-r -n|--dry-run --cached --ignore-unmatch -q|--quiet --sparse',
      asks: '-f|--force',
      reads: '--pathspec-from-file',
    },
    (call, words) => {
      for (const file of words.operands) call.writes(file, words.has('--cached') ? 'change' : 'delete');
      return OPAQUE;
    },
  ),
  clean: changes(
    {
      flags: '-n|--dry-run|!--no-dry-run -d -q|--quiet -x -X -f|--force',
      text: '-e|--exclude',
      asks: '-i|--interactive',
    },
    (call, words) => {
      if (!words.has('-n')) call.ask(tell('deletes files that are not committed', '会删除未提交的文件'));
      return OPAQUE;
    },
  ),
  push: changes(
    {
      flags:
        '--all|--branches --prune --mirror -d|--delete --tags --follow-tags --no-follow-tags --atomic --no-atomic -n|--dry-run|!--no-dry-run -f|--force --force-if-includes -u|--set-upstream -q|--quiet -v|--verbose --progress --porcelain --no-verify -4|--ipv4 -6|--ipv6 --thin --no-thin --signed',
      text: '-o|--push-option --repo',
      glued: '--force-with-lease --recurse-submodules',
      asksWith: '--receive-pack --exec',
    },
    push,
  ),
  remote: reads({ flags: '-v|--verbose' }, (call, words) => {
    if (words.operands.length > 0)
      call.ask(tell('changes where the project is sent and fetched', '会改动项目推送与拉取的地址'));
    return OPAQUE;
  }),
  config: reads(
    {
      flags:
        '--global --system --local --worktree -l|--list -e|--edit -z|--null --name-only --show-origin --show-scope --includes --no-includes --int --bool --path --show-names --all --fixed-value --append',
      text: '--get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --type -t --default --unset --unset-all --add --replace-all --rename-section --remove-section --value --regexp --url --comment --blob',
      reads: '-f|--file',
    },
    config,
  ),
  ...worktree,
  ...each(
    'bisect start,bisect good,bisect bad,bisect skip,bisect reset,bisect new,bisect old,bisect terms',
    changes({ flags: '--no-checkout --first-parent', text: '--term-new --term-old' }),
  ),
  gc: changes({
    flags: '-q|--quiet --auto --no-prune',
    asks: '--aggressive --force',
    glued: '',
    runs: '--prune',
  }),
  ...each('write-tree,commit-tree,pack-refs', changes({ flags: '--all', text: '-m -p' })),
  'sparse-checkout set': changes({ flags: '--cone --no-cone --skip-checks' }),
  ...each(
    'lfs pull,lfs fetch,lfs checkout,lfs track',
    changes({ text: '-I|--include -X|--exclude', flags: '-r|--recent -a|--all' }, fetches),
  ),
};

const REFUSED: Verbs = {
  ...each(
    'stash drop,stash clear',
    needsAgreement(tell('deletes changes that were put aside', '会删除暂存起来的改动')),
  ),
  ...each(
    'prune,reflog expire,reflog delete',
    needsAgreement(tell('deletes what is no longer referred to', '会删除不再被引用的内容')),
  ),
  ...each(
    'repack,update-index,read-tree,update-ref,symbolic-ref,replace,filter-branch,filter-repo',
    needsAgreement(tell('rewrites the store of the project', '会重写项目的存储')),
  ),
  ...each(
    'worktree remove,worktree move',
    needsAgreement(tell('removes a working folder', '会移除工作目录')),
  ),
  ...each(
    'difftool,mergetool,bisect run,submodule foreach,maintenance,daemon,instaweb,credential,send-email,upload-pack,receive-pack,shell',
    needsAgreement(tell('runs other programs', '会运行其他程序')),
  ),
  ...each(
    'submodule,lfs,bundle,notes,sparse-checkout,worktree,bisect',
    needsAgreement(tell('is not known to be harmless', '是否无害尚不可知')),
  ),
};

const ROOT = byVerb(REPO, { ...REFUSED, ...GIT_READING, ...CHANGING }, { apart: true });

export const gitPrograms: ProgramTable = {
  git: (call) => {
    judgeSettings(call);
    return ROOT(call);
  },
  gitk: (call): Feed => {
    call.ask(tell('starts a window', '会打开窗口'));
    return OPAQUE;
  },
};

/** Whether the first word that is no option is a verb that changes something. */
const changesSomething = (args: readonly Arg[]): boolean => {
  const verb =
    args.find(({ text }, at) => !text.startsWith('-') && !/^-[cC]$/.test(args[at - 1]?.text ?? ''))?.text ??
    '';
  return Object.keys({ ...CHANGING, ...REFUSED }).some((name) => name.split(' ')[0] === verb);
};

/** `-c key=value` in front of the verb, and a folder of somebody else. */
function judgeSettings(call: Call): void {
  for (const [at, arg] of call.args.entries()) {
    if (!arg.text.startsWith('-')) break;
    const folder = arg.text === '-C' ? call.args[at + 1] : undefined;
    if (folder && !isRelative(folder) && changesSomething(call.args.slice(at + 2)))
      call.writes({ ...folder, text: `${folder.text}/.` }, 'change');
    const setting = arg.text === '-c' ? call.args[at + 1] : undefined;
    if (setting && !isHarmlessSetting(setting))
      call.ask(
        tell(
          `changes the setting \`${setting.text.slice(0, 40)}\`, which can run a program`,
          `会改动设置 \`${setting.text.slice(0, 40)}\`,它能运行程序`,
        ),
      );
  }
}
