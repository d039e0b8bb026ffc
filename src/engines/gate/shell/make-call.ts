import { tell, type Text } from '#kit/text';
import type { Arg } from './arg.ts';
import { type Around, copyShell } from './around.ts';
import type { Call, Change, RunOptions } from './call.ts';
import { judgeCode } from './code/judge-code.ts';
import { EMPTY, type Feed, OPAQUE } from './feed.ts';
import { judgeRead, judgeWrite } from './file-rules.ts';
import { judgeHost } from './host-rules.ts';
import type { Findings } from './judgement.ts';
import { type Ground, resolvePath, zoneOf } from './paths.ts';
import { PROGRAMS } from './programs/index.ts';
import { DEEPEST } from './walk.ts';

/** What surrounds the judging of one command. */
export interface Bench {
  readonly findings: Findings;
  runText(text: string, around: Around): Feed;
  runWords(first: Arg, rest: readonly Arg[], around: Around): Feed;
}

/** What the rule of a program has said, as far as it matters when the rule is through. */
export interface Effects {
  isPrivate: boolean;
  sends: boolean;
  talks: boolean;
  connects: boolean;
}

export interface Subject {
  readonly name: string;
  readonly args: readonly Arg[];
  readonly where: Around;
  readonly shown: string;
}

export const groundOf = (findings: Findings, where: Around): Ground => ({
  workspace: where.elsewhere ? '/@elsewhere' : findings.workspace,
  cwd: where.shell.cwd,
});

/** The view that a program's rule has of its command. */
export function makeCall(subject: Subject, bench: Bench, effects: Effects): Call {
  const { name, args, where, shown } = subject;
  const { findings } = bench;
  const ground = groundOf(findings, where);
  const does = ({ en, zh }: Text) => tell(`${shown} ${en}.`, `${shown} ${zh}。`);
  const ask = (why: Text) => findings.report('ask', does(why));
  const deny = (why: Text) => findings.report('deny', does(why));
  const runner = makeRunner(subject, bench, ground, { ask, deny });
  const call: Call = {
    name,
    args,
    stdin: where.stdin,
    ground,
    piped: where.piped,
    shown,
    level: (level) => findings.raise(level),
    ask,
    deny,
    reads: (path) => {
      if (judgeRead(path, ground, findings, shown)) effects.isPrivate = true;
    },
    writes: (path, change) => {
      if (path.piped) return;
      judgeWrite(path, change, ground, findings, shown);
      keepWritten(path, change, ground, findings, effects.talks || where.stdin.network);
    },
    outward: (options) => {
      findings.outward = true;
      effects.talks = true;
      if (options?.sends) effects.sends = true;
      for (const arg of args) judgeHost(arg, shown, findings);
    },
    connects: () => {
      effects.connects = true;
    },
    showsPrivate: (why) => {
      effects.isPrivate = true;
      findings.readsPrivate = true;
      findings.raise(3);
      ask(why);
    },
    ...runner,
    runsCode: (language, code) => {
      findings.runsCode ||= language !== 'awk' && language !== 'sql';
      findings.raise(findings.watch && OPENS_FILES.test(code.text) ? 2 : 1);
      const feed = code.feed ?? code.piped;
      if (feed?.network || feed?.decoded)
        deny(tell(`runs code that was ${origin(feed).en}`, `会运行${origin(feed).zh}的代码`));
      else if (!code.literal)
        ask(tell('runs code that cannot be told beforehand', '会运行无法事先得知的代码'));
      else judgeCode(language, code.text, call);
    },
    runsAnything: (what) => {
      findings.runsCode = true;
      findings.raise(2);
      if (!findings.holds || where.elsewhere)
        ask(tell(`runs ${what.en}, which is not followed`, `会运行无法跟踪的内容:${what.zh}`));
    },
    isInside: (path) => zoneOf(resolvePath(path.text, ground), ground) === 'work',
    runsInput: (language) => runner.runsInput(language) ?? judgedInput(language, call),
    dynamic: () => {
      findings.dynamic = true;
    },
    goes: (folder) => {
      where.shell.cwd = folder ? resolvePath(folder.text, ground) : undefined;
    },
    sets: (variable, value) => {
      const known = where.sure && value?.literal && !value.glob;
      where.shell.variables.set(variable, known ? value.text : undefined);
    },
    as: (other, words) =>
      PROGRAMS[other]?.(makeCall({ ...subject, name: other, args: words }, bench, effects)),
    wroteHere: (path) => {
      const full = resolvePath(path.text, ground);
      return full !== undefined && findings.files.has(full);
    },
  };
  return call;
}

/** Code may put together the name of a file that it opens: where no sandbox hides anything, it runs like a program. */
const OPENS_FILES =
  /\b(?:open|read\w{0,20}|fs|os|io|glob|Path|File|Dir)\b|<[^<>\n]{0,200}[/$*][^<>\n]{0,200}>/i;

function judgedInput(language: string, call: Call): Feed {
  judgeCode(language, call.stdin.text ?? '', call);
  return OPAQUE;
}

const origin = (feed: Feed): Text =>
  feed.network ? tell('fetched from elsewhere', '从别处取来') : tell('hidden by an encoding', '被编码隐藏');

