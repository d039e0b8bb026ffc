import { tell, type Text } from '#kit/text';
import type { Arg } from './arg.ts';
import type { Assigned } from './words.ts';

/** What setting a variable amounts to. */
export interface AssignmentFault {
  readonly verdict: 'ask' | 'deny';
  readonly why: Text;
}

const DENIED: readonly (readonly [RegExp, Text])[] = [
  [/^HERMES_/, tell('changes a switch of Hermes itself', '会改动 Hermes 自身的开关')],
  [
    /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|DYLD_FRAMEWORK_PATH|DYLD_LIBRARY_PATH)$/,
    tell('loads foreign code into every program', '会把外来代码加载进每个程序'),
  ],
];

/**
 * Variables that are known to choose no program, no library and no file with settings, whatever their value. Every other
 * variable that reaches a program asks: a name says nothing about what a program makes of it.
 */
const KNOWN = new RegExp(
  `^(?:${[
    'IFS|LANG|LANGUAGE|LC_[A-Z]+|TZ|COLUMNS|LINES|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|CI|DEBIAN_FRONTEND',
    'DEBUG|VERBOSE|LOG_LEVEL|PORT|HOST|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|FLASK_ENV|MIX_ENV|ENVIRONMENT',
    'NODE_NO_WARNINGS|NODE_DEBUG|NODE_TLS_MIN_VERSION|UV_THREADPOOL_SIZE',
    'PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONHASHSEED|PYTHONUTF8|PYTHONIOENCODING|PYTHONFAULTHANDLER|PYTHONNOUSERSITE',
    'RUST_LOG|RUST_BACKTRACE|CARGO_TERM_COLOR|CARGO_INCREMENTAL|CARGO_NET_OFFLINE|CGO_ENABLED|GOOS|GOARCH|GOMAXPROCS|GO111MODULE|GOMEMLIMIT|GOGC',
    'GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|GIT_MERGE_AUTOEDIT|GIT_CURL_VERBOSE|GIT_LFS_SKIP_SMUDGE',
    'PGHOST|PGPORT|PGUSER|PGDATABASE|PGAPPNAME|PGCONNECT_TIMEOUT|PGTZ|PGCLIENTENCODING|PGSSLMODE|PGPASSWORD|MYSQL_PWD|REDISCLI_AUTH',
    'AWS_PROFILE|AWS_REGION|AWS_DEFAULT_REGION|AWS_DEFAULT_OUTPUT|AWS_MAX_ATTEMPTS|CLOUDSDK_CORE_PROJECT|CLOUDSDK_COMPUTE_ZONE',
    'TF_IN_AUTOMATION|TF_INPUT|TF_LOG|COMPOSE_PROJECT_NAME|DOCKER_BUILDKIT|BUILDKIT_PROGRESS|KUBE_NAMESPACE|ETCDCTL_API',
    'BLOCKSIZE|BLOCK_SIZE|TIMEFORMAT|POSIXLY_CORRECT|GREP_COLOR|GREP_COLORS|LS_COLORS|TIME_STYLE|SOURCE_DATE_EPOCH|JOBS|OMP_NUM_THREADS|MAKELEVEL',
  ].join('|')})$`,
);

/** Variables of the shell itself, or ones that every program inherits once they are set: a bare assignment reaches them. */
const INHERITED =
  /^(?:LD_\w+|DYLD_\w+|BASH_\w+|ENV|ZDOTDIR|SHELL\w*|PROMPT_COMMAND|PS[0-4]|CDPATH|GLOBIGNORE|EXECIGNORE|FIGNORE|HIST\w+|FCEDIT|MAILPATH|INPUTRC|TERMINFO\w*|TERMCAP|HOME|XDG_\w+|(?:https?|all|ftp|no)_proxy|(?:HTTPS?|ALL|FTP|NO)_PROXY|GIT_\w+|SSH_\w+|SUDO_\w+|PYTHON\w+|PERL\w+|RUBY\w+|NODE_\w+|npm_\w+|NPM_\w+|JAVA_\w+|KUBECONFIG|DOCKER_\w+|AWS_\w+|OPENSSL_\w+|SSL\w+|KRB5\w*|LESS\w*|MAN\w+|MORE|EXINIT|VIMINIT|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS|IFS_SH|POSIXLY_CORRECT_SH|TAR_OPTIONS|GREP_OPTIONS|RES_OPTIONS|HOSTALIASES|LOCPATH|NLSPATH|GCONV_PATH|MALLOC_\w+|GLIBC_TUNABLES)$/;

/** Programs to show or edit text with. Only those that do nothing else are taken. */
const VIEWERS =
  /^(?:PAGER|MANPAGER|GIT_PAGER|AWS_PAGER|SYSTEMD_PAGER|DELTA_PAGER|BAT_PAGER|GH_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|BROWSER|DIFFPROG)$/;
