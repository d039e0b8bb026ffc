import { type Arg, literal, readOptions } from '../arg.ts';
import type { Call, Program, ProgramTable } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import { careful, OUTPUT_FROM_NETWORK } from './rules.ts';
import { isRelative } from './text.ts';

/** Settings that neither run a program nor change where things go. */
const HARMLESS_SETTING =
  /^(?:color\.|column\.|user\.(?:name|email|signingkey)|commit\.gpgsign|tag\.gpgsign|core\.(?:quotepath|pager=(?:cat|less)?$|abbrev|autocrlf|eol|longpaths|filemode|ignorecase|precomposeunicode|compression|preloadindex|bare)|diff\.(?:renames|renamelimit|algorithm|context|mnemonicprefix|noprefix|colormoved)|log\.|status\.|advice\.|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|merge\.(?:ff|conflictstyle|renames)|rebase\.(?:autostash|autosquash)|fetch\.(?:prune|parallel)|grep\.|blame\.|branch\.sort|tag\.sort|format\.pretty|i18n\.|http\.(?:postbuffer|version)|protocol\.version|safe\.directory|gc\.auto|stash\.show|rerere\.enabled|interactive\.singlekey|help\.autocorrect)/i;

/** Subcommands that only look. */
const READS = new Set(
  'status log show diff blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev merge-base for-each-ref show-ref show-branch grep count-objects fsck whatchanged diff-tree diff-index diff-files cherry range-diff verify-commit verify-tag var version help check-ignore check-attr check-mailmap check-ref-format merge-tree get-tar-commit-id stripspace column fmt-merge-msg ls-remote request-pull patch-id hash-object archive bundle difftool'.split(
    ' ',
  ),
);
/** Subcommands that change the working folder or its history in ways that can be undone. */
const CHANGES = new Set(
  'add commit mv init fetch pull clone merge cherry-pick revert apply am format-patch notes tag branch stash checkout switch restore reset rm clean push remote config worktree submodule rebase bisect gc reflog sparse-checkout maintenance update-index read-tree write-tree commit-tree pack-refs prune repack lfs'.split(
    ' ',
  ),
);
const GLOBAL =
  'Cc --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --list-cmds --attr-source';

const git: Program = (call) => {
  const options = readOptions(call.args, GLOBAL, true);
  for (const setting of options.values('-c')) {
    if (!setting.literal || !HARMLESS_SETTING.test(setting.text))
      call.ask(`changes the setting \`${setting.text.slice(0, 40)}\`, which can run a program`);
  }
  if (options.has('--exec-path', '--config-env', '--git-dir', '--work-tree'))
    call.ask('works with other programs or folders than usual');
  if (options.has('-p', '--paginate') && !call.piped) call.level(0);
  const [sub, ...rest] = options.operands;
  if (!sub) return OPAQUE;
  const folder = options.values('-C')[0];
  if (!sub.literal || !(READS.has(sub.text) || CHANGES.has(sub.text))) {
    call.ask(`does \`git ${sub.text.slice(0, 40)}\`, which is not on the list`);
    return OPAQUE;
  }
  careful({ ...call, args: rest });
  for (const arg of rest)
    if (/^ext::|^(?:file:\/\/)?\/proc|(?:^|=)!/.test(arg.text) || /^[a-z+]*::/.test(arg.text))
      call.ask('names a helper program');
  if (!call.piped && rest.some(({ text }) => text === '--help'))
    call.ask('opens a page that can start other programs');
  if (CHANGES.has(sub.text)) call.level(sub.text === 'fetch' ? 1 : 2);
  if (folder && !isRelative(folder) && CHANGES.has(sub.text))
    call.writes({ ...folder, text: `${folder.text}/.` }, 'change');
  return RULES[sub.text]?.(call, rest) ?? judgeRead(call, rest);
};

type Rule = (call: Call, args: readonly Arg[]) => Feed | undefined;

