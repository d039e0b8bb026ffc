import { tell } from '#kit/text';
import { isMixedScript } from './addresses.ts';
import type { Arg } from './arg.ts';
import type { Around } from './around.ts';
import { assignmentFault } from './assignments.ts';
import type { Call, Program } from './call.ts';
import { blurred, EMPTY, type Feed, joinFeeds, OPAQUE } from './feed.ts';
import type { CommandPlace, Findings } from './judgement.ts';
import { judgeReach } from './judge-reach.ts';
import { baseName, matchesDenied } from './lists.ts';
import { type Effects, groundOf, isFetched, makeCall, type Subject } from './make-call.ts';
import { isOwnZone, resolvePath, zoneOf } from './paths.ts';
import { PROGRAMS } from './programs/index.ts';
import type { Redirected } from './redirections.ts';
import { showWords } from './shown.ts';
import { walker } from './walk.ts';
import type { Assigned } from './words.ts';

const BIN = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$|^\/(?:usr\/)?games\/[^/]+$/;
const VERSIONED =
  /^(python|pypy|pip|ruby|perl|php|lua|luajit|node|nodejs|gcc|g\+\+|clang|clang\+\+|java|tclsh|wish|guile|irb|rake|gem|easy_install)-?\d+(?:\.\d+)*[a-z]?$/;

/** Programs to which every word is text, so that none can be an option or a file that is not known. */
export const TAKES_TEXT: ReadonlySet<string> = new Set(
  'echo printf true false : exit return test [ expr export local declare readonly typeset let trap set unset'.split(
    ' ',
  ),
);

/** Follows a command line and reports everything about it that needs a person or must not be. */
export function judgeScript(text: string, around: Around, findings: Findings, place: CommandPlace): void {
  const { runText } = walker(findings, judgeSimple, (name) => name in PROGRAMS);
  const bench = {
    findings,
    runText: (script: string, where: Around) => runText(script, where, false),
    runWords: (first: Arg, rest: readonly Arg[], where: Around) => judgeWords(first, rest, where),
  };

  function judgeSimple(
    args: readonly Arg[],
    assigned: readonly Assigned[],
    where: Around,
    redirected: Redirected,
  ): Feed {
    for (const one of assigned) {
      const fault = assignmentFault(one, args.length > 0);
      if (fault) findings.report(fault.verdict, tell(`${sentence(fault.why.en)}.`, `${fault.why.zh}。`));
    }
    const [first, ...rest] = args;
    if (first) return judgeWords(first, rest, where, redirected);
    for (const { name, value, simple } of assigned) {
      const known = simple && where.sure && value.literal && !value.glob;
      where.shell.variables.set(name, known ? value.text : fromMktemp(value));
    }
    return EMPTY;
  }

  function judgeWords(first: Arg, rest: readonly Arg[], where: Around, redirected?: Redirected): Feed {
    const words = [first.text, ...rest.map((arg) => arg.text)];
    const shown = showWords(words);
    if (!first.literal || first.glob) {
      findings.dynamic = true;
      const feed = first.feed ?? first.piped ?? OPAQUE;
      if (feed.network || feed.decoded)
        findings.report(
          'deny',
          tell(
            `${shown} runs a command that was fetched or hidden.`,
            `${shown} 会运行取来的或被隐藏的命令。`,
          ),
        );
      else
        findings.report(
          'ask',
          tell(
            `${shown}: which program this runs cannot be told beforehand.`,
            `${shown}:运行哪个程序无法事先得知。`,
          ),
        );
      return OPAQUE;
    }
    if (!findings.step(4)) return OPAQUE;
    findings.commands.push(words);
    const name = programName(first.text);
    if (!TAKES_TEXT.has(name) && rest.some((arg) => /^@[/~.]/.test(arg.text)))
      findings.report(
        'ask',
        tell(`${shown} may take its words from a file.`, `${shown} 的参数可能来自文件。`),
      );
    judgeLists(name, first, rest, shown);
    if (!where.elsewhere)
      judgeReach(name, rest, groundOf(findings, where), findings, { shown, piped: where.piped });
    if (where.functions.includes(first.text)) judgeSelfCall(first.text, where, findings);
    if (redirected?.socket && /sh$|^(?:python|perl|ruby|php|node|lua|nc)$/.test(name)) {
      findings.report(
        'deny',
        tell(`${shown} gives another machine a shell here.`, `${shown} 会把本机的 shell 交给另一台机器。`),
      );
    }
    if (findings.functions.has(first.text)) return OPAQUE;
    return judgeProgram(first, { name, args: rest, where, shown }, redirected);
  }

  function judgeLists(name: string, first: Arg, rest: readonly Arg[], shown: string): void {
    if (
      place.allowed &&
      !place.allowed.some((entry) => entry === first.text || programName(entry) === name)
    ) {
      findings.report(
        'deny',
        tell(
          `${shown}: \`${name}\` is not among the programs that are allowed here.`,
          `${shown}:\`${name}\` 不在此处允许的程序之列。`,
        ),
      );
    }
    for (const entry of place.denied ?? []) {
      if (matchesDenied(entry, name, rest) || matchesDenied(entry, baseName(first.text), rest)) {
        findings.report(
          'deny',
          tell(`${shown}: \`${entry}\` is not allowed here.`, `${shown}:此处不允许 \`${entry}\`。`),
        );
      }
    }
  }

  function judgeProgram(first: Arg, subject: Subject, redirected: Redirected | undefined): Feed {
    const effects: Effects = { isPrivate: false, sends: false, talks: false, connects: false };
    const call = makeCall(subject, bench, effects);
    const fetched = isFetched(subject.where.shell.cwd, findings);
    const before = findings.level;
    findings.level = 0;
    const feed = programFor(first, subject, findings)(call);
    if (findings.level >= 2 && fetched)
      call.ask(tell('runs in a folder that was just fetched from elsewhere', '在刚从别处取来的目录中运行'));
    findings.raise(before);
    judgeSecrets(call, effects, subject.where, redirected);
    return outputOf(feed, subject, effects, redirected);
  }

  runText(text, around, true);
}