const HARMLESS_VIEWERS = /^(?:|cat|true|:|less|less -[A-Za-z]+|more|head|vi|vim|nano|code --wait)$/;
const NODE_FLAGS =
  /^(?:--(?:max-old-space-size|max-semi-space-size|max-http-header-size|stack-size|trace-[a-z-]+|no-[a-z-]+|enable-source-maps|experimental-(?!loader|default-type|policy)[a-z-]+|preserve-symlinks|throw-deprecation|unhandled-rejections|dns-result-order|openssl-legacy-provider|expose-gc|conditions)(?:=[\w.-]+)?)$/;
const PATH_ENTRY =
  /^(?:\$PATH|\$\{PATH\}|\/(?:usr|bin|sbin)(?:\/[\w.+/-]*)?|\/(?:opt\/homebrew|snap|nix\/var\/nix\/profiles\/default)\/bin|(?:\/~|\$PWD|\$\(pwd\)|\.)?\/?(?:[\w./-]*\/)?(?:node_modules\/\.bin|\.?venv\/bin)|\/~\/(?:\.local\/bin|\.cargo\/bin|go\/bin|bin|\.bun\/bin|\.deno\/bin|\.pyenv\/\w+|\.volta\/bin|\.nvm\/[\w./-]+))$/;

/**
 * Whether putting this value into this variable needs a person, or must not be. `reaches`: a program gets it, as against a
 * variable that only the shell knows.
 */
export function assignmentFault({ name, value }: Assigned, reaches = true): AssignmentFault | undefined {
  const setting = ({ en, zh }: Text) => tell(`setting ${name} ${en}`, `设置 ${name} ${zh}`);
  for (const [pattern, why] of DENIED) {
    if (pattern.test(name)) return { verdict: 'deny', why: setting(why) };
  }
  const ask = (why: Text): AssignmentFault => ({ verdict: 'ask', why: setting(why) });
  if (/\w\[[^\]]*(?:\$\(|`)/.test(value.text) && value.literal)
    return ask(tell('plants code that arithmetic would run', '会埋下由算术求值运行的代码'));
  if (name === 'PATH')
    return changesPath(value)
      ? ask(tell('changes where programs are found', '会改变查找程序的位置'))
      : undefined;
  if (name === 'NODE_OPTIONS') {
    const harmless =
      value.literal && value.text.split(/\s+/).every((flag) => flag === '' || NODE_FLAGS.test(flag));
    return harmless
      ? undefined
      : ask(tell('can load code into every Node program', '可把代码加载进每个 Node 程序'));
  }
  if (/^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/.test(name)) {
    const harmless =
      value.literal &&
      value.text
        .split(/\s+/)
        .every((flag) => /^-(?:Xm[sx]\w+|D[\w.]+=[\w./-]*|XX:[\w:=+-]+|ea)?$/.test(flag));
    return harmless
      ? undefined
      : ask(tell('can load code into every Java program', '可把代码加载进每个 Java 程序'));
  }
  if (VIEWERS.test(name)) {
    return value.literal && HARMLESS_VIEWERS.test(value.text)
      ? undefined
      : ask(tell('chooses a program to run', '会选定要运行的程序'));
  }
  if (name === 'PYTHONPATH')
    return /(?:^|:)(?:\/tmp|\/var\/tmp|\/dev\/shm)/.test(value.text) || !value.literal
      ? ask(tell('adds code', '会加入代码'))
      : undefined;
  if (/^(?:CC|CXX|LD|AR|SHELL_PATH)$/.test(name))
    return /^[\w+.-]+$/.test(value.text)
      ? undefined
      : ask(tell('chooses a program to run', '会选定要运行的程序'));
  if (name === 'GOFLAGS')
    return /^(?:-(?:mod=(?:mod|vendor|readonly)|count=\d+|v|race|short|trimpath)\s*)*$/.test(value.text)
      ? undefined
      : ask(tell('chooses a program to run', '会选定要运行的程序'));
  // Where a path can stand for a switch, a file is written or read.
  if (KNOWN.test(name) && !/^[/~.]|:\/\//.test(value.text)) return undefined;
  if (KNOWN.test(name) && /^(?:TZ|LANG|LC_\w+|PG\w+|HOST|AWS_\w+)$/.test(name) && !/^[/~]/.test(value.text))
    return undefined;
  if (reaches)
    return ask(
      tell('is not known to be harmless for the programs that get it', '对得到它的程序是否无害尚不可知'),
    );
  return INHERITED.test(name)
    ? ask(tell('can make other programs do something else', '可使其他程序改变行为'))
    : undefined;
}

function changesPath(value: Arg): boolean {
  if (value.feed?.network || value.feed?.decoded) return true;
  return value.text.split(':').some((entry) => !PATH_ENTRY.test(entry));
}