/** Options of looking subcommands that run or write something. */
const judgeRead: Rule = (call, args) => {
  const options = readOptions(
    args,
    'nSGLOoC --grep --author --since --until --format --pretty --output --open-files-in-pager --diff-filter --exec --remote --upload-pack --extcmd --tool',
  );
  for (const file of options.values('--output')) call.writes(file, 'change');
  if (
    options.has(
      '--ext-diff',
      '--textconv',
      '--open-files-in-pager',
      '--exec',
      '--upload-pack',
      '--extcmd',
      '--tool',
      '-x',
      '--filters',
      '--receive-pack',
    )
  )
    call.ask('runs another program');
  if (
    [...options.flags].some((flag) => /^-O./.test(flag)) ||
    (options.flags.has('-O') && call.args.some(({ text }) => text === 'grep'))
  )
    call.ask('runs another program');
  for (const operand of options.operands) if (/^[/~]/.test(operand.text)) call.reads(operand);
  return OPAQUE;
};

const force = (args: readonly Arg[]) =>
  args.some(({ text }) => /^-[a-zA-Z]*f/.test(text) && !text.startsWith('--')) ||
  args.some(({ text }) => text.startsWith('--force'));

const push: Rule = (call, args) => {
  const options = readOptions(args, 'o --push-option --receive-pack --exec --repo --recurse-submodules');
  call.outward({ sends: false });
  if (options.has('--receive-pack', '--exec')) call.ask('runs another program');
  if (options.flags.has('--dry-run') || options.flags.has('-n')) return OPAQUE;
  const [remote, ...refs] = options.operands;
  if (
    force(args) ||
    options.has('--mirror', '--delete', '-d', '--prune', '--all') ||
    refs.some(({ text }) => /^[+:]/.test(text))
  )
    call.ask('overwrites or deletes what others have');
  if (remote && /[:/]/.test(remote.text)) call.ask('sends the project to another place than usual');
  if (options.has('--no-verify')) call.ask('skips the checks');
  return OPAQUE;
};

const fetches: Rule = (call, args) => {
  const options = readOptions(
    args,
    'ubcjo --upload-pack --branch --config --depth --template --reference --origin --jobs --filter --server-option --separate-git-dir --strategy',
  );
  call.outward();
  if (
    options.has('--upload-pack', '--template', '-u', '--separate-git-dir') &&
    !(call.args[0]?.text === 'pull' && options.flags.has('-u'))
  )
    call.ask('runs another program');
  for (const setting of options.values('-c', '--config'))
    if (!HARMLESS_SETTING.test(setting.text))
      call.ask(`changes the setting \`${setting.text.slice(0, 40)}\``);
  if (options.has('--force', '-f')) call.ask('overwrites local branches');
  return OUTPUT_FROM_NETWORK;
};

const clone: Rule = (call, args) => {
  fetches(call, args);
  const options = readOptions(
    args,
    'ubcjo --upload-pack --branch --config --depth --template --reference --origin --jobs --filter',
  );
  const [url, folder] = options.operands;
  if (options.has('--recurse-submodules', '--recursive')) call.ask('fetches and sets up other projects too');
  if (url && url.text.startsWith('-')) call.ask('may hide an option');
  if (folder) call.writes(folder, 'create');
  else if (url)
    call.writes(
      {
        ...url,
        text:
          url.text
            .replace(/\/+$/, '')
            .replace(/^.*[/:]/, '')
            .replace(/\.git$/, '') || 'x',
      },
      'create',
    );
  return OPAQUE;
};

const checkout: Rule = (call, args) => {
  const words = args.map(({ text }) => text);
  const dashes = words.indexOf('--');
  if (force(args) || words.some((word) => /^--(?:discard-changes|ours|theirs|merge|overwrite)/.test(word)))
    call.ask('throws away changes that are not committed');
  if (words.some((word) => /^-[BC]$/.test(word))) call.ask('moves a branch');
  const makes = words.some((word) => /^-(?:b|c)$|^--(?:create|orphan|detach)$|^-d$/.test(word));
  if (
    !makes &&
    (dashes >= 0 ||
      words.some((word) => /^(?:\.|\.\/|\*|:\/|:\(top\).*)$/.test(word)) ||
      words.some((word) => /^--pathspec|^-p$|^--patch$/.test(word)))
  )
    call.ask('throws away changes that are not committed');
  // `git checkout branch file` and `git checkout file.ts` overwrite the file.
  const operands = words.filter((word) => !word.startsWith('-'));
  if (
    !makes &&
    (operands.length > 1 || operands.some((word) => /\.[a-z]{1,4}$/.test(word) && !/^v?\d/.test(word)))
  )
    call.ask('throws away changes that are not committed');
  return OPAQUE;
};

