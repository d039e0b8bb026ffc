import type { Arg } from './arg.ts';
import type { Assigned } from './words.ts';

/** What setting a variable amounts to. */
export interface AssignmentFault {
  readonly verdict: 'ask' | 'deny';
  readonly why: string;
}

const DENIED: readonly (readonly [RegExp, string])[] = [
  [/^HERMES_/, 'changes a switch of Hermes itself'],
  [
    /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|DYLD_FRAMEWORK_PATH|DYLD_LIBRARY_PATH)$/,
    'loads foreign code into every program',
  ],
];

/** Variables that choose a program, a library or a start-up file. */
const ASKED =
  /^(?:LD_\w+|DYLD_\w+|GLIBC_TUNABLES|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|RES_OPTIONS|GETCONF_DIR|MALLOC_TRACE|BASH_ENV|ENV|ZDOTDIR|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|BASH_LOADABLES_PATH|PROMPT_COMMAND|PS0|PS1|PS2|PS4|SHELL|CDPATH|GLOBIGNORE|EXECIGNORE|FIGNORE|HISTFILE|FCEDIT|MAILPATH|INPUTRC|TERMINFO|TERMINFO_DIRS|TERMCAP|LESSOPEN|LESSCLOSE|LESSKEY|MANOPT|GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT|TRACE|PAGER|EDITOR|SEQUENCE_EDITOR|OPTIONAL_LOCKS|MERGE_AUTOEDIT|CURL_VERBOSE|LFS_SKIP_SMUDGE|DISCOVERY_ACROSS)\w+|SSH_ASKPASS\w*|SUDO_\w+|RSYNC_\w+|CVS_RSH|SVN_SSH|PYTHONSTARTUP|PYTHONHOME|PYTHONINSPECT|PYTHONWARNINGS|PYTHONBREAKPOINT|PYTHONUSERBASE|PYTHONEXECUTABLE|PYTHONPLATLIBDIR|PERL5\w+|PERLLIB|PERLIO_DEBUG|RUBYOPT|RUBYLIB|RUBYSHELL|GEM_\w+|BUNDLE_GEMFILE|NODE_PATH|NODE_REPL_EXTERNAL_MODULE|PHPRC|PHP_INI_SCAN_DIR|LUA_INIT\w*|LUA_\w*PATH|TCLLIBPATH|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|ANT_OPTS|JAVA_HOME|RUSTC|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTDOC|CARGO_BUILD_RUSTC\w*|CARGO_TARGET_\w+_(?:RUNNER|LINKER)|MAKEFLAGS|GNUMAKEFLAGS|MFLAGS|MAKEFILES|CONFIG_SHELL|CMAKE_\w*LAUNCHER|GOROOT|GOTOOLDIR|GOENV|GOPROXY|GONOSUMDB|GOSUMDB|GOINSECURE|npm_config_.*|NPM_CONFIG_.*|YARN_\w+|PIP_\w+|UV_(?:INDEX\w*|DEFAULT_INDEX|EXTRA\w*|FIND_LINKS)|HOMEBREW_\w+|DOCKER_HOST|DOCKER_CONFIG|CONTAINER_HOST|KUBE_EDITOR|KUBECTL_EXTERNAL_DIFF|(?:https?|all|ftp)_proxy|(?:HTTPS?|ALL|FTP)_PROXY|CURL_HOME|WGETRC|SYSTEM_WGETRC|OPENSSL_CONF|OPENSSL_ENGINES|OPENSSL_MODULES|SSLKEYLOGFILE|KRB5_CONFIG|AWS_CONFIG_FILE|AWS_ENDPOINT_URL\w*|TMUX_TMPDIR|XDG_CONFIG_(?:HOME|DIRS)|XDG_DATA_(?:HOME|DIRS)|GTK_MODULES|GTK_PATH|QT_PLUGIN_PATH|DEBUGINFOD_URLS|PKEXEC_UID|POSIXLY_CORRECT_SH|HOME|IFS_SH|TAR_OPTIONS|GREP_OPTIONS|ZIPOPT|UNZIP|GZIP|XZ_OPT|LESS|MORE|EXINIT|VIMINIT|GVIMINIT|MYVIMRC|ANSIBLE_\w+|TF_CLI_CONFIG_FILE|TF_CLI_ARGS\w*|HELM_PLUGINS|ELECTRON_RUN_AS_NODE|BUN_OPTIONS|DENO_\w+)$/;