function keepWritten(path: Arg, change: Change, ground: Ground, findings: Findings, fetched: boolean): void {
  const full = resolvePath(path.text, ground);
  if (full && (change === 'create' || change === 'change')) {
    findings.files.set(full, fetched ? { ...OPAQUE, network: true } : OPAQUE);
    if (fetched && findings.fetched.length < 64) findings.fetched.push(full);
  }
}

interface Verdicts {
  ask(why: Text): void;
  deny(why: Text): void;
}

/** The ways in which a command can run something else. */
function makeRunner({ where, shown }: Subject, bench: Bench, ground: Ground, { ask, deny }: Verdicts) {
  const { findings } = bench;
  const tooDeep = (): boolean => {
    if (where.depth + 1 <= DEEPEST) return false;
    findings.report(
      'ask',
      tell(
        `${shown}: commands are wrapped in each other too deeply to be followed.`,
        `${shown}:命令层层嵌套过深,无法跟踪。`,
      ),
    );
    return true;
  };
  const nested = (options: RunOptions | undefined): Around => ({
    ...where,
    shell: options?.cwd
      ? {
          ...copyShell(where.shell),
          cwd: options.cwd.literal ? resolvePath(options.cwd.text, ground) : undefined,
        }
      : where.shell,
    stdin: options?.stdin ?? where.stdin,
    depth: where.depth + 1,
    sure: false,
    elsewhere: where.elsewhere || options?.elsewhere === true,
  });
  /** What runs later, or for somebody else, is asked about unless it only reads. */
  const watched = (options: RunOptions | undefined, run: () => Feed): Feed => {
    if (!options?.deferred && !options?.elsewhere) return run();
    const before = findings.level;
    findings.level = 0;
    const feed = run();
    if (findings.level > 0)
      ask(
        options.elsewhere
          ? tell('changes something elsewhere', '会改动别处的内容')
          : tell('changes something in a roundabout way', '会以迂回的方式改动内容'),
      );
    findings.raise(before);
    return feed;
  };
  /** Undefined: its text is known, and is code of another language than the shell's. */
  const runsInput = (language: string): Feed | undefined => {
    const { stdin } = where;
    findings.runsCode = true;
    findings.raise(2);
    if (stdin.network || stdin.decoded)
      deny(tell(`runs what was ${origin(stdin).en}`, `会运行${origin(stdin).zh}的内容`));
    else if (stdin.text === undefined)
      ask(tell('runs what it is given as input', '会运行作为输入给入的内容'));
    else if (stdin.text.trim() !== '') {
      if (language !== 'sh') return undefined;
      if (tooDeep()) return OPAQUE;
      const inner = { ...nested(undefined), stdin: EMPTY, late: false };
      const shell = where.late ? { cwd: undefined, variables: new Map() } : inner.shell;
      return bench.runText(stdin.text, { ...inner, shell });
    }
    return OPAQUE;
  };
  return {
    runs: (words: readonly Arg[], options?: RunOptions): Feed => {
      const [program, ...others] = words;
      if (!program) return EMPTY;
      return tooDeep() ? OPAQUE : watched(options, () => bench.runWords(program, others, nested(options)));
    },
    runsScript: (script: Arg, options?: RunOptions): Feed => {
      const feed = script.feed ?? script.piped;
      if (feed?.network || feed?.decoded)
        deny(tell(`runs a script that was ${origin(feed).en}`, `会运行${origin(feed).zh}的脚本`));
      else if (!script.literal)
        findings.report(
          'ask',
          tell(`${shown}: what it runs cannot be told beforehand.`, `${shown}:运行的内容无法事先得知。`),
        );
      if (script.text.length === 0 || script.piped) return OPAQUE;
      return tooDeep() ? OPAQUE : watched(options, () => bench.runText(script.text, nested(options)));
    },
    runsFile: (path: Arg): void => {
      findings.runsCode = true;
      findings.raise(2);
      if (path.piped?.network || path.piped?.decoded)
        return deny(
          tell(`runs a script that was ${origin(path.piped).en}`, `会运行${origin(path.piped).zh}的脚本`),
        );
      if (path.piped)
        return ask(tell('runs a script that cannot be told beforehand', '会运行无法事先得知的脚本'));
      const full = resolvePath(path.text, ground);
      const written = full === undefined ? undefined : findings.files.get(full);
      if (written?.network || isFetched(full, findings))
        return ask(tell('runs what was just fetched from elsewhere', '会运行刚从别处取来的内容'));
      if (written) return ask(tell('runs what was just written', '会运行刚写入的内容'));
      if (full === '/dev/stdin' || /^\/(?:dev|proc\/self)\/fd\//.test(full ?? ''))
        return void runsInput('sh');
      if (!path.literal || path.glob)
        return ask(tell('runs a file that cannot be told beforehand', '会运行无法事先得知的文件'));
      if (zoneOf(full, ground) !== 'work' && !where.elsewhere)
        ask(tell('runs a file from outside of the working folder', '会运行工作目录之外的文件'));
    },
    runsInput,
  };
}

/** Whether this command line itself fetched the folder that something lies in. */
export const isFetched = (full: string | undefined, findings: Findings): boolean =>
  full !== undefined && findings.fetched.some((path) => full === path || full.startsWith(`${path}/`));