const restore: Rule = (call, args) => {
  const options = readOptions(args, 's --source --pathspec-from-file');
  const staged = options.has('--staged', '-S');
  if (!staged || options.has('--worktree', '-W')) call.ask('throws away changes that are not committed');
  return OPAQUE;
};

const reset: Rule = (call, args) => {
  if (readOptions(args).has('--hard', '--merge', '--keep'))
    call.ask('throws away changes that are not committed');
  return OPAQUE;
};

const clean: Rule = (call, args) => {
  const options = readOptions(args, 'e --exclude');
  if (!options.flags.has('-n') && !options.flags.has('--dry-run'))
    call.ask('deletes files that are not committed');
  return OPAQUE;
};

const branch: Rule = (call, args) => {
  const options = readOptions(args, 'u --set-upstream-to --format --sort --contains --points-at');
  if (
    options.flags.has('-D') ||
    options.flags.has('-M') ||
    options.flags.has('-C') ||
    options.has('--force') ||
    options.flags.has('-f')
  )
    call.ask('deletes or moves a branch even if commits are lost');
  if (options.has('--edit-description')) call.ask('starts an editor');
  if (options.operands.length === 0) call.level(0);
  return OPAQUE;
};

const stash: Rule = (call, args) => {
  const verb = args.find(({ text }) => !text.startsWith('-'))?.text ?? 'push';
  if (/^(?:drop|clear)$/.test(verb)) call.ask('deletes changes that were put aside');
  return OPAQUE;
};

const tag: Rule = (call, args) => {
  const options = readOptions(args, 'mFunl --message --file --sort --format --points-at --contains');
  if (options.has('-d', '--delete', '-f', '--force')) call.ask('deletes or moves a tag');
  return OPAQUE;
};

const remote: Rule = (call, args) => {
  const options = readOptions(args, 'tm');
  const verb = options.operands[0]?.text;
  if (verb === undefined || /^(?:show|get-url)$/.test(verb)) {
    call.level(0);
    return OPAQUE;
  }
  if (!/^(?:update|prune)$/.test(verb)) call.ask('changes where the project is sent and fetched');
  return OPAQUE;
};

const config: Rule = (call, args) => {
  const options = readOptions(
    args,
    'f --file --blob --get --get-all --get-regexp --get-urlmatch --type --default --unset --unset-all --add --replace-all --rename-section --remove-section',
  );
  const verb = options.operands[0]?.text ?? '';
  const reads =
    options.has('--get', '--get-all', '--get-regexp', '--get-urlmatch', '--list', '-l') ||
    /^(?:list|get)$/.test(verb);
  if (
    reads ||
    (options.operands.length === 1 &&
      options.values('--unset', '--add').length === 0 &&
      !options.has('-e', '--edit', '--unset-all', '--remove-section', '--rename-section') &&
      verb.includes('.'))
  ) {
    if (/token|password|credential|extraheader/i.test(args.map(({ text }) => text).join(' ')))
      call.showsPrivate('shows a credential');
    return OPAQUE;
  }
  const key = verb === 'set' ? (options.operands[1]?.text ?? '') : verb;
  const value = (verb === 'set' ? options.operands[2] : options.operands[1]) ?? literal('');
  if (options.has('--global', '--system', '--file', '-f', '-e', '--edit'))
    call.ask('changes settings beyond this project');
  if (!HARMLESS_SETTING.test(key) || !value.literal) call.ask(`changes the setting \`${key}\``);
  return OPAQUE;
};

const worktree: Rule = (call, args) => {
  const verb = args[0]?.text;
  if (verb === 'list') call.level(0);
  else if (verb === 'remove' || verb === 'move' || force(args)) call.ask('removes a working folder');
  else if (verb === 'add') {
    const path = readOptions(args.slice(1), 'bB').operands[0];
    if (path) call.writes(path, 'create');
  }
  return OPAQUE;
};