/** The rule for a program: listed, a file of the project, or none. */
function programFor(first: Arg, subject: Subject, findings: Findings): Program {
  const { name, args } = subject;
  const ground = groundOf(findings, subject.where);
  if (first.text.includes('/') && !BIN.test(first.text)) {
    const own = isOwnZone(zoneOf(resolvePath(first.text, ground), ground));
    if (own && !isScriptPath(first.text)) return unlisted(first);
    // A tool that the project brings along is known by its own name, too.
    const tool = PROGRAMS[name];
    return (call) => {
      call.runsFile(first);
      return tool && BROUGHT_ALONG.test(first.text) ? tool(call) : OPAQUE;
    };
  }
  const [only] = args;
  const listed = PROGRAMS[name];
  if (listed && args.length === 1 && (only?.text === '--help' || only?.text === '--version'))
    return () => OPAQUE;
  return listed ?? unlisted(first);
}

const unlisted =
  (first: Arg): Program =>
  (call) => {
    call.level(2);
    if (isMixedScript(first.text)) {
      call.deny(
        tell(
          'is spelled with letters of different scripts to look like another program',
          '混用不同文字的字母,冒充另一个程序',
        ),
      );
    } else call.ask(tell('runs a program that is not on the list', '会运行不在名单上的程序'));
    return OPAQUE;
  };

/** Headers in which a secret is where it belongs; a person still has to agree. */
const AUTHORISING = /^(?:authorization|x-[\w-]+|private-token|api-key|apikey|cookie)\s*:/i;

/** Secrets may not leave the machine, and do not appear anywhere without somebody knowing. */
function judgeSecrets(call: Call, effects: Effects, where: Around, redirected: Redirected | undefined): void {
  const secrets = call.args.flatMap((arg) => arg.secrets);
  const printed = call.args.some((arg) => arg.feed?.secret);
  const leaks = effects.isPrivate || where.stdin.secret;
  if ((effects.talks && printed) || ((effects.sends || redirected?.socket) && leaks)) {
    call.deny(
      tell(
        'would send keys, credentials or the environment to another machine',
        '会把密钥、凭据或环境变量发往另一台机器',
      ),
    );
  } else if (redirected?.socket)
    call.ask(tell('opens a raw connection to another machine', '会与另一台机器建立裸连接'));
  if (secrets.length === 0 || effects.connects) return;
  const plain = call.args.some((arg) => arg.secrets.length > 0 && !AUTHORISING.test(arg.text));
  if (effects.talks && plain)
    call.deny(tell(`would send ${secrets[0]} to another machine`, `会把 ${secrets[0]} 发往另一台机器`));
  else call.showsPrivate(tell(`uses ${secrets[0]}, which holds a secret`, `会使用含有密钥的 ${secrets[0]}`));
}

/** What comes out of a command: what its rule says, or its input, changed. */
function outputOf(feed: Feed | undefined, subject: Subject, effects: Effects, redirected?: Redirected): Feed {
  const { args, where, name } = subject;
  const read = args.reduce((all, arg) => (arg.piped ? joinFeeds(all, arg.piped) : all), where.stdin);
  const output = feed ?? blurred(read);
  const before = feed && feed !== where.stdin ? [...where.stdin.commands, ...feed.commands] : output.commands;
  const own = [name, ...args.map((arg) => arg.text)];
  return {
    ...output,
    network: output.network || (redirected?.socket === true && !effects.talks),
    secret:
      output.secret || effects.isPrivate || args.some((arg) => arg.secrets.length > 0 || arg.feed?.secret),
    commands: before.length < 32 ? [...before, own] : before,
  };
}

function judgeSelfCall(name: string, where: Around, findings: Findings): void {
  if (where.piped || where.background || where.stdin !== OPAQUE) {
    findings.report(
      'deny',
      tell(
        `The function \`${name}\` multiplies itself without end.`,
        `函数 \`${name}\` 会无休止地自我复制。`,
      ),
    );
  } else
    findings.report('ask', tell(`The function \`${name}\` calls itself.`, `函数 \`${name}\` 调用自身。`));
}

/** A temporary file has a name that nobody knows, in a folder that everybody does. */
const fromMktemp = (value: Arg): string | undefined =>
  value.feed?.commands.length === 1 &&
  value.feed.commands[0]?.[0] === 'mktemp' &&
  /^\$\([^)]*\)$/.test(value.text)
    ? '/tmp/mktemp'
    : undefined;

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The name by which a program is listed: without its folder and its version. */
function programName(word: string): string {
  const base = baseName(word);
  return VERSIONED.exec(base)?.[1] ?? /^(mkfs|fsck)\./.exec(base)?.[1] ?? base;
}

const BROUGHT_ALONG =
  /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/[^/]+$|(?:^|\/)(?:gradlew|mvnw|sbt|rebar3)$/;

/** Places in a project where programs that belong to it lie. */
const isScriptPath = (path: string): boolean =>
  /\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl)$|(?:^|\/)(?:scripts?|tools|hack|ci|bin|build|dist|target|out|node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/[^/]|(?:^|\/)(?:gradlew|mvnw|configure|manage\.py|sbt|rebar3)$/.test(
    path,
  );