/** Programs to show or edit text with. Only those that do nothing else are taken. */
const VIEWERS =
  /^(?:PAGER|MANPAGER|GIT_PAGER|AWS_PAGER|SYSTEMD_PAGER|DELTA_PAGER|BAT_PAGER|GH_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_SEQUENCE_EDITOR|BROWSER|DIFFPROG)$/;
const HARMLESS_VIEWERS = /^(?:|cat|true|:|less|less -[A-Za-z]+|more|head|vi|vim|nano|code --wait)$/;
const NODE_FLAGS =
  /^(?:--(?:max-old-space-size|max-semi-space-size|max-http-header-size|stack-size|trace-[a-z-]+|no-[a-z-]+|enable-source-maps|experimental-(?!loader|default-type|policy)[a-z-]+|preserve-symlinks|throw-deprecation|unhandled-rejections|dns-result-order|openssl-legacy-provider|expose-gc|conditions)(?:=[\w.-]+)?)$/;
const PATH_ENTRY =
  /^(?:\$PATH|\$\{PATH\}|\/(?:usr|bin|sbin|opt|nix|snap)(?:\/[\w.+/-]*)?|(?:\/~|\$PWD|\$\(pwd\)|\.)?\/?(?:[\w./-]*\/)?(?:node_modules\/\.bin|\.?venv\/bin)|\/~\/(?:\.local\/bin|\.cargo\/bin|go\/bin|bin|\.bun\/bin|\.deno\/bin|\.pyenv\/\w+|\.volta\/bin|\.nvm\/[\w./-]+))$/;

/** Whether putting this value into this variable needs a person, or must not be. */
export function assignmentFault({ name, value }: Assigned): AssignmentFault | undefined {
  for (const [pattern, why] of DENIED) {
    if (pattern.test(name)) return { verdict: 'deny', why: `setting ${name} ${why}` };
  }
  const ask = (why: string): AssignmentFault => ({ verdict: 'ask', why: `setting ${name} ${why}` });
  if (/\w\[[^\]]*(?:\$\(|`)/.test(value.text) && value.literal)
    return ask('plants code that arithmetic would run');
  if (name === 'PATH') return changesPath(value) ? ask('changes where programs are found') : undefined;
  if (name === 'NODE_OPTIONS') {
    const harmless =
      value.literal && value.text.split(/\s+/).every((flag) => flag === '' || NODE_FLAGS.test(flag));
    return harmless ? undefined : ask('can load code into every Node program');
  }
  if (/^(?:JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS)$/.test(name)) {
    const harmless =
      value.literal &&
      value.text
        .split(/\s+/)
        .every((flag) => /^-(?:Xm[sx]\w+|D[\w.]+=[\w./-]*|XX:[\w:=+-]+|ea)?$/.test(flag));
    return harmless ? undefined : ask('can load code into every Java program');
  }
  if (VIEWERS.test(name)) {
    return value.literal && HARMLESS_VIEWERS.test(value.text) ? undefined : ask('chooses a program to run');
  }
  if (name === 'PYTHONPATH')
    return /(?:^|:)(?:\/tmp|\/var\/tmp|\/dev\/shm)/.test(value.text) || !value.literal
      ? ask('adds code')
      : undefined;
  if (/^(?:CC|CXX|LD|AR|SHELL_PATH)$/.test(name))
    return /^[\w+.-]+$/.test(value.text) ? undefined : ask('chooses a program to run');
  if (name === 'GOFLAGS' || name === 'RUSTFLAGS')
    return /exec|linker|vettool|wrapper/.test(value.text) ? ask('chooses a program to run') : undefined;
  return ASKED.test(name) ? ask('can make other programs do something else') : undefined;
}

function changesPath(value: Arg): boolean {
  if (value.feed?.network || value.feed?.decoded) return true;
  return value.text.split(':').some((entry) => !PATH_ENTRY.test(entry));
}
