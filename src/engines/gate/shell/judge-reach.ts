import { say, tell, type Text } from '#kit/text';
import { type Arg, literal } from './arg.ts';
import type { Findings } from './judgement.ts';
import type { Ground } from './paths.ts';

/** Programs that make nothing of a folder but its name or a list of names. */
const SHALLOW = new Set(
  `ls dir vdir stat cd pushd popd test [ [[ pwd cat head tail wc tr cut sort uniq awk gawk mawk sed nl tac rev paste
   column join comm fold fmt od xxd hexdump base64 base32 md5sum sha1sum sha256sum sha512sum cksum file df dirname
   basename realpath readlink mkdir rmdir touch mktemp`.split(/\s+/),
);

/** Programs that open no file that their words may name, or whose words are judged as a command of their own. */
const DEAF = new Set(
  `ls stat cd pushd echo printf test [ [[ : true false exit return break continue shift export local declare typeset readonly unset set
   read let trap wait kill sleep seq expr date basename dirname tr type which hash umask`.split(/\s+/),
);

/** What only runs another command: that one is judged by itself. */
const WRAPPERS = new Set(
  `env sudo nice ionice nohup setsid stdbuf time timeout command builtin exec eval xargs sh bash dash zsh ksh busybox
   watch`.split(/\s+/),
);

/** Programs that look through the folder that they are started in when no other is named. */
const ROAMING = new Set('rg ag ack find fd fdfind git du ctags cloc tokei'.split(' '));

/** Options with which a program follows the links that it comes across. */
const FOLLOWS: Readonly<Record<string, readonly string[]>> = {
  grep: ['-R', '--dereference-recursive'],
  egrep: ['-R', '--dereference-recursive'],
  fgrep: ['-R', '--dereference-recursive'],
  rg: ['-L', '--follow'],
  fd: ['-L', '--follow'],
  fdfind: ['-L', '--follow'],
  find: ['-L', '-follow'],
  ag: ['-f', '--follow'],
  tar: ['-h', '--dereference'],
  diff: ['-r', '--recursive'],
};

/** Judges where the words of a command lead, on a machine where nothing hides the files of Hermes. */
export function judgeReach(
  name: string,
  args: readonly Arg[],
  ground: Ground,
  findings: Findings,
  { shown, piped }: { readonly shown: string; readonly piped: boolean },
): void {
  const { watch } = findings;
  if (!watch || WRAPPERS.has(name)) return;
  for (const arg of args) {
    const reach = watch(arg, ground);
    const hidden = reach !== 'inside' && pathsIn(arg).some((path) => watch(path, ground) === 'inside');
    if ((reach === 'inside' && !arg.glob) || hidden)
      findings.report(
        'deny',
        tell(
          `${shown} reaches for what belongs to Hermes itself.`,
          `${shown} 会触及属于 Hermes 自身的内容。`,
        ),
      );
    else if (reach === 'inside' || (reach === 'around' && !isShallow(name, args, piped)))
      findings.report(
        'ask',
        tell(
          `${shown} may read what belongs to Hermes itself, and no sandbox hides it.`,
          `${shown} 可能读取属于 Hermes 自身的内容,且没有沙箱遮挡。`,
        ),
      );
    else if (reach === 'unknown' && !DEAF.has(name))
      findings.report(
        'ask',
        tell(
          `${shown}: what it reads cannot be told beforehand, and no sandbox hides anything.`,
          `${shown}:读取的内容无法事先得知,且没有沙箱遮挡。`,
        ),
      );
  }
  const here = watch(literal('.'), ground);
  if (here !== undefined && roams(name, args))
    findings.report(
      'ask',
      tell(
        `${shown} looks through a folder in which what belongs to Hermes itself may lie.`,
        `${shown} 会翻看可能存有 Hermes 自身内容的目录。`,
      ),
    );
  const old = name === 'tar' && /^[a-zA-Z]*h/.test(args[0]?.text ?? '');
  if (old || (FOLLOWS[name] ?? []).some((option) => args.some(({ text }) => isGiven(option, text))))
    findings.report(
      'ask',
      tell(`${shown} follows links out of the working folder.`, `${shown} 会顺着链接走出工作目录。`),
    );
}

/** Judges a file that is read by another way than as a word. */
export function judgeReachOfFile(path: Arg, ground: Ground, findings: Findings, who: Text | string): void {
  const reach = findings.watch?.(path, ground);
  if (reach === 'inside' && !path.glob)
    findings.report(
      'deny',
      tell(
        `${say(who, 'en')} reaches for what belongs to Hermes itself.`,
        `${say(who, 'zh')} 会触及属于 Hermes 自身的内容。`,
      ),
    );
  else if (reach === 'inside')
    findings.report(
      'ask',
      tell(
        `${say(who, 'en')} may read what belongs to Hermes itself.`,
        `${say(who, 'zh')} 可能读取属于 Hermes 自身的内容。`,
      ),
    );
}

/** An option by itself, or a letter among others. */
const isGiven = (option: string, text: string): boolean =>
  text === option ||
  (/^-[A-Za-z]$/.test(option) && /^-[A-Za-z]+$/.test(text) && text.includes(option[1] ?? ''));

const MOST_PATHS = 40;

/** Paths that stand in the middle of a word, as in the code of another language: `r../x`, `open("../x")`. */
function pathsIn({ text }: Arg): Arg[] {
  const found = text.length > 20_000 ? [] : (text.match(/[\w.~@+-]*\/[\w./@~+-]*/g) ?? []);
  return found
    .slice(0, MOST_PATHS)
    .flatMap((path) => [path, path.slice(Math.max(0, path.search(/\.\.\/|\//)))])
    .filter((path) => path !== text)
    .map(literal);
}

/** What is printed into another command may be a path to it. */
function isShallow(name: string, args: readonly Arg[], piped: boolean): boolean {
  if (name === 'echo' || name === 'printf') return !piped;
  return SHALLOW.has(name) && !(name === 'ls' && args.some(({ text }) => /^-[a-zA-Z]*R|^--rec/.test(text)));
}

const roams = (name: string, args: readonly Arg[]): boolean =>
  ROAMING.has(name) ||
  (name.endsWith('grep') &&
    args.some(({ text }) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive/.test(text)));