const submodule: Rule = (call, args) => {
  const verb = args.find(({ text }) => !text.startsWith('-'))?.text;
  if (verb === 'foreach') call.runsScript(args.at(-1) ?? literal(''), { deferred: true });
  if (verb !== undefined && verb !== 'status' && verb !== 'summary')
    call.ask('changes other projects within this one');
  return OPAQUE;
};

const rebase: Rule = (call, args) => {
  const options = readOptions(args, 'xsX --exec --onto --strategy');
  for (const script of options.values('-x', '--exec')) call.runsScript(script);
  if (options.has('-x', '--exec', '-i', '--interactive', '--edit-todo'))
    call.ask('runs commands or starts an editor');
  return OPAQUE;
};

const bisect: Rule = (call, args) => {
  const [verb, ...rest] = args;
  if (verb?.text === 'run') {
    call.runs(rest);
    call.ask('runs a command on many versions');
  }
  return OPAQUE;
};

const asksFor =
  (pattern: RegExp, why: string): Rule =>
  (call, args) => {
    if (args.some(({ text }) => pattern.test(text))) call.ask(why);
    return OPAQUE;
  };

const RULES: Readonly<Record<string, Rule>> = {
  push,
  fetch: fetches,
  pull: fetches,
  'ls-remote': fetches,
  clone,
  checkout,
  switch: checkout,
  restore,
  reset,
  clean,
  branch,
  stash,
  tag,
  remote,
  config,
  worktree,
  submodule,
  rebase,
  bisect,
  gc: asksFor(/^--(?:prune|aggressive)/, 'deletes what is no longer referred to'),
  prune: (call) => (call.ask('deletes what is no longer referred to'), OPAQUE),
  repack: (call) => (call.ask('rewrites the store of the project'), OPAQUE),
  reflog: asksFor(/^(?:expire|delete)$/, 'deletes the record of lost commits'),
  rm: (call, args) => {
    if (force(args)) call.ask('deletes files even if they are changed');
    for (const file of readOptions(args).operands)
      call.writes(file, readOptions(args).has('--cached') ? 'change' : 'delete');
    return OPAQUE;
  },
  commit: (call, args) => {
    const options = readOptions(
      args,
      'mFCct --message --file --author --date --template --fixup --squash --trailer',
    );
    for (const file of options.values('-F', '--file')) call.reads(file);
    if (options.has('--no-verify') || options.flags.has('-n')) call.ask('skips the checks');
    return OPAQUE;
  },
  apply: asksFor(/^--(?:directory|unsafe-paths)/, 'writes outside of the project'),
  am: asksFor(/^--directory/, 'writes outside of the project'),
  merge: asksFor(/^(?:-s|--strategy)/, 'uses a strategy of its own'),
  lfs: asksFor(/^(?:prune|migrate|uninstall)$/, 'rewrites the history'),
  maintenance: (call) => (call.ask('sets up jobs that run later'), OPAQUE),
  init: (call, args) => {
    const options = readOptions(args, 'b --template --separate-git-dir --initial-branch');
    if (options.has('--template', '--separate-git-dir')) call.ask('takes hooks from elsewhere');
    for (const folder of options.operands) call.writes(folder, 'create');
    return OPAQUE;
  },
  'format-patch': (call, args) => {
    for (const folder of readOptions(args, 'o --output-directory').values('-o', '--output-directory'))
      call.writes(folder, 'create');
    return OPAQUE;
  },
  difftool: (call) => (call.ask('runs another program'), OPAQUE),
  archive: (call, args) => {
    const options = readOptions(args, 'o --output --format --prefix --exec --remote');
    if (options.has('--exec', '--remote')) call.ask('runs another program');
    for (const file of options.values('-o', '--output')) call.writes(file, 'change');
    return OPAQUE;
  },
  bundle: asksFor(/^(?:create|unbundle)$/, 'writes a file'),
  'hash-object': asksFor(/^-w$/, 'writes into the store of the project'),
  'update-index': (call) => (call.ask('changes the index directly'), OPAQUE),
  'read-tree': (call) => (call.ask('changes the index directly'), OPAQUE),
  help: (call) => {
    if (!call.piped) call.ask('opens a page that can start other programs');
    return OPAQUE;
  },
};

export const gitPrograms: ProgramTable = {
  git,
  gitk: (call) => (call.ask('starts a window'), OPAQUE),
};
