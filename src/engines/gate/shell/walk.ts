import {
  type AssignmentPrefix,
  type CommandNode,
  type CompoundList,
  forEachChild,
  type ParsedScript,
  type PipelineNode,
  type Statement,
  type SyntaxNode,
  type TestExpression,
  type Word,
  type AndOr,
} from 'unbash';
import { tell } from '#kit/text';
import { type Arg, literal, unknownArg } from './arg.ts';
import { type Around, copyShell, type Shell } from './around.ts';
import { EMPTY, type Feed, joinFeeds, OPAQUE } from './feed.ts';
import type { Findings } from './judgement.ts';
import { parseScript, tooMuch } from './parse-script.ts';
import { applyRedirections, type Redirected } from './redirections.ts';
import { showWords } from './shown.ts';
import { isWord, readAssignment, readWord, type Assigned, type Reader } from './words.ts';

/** How deep commands may hide in commands. */
export const DEEPEST = 8;
const MOST_TURNS = 8;

/** Judges one command whose words are known as far as they can be. */
export type JudgeSimple = (
  args: readonly Arg[],
  assigned: readonly Assigned[],
  around: Around,
  redirected: Redirected,
) => Feed;

/** Follows a script the way a shell would, and hands every simple command to `judge`. Gives what the script prints. */
export function walker(findings: Findings, judge: JudgeSimple, isListed: (name: string) => boolean) {
  function runText(text: string, around: Around, whole: boolean): Feed {
    if (around.depth > DEEPEST) {
      findings.report(
        'ask',
        tell('Commands are wrapped in each other too deeply to be followed.', '命令层层嵌套过深,无法跟踪。'),
      );
      return OPAQUE;
    }
    const excess =
      tooMuch(text) ??
      (findings.mayParse(text.length)
        ? undefined
        : tell('Its nested scripts are too long.', '嵌套的脚本太长。'));
    if (excess) {
      findings.report('deny', excess);
      return OPAQUE;
    }
    const script = parseScript(text);
    if (!script) {
      findings.report('ask', tell('It cannot be read as shell syntax.', '无法读作 shell 语法。'));
      return OPAQUE;
    }
    if (findings.scripts.length < 16) findings.scripts.push(text);
    return runScript(script, around, whole);
  }

  function runScript(script: ParsedScript | undefined, around: Around, whole = false): Feed {
    if (!script) return OPAQUE;
    if (script.errors && script.errors.length > 0) {
      const [first] = script.errors;
      findings.report(
        'ask',
        tell(
          `It cannot be read as shell syntax: ${first?.message ?? 'unknown error'}.`,
          `无法读作 shell 语法:${first?.message ?? '未知错误'}。`,
        ),
      );
    }
    return runStatements(script.commands, whole ? around : { ...around, sure: false });
  }

  const readerFor = (around: Around): Reader => ({
    step: (count) => findings.step(count),
    // With other separators, words fall apart elsewhere: then nothing is known of any value.
    variable: (name) => (around.shell.variables.has('IFS') ? undefined : around.shell.variables.get(name)),
    substitution: (script, takesOutput = false) => {
      if (!findings.step(4)) return OPAQUE;
      if (around.depth + 1 > DEEPEST) {
        findings.report(
          'ask',
          tell('Substitutions are nested too deeply to be followed.', '替换嵌套过深,无法跟踪。'),
        );
        return OPAQUE;
      }
      const inner = { ...around, shell: copyShell(around.shell), depth: around.depth + 1, piped: true };
      const before = findings.writes;
      const feed = runScript(script, inner);
      if (findings.writes > before && !takesOutput)
        findings.report(
          'ask',
          tell(
            'A substitution changes files while its command line is still being put together.',
            '命令行尚在拼装时,其中的替换就会改动文件。',
          ),
        );
      return feed;
    },
    inner: (part) => visitInner(part, around),
  });

  /** Looks for commands and code inside an expansion. */
  function visitInner(node: SyntaxNode, around: Around): void {
    forEachChild(node, (child) => {
      if (
        child.type === 'CommandExpansion' ||
        child.type === 'ProcessSubstitution' ||
        child.type === 'ArithmeticCommandExpansion'
      ) {
        readerFor(around).substitution(child.script);
      } else visitInner(child, around);
    });
    if (node.type === 'ParameterExpansion') {
      if (node.prefix === '!')
        findings.report(
          'ask',
          tell(
            `\`${node.text}\` looks up a variable whose name is not written here.`,
            `\`${node.text}\` 会查找名称未写明的变量。`,
          ),
        );
      if (node.operation?.type === 'Transform' && /P/.test(node.operation.operand.text)) {
        findings.report(
          'ask',
          tell(`\`${node.text}\` runs what a variable holds.`, `\`${node.text}\` 会运行变量中的内容。`),
        );
      }
      if (node.operation?.type === 'Default' && /=/.test(node.operation.operator))
        around.shell.variables.set(node.parameter, undefined);
    }
    if (node.type === 'ArithmeticWord') arithmeticValue(node.value, around);
  }

  /** Arithmetic evaluates what a variable holds, subscripts and all. */
  function arithmeticValue(value: string, around: Around): void {
    if (/\[/.test(value) && /\$\(|`/.test(value))
      findings.report(
        'ask',
        tell(`\`${value}\` runs code as a subscript.`, `\`${value}\` 会作为下标运行代码。`),
      );
    const held = around.shell.variables.get(value);
    if (held !== undefined && /\[[^\]]*(?:\$\(|`)/.test(held))
      findings.report(
        'ask',
        tell(`\`${value}\` holds code that arithmetic runs.`, `\`${value}\` 含有由算术求值运行的代码。`),
      );
  }

  const words = (list: readonly Word[] | undefined, around: Around): Arg[] =>
    (list ?? []).flatMap((word) => readWord(word, readerFor(around)));

  function runStatements(statements: readonly Statement[], around: Around): Feed {
    let output: Feed = EMPTY;
    for (const statement of statements) {
      if (findings.full) break;
      const background = statement.background === true;
      if (background && around.endless) {
        findings.report(
          'ask',
          tell(
            'A loop that may never end starts processes in the background.',
            '一个可能永不结束的循环在后台启动进程。',
          ),
        );
      }
      const inner = background
        ? { ...around, shell: copyShell(around.shell), background, sure: false }
        : around;
      output = joinFeeds(output, runNode(statement.command, inner));
    }
    return output;
  }

  const runList = (list: CompoundList, around: Around): Feed => runStatements(list.commands, around);

  function runNode(node: PipelineNode | AndOr, around: Around): Feed {
    if (node.type === 'AndOr') return runAndOr(node, around);
    if (node.type === 'Pipeline') return runPipeline(node.commands, around);
    return runCommand(node, around);
  }

  /** Within a chain of `&&`, what went before has happened; behind the chain, only its first command surely has. */
  function runAndOr({ commands, operators }: AndOr, around: Around): Feed {
    const { shell } = around;
    let output: Feed = EMPTY;
    let sure = around.sure;
    let first: Shell | undefined;
    for (const [at, command] of commands.entries()) {
      if (findings.full) break;
      if (at === 1) first = copyShell(shell);
      if (at > 0 && operators[at - 1] === '||') sure = false;
      output = joinFeeds(output, runNode(command, { ...around, sure }));
    }
    if (first) forgetChanges(shell, first);
    return output;
  }

  function runPipeline(commands: readonly CommandNode[], around: Around): Feed {
    if (commands.length === 1 && commands[0]) return runCommand(commands[0], around);
    let feed = around.stdin;
    for (const [at, command] of commands.entries()) {
      if (findings.full) break;
      const last = at === commands.length - 1;
      feed = runCommand(command, {
        ...around,
        shell: copyShell(around.shell),
        stdin: feed,
        piped: !last || around.piped,
        sure: false,
      });
    }
    return feed;
  }

  function runCommand(node: CommandNode, around: Around): Feed {
    switch (node.type) {
      case 'Command': {
        const reader = readerFor(around);
        const assigned = node.prefix
          .filter((item): item is AssignmentPrefix => item.type === 'Assignment')
          .map((item) => readAssignment(item, reader));
        const name = node.name ? readWord(node.name, reader) : [];
        const args = node.args.flatMap((argument) => {
          if (isWord(argument)) return readWord(argument, reader);
          const given = readAssignment(argument, reader);
          return [{ ...given.value, text: `${given.name}=${given.value.text}` }];
        });
        // Braces that make up the command word hide which program it is.
        const first = node.name?.parts?.some((part) => part.type === 'BraceExpansion')
          ? [unknownArg(node.name.text)]
          : name;
        if (
          node.name?.parts?.some(
            (part) =>
              /Expansion|Glob/.test(part.type) ||
              (part.type === 'DoubleQuoted' && part.parts.some((child) => child.type !== 'Literal')),
          )
        ) {
          findings.report(
            'ask',
            tell(
              `\`${node.name.text.slice(0, 60)}\`: the program is named by something else than its name.`,
              `\`${node.name.text.slice(0, 60)}\`:程序不是以其名称给出的。`,
            ),
          );
        }
        const redirected = applyRedirections(node.redirects, reader, around, findings);
        return finish(
          redirected,
          judge([...first, ...args], assigned, { ...around, stdin: redirected.stdin }, redirected),
        );
      }
      case 'Redirected': {
        const redirected = applyRedirections(node.redirects, readerFor(around), around, findings);
        return finish(redirected, runCommand(node.command, { ...around, stdin: redirected.stdin }));
      }
      case 'Subshell':
        return runList(node.body, { ...around, shell: copyShell(around.shell), sure: false });
      case 'BraceGroup':
        return runList(node.body, around);
      case 'Function':
        return runFunction(node.name.value, node.body, around);
      case 'Coproc':
        return runBody(node.body, {
          ...around,
          shell: copyShell(around.shell),
          background: true,
          sure: false,
        });
      case 'TestCommand':
        visitTest(node.expression, around);
        return EMPTY;
      case 'ArithmeticCommand':
        if (node.expression) visitInner(node.expression, around);
        else if (/\$\(|`/.test(node.body))
          findings.report(
            'ask',
            tell(`\`((${node.body}))\` cannot be followed.`, `\`((${node.body}))\` 无法跟踪。`),
          );
        return EMPTY;
      default:
        return runBranches(node, around);
    }
  }

  function finish(redirected: Redirected, output: Feed): Feed {
    for (const path of redirected.outputs) findings.files.set(path, output);
    return redirected.silent ? EMPTY : output;
  }

  function runBody(body: CommandNode | CompoundList, around: Around): Feed {
    return body.type === 'CompoundList' ? runList(body, around) : runCommand(body, around);
  }

  function runFunction(name: string, body: CommandNode | CompoundList, around: Around): Feed {
    if (isListed(name))
      findings.report(
        'ask',
        tell(`The function \`${name}\` takes the place of a program.`, `函数 \`${name}\` 顶替了一个程序。`),
      );
    findings.functions.add(name);
    const shell = copyShell(around.shell);
    runBody(body, { ...around, shell, stdin: OPAQUE, sure: false, functions: [...around.functions, name] });
    // Whenever it is called, it may change what the shell knows.
    forgetChanges(around.shell, shell);
    return EMPTY;
  }

  type Branching = Extract<
    CommandNode,
    { type: 'If' | 'For' | 'While' | 'Case' | 'Select' | 'ArithmeticFor' }
  >;

  /** Afterwards the folder is known only if every way through leads to the same one. */
  function runBranches(node: Branching, around: Around): Feed {
    const before = around.shell.cwd;
    const inner: Around = { ...around, sure: false };
    let output: Feed = EMPTY;
    const also = (list: CompoundList | undefined, where: Around = inner) => {
      if (list) output = joinFeeds(output, runList(list, where));
    };
    switch (node.type) {
      case 'If':
        also(node.clause);
        also(node.then);
        for (const branch of node.elif) {
          also(branch.clause);
          also(branch.then);
        }
        also(node.else);
        break;
      case 'While': {
        also(node.clause);
        also(node.body, { ...inner, endless: around.endless || mayBeEndless(node.clause) });
        break;
      }
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) if (part) visitInner(part, around);
        also(node.body, { ...inner, endless: around.endless || !node.test });
        break;
      case 'Case':
        words([node.word], around);
        for (const item of node.items) {
          words(item.pattern, around);
          also(item.body);
        }
        break;
      case 'For':
      case 'Select':
        output = runFor(node.name.value, words(node.wordlist, around), node.body, inner);
        break;
    }
    if (around.shell.cwd !== before) around.shell.cwd = undefined;
    return output;
  }

  /** A short list is gone through word by word; of a longer one no more is known than what its words have in common. */
  function runFor(name: string, list: readonly Arg[], body: CompoundList, around: Around): Feed {
    const { variables } = around.shell;
    const known = list.length > 0 && list.every((arg) => arg.literal && !/\s/.test(arg.text));
    let output: Feed = EMPTY;
    if (known && list.length <= MOST_TURNS && !around.unrolled) {
      for (const { text } of new Map(list.map((arg) => [arg.text, arg])).values()) {
        variables.set(name, text);
        output = joinFeeds(output, runList(body, { ...around, unrolled: true }));
      }
    } else {
      variables.set(name, undefined);
      output = runList(body, around);
    }
    variables.set(name, undefined);
    return output;
  }

  function visitTest(expression: TestExpression, around: Around): void {
    if (expression.type === 'TestUnary') {
      const [arg = literal('')] = words([expression.operand], around);
      if (/^-[vR]$/.test(expression.operator) || /^-t$/.test(expression.operator)) subscript(arg);
      return;
    }
    if (expression.type === 'TestBinary') {
      const sides = words([expression.left, expression.right], around);
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator)) {
        for (const side of sides) {
          subscript(side);
          if (side.literal) arithmeticValue(side.text, around);
        }
      }
      return;
    }
    forEachChild(expression, (child) => visitTest(child as TestExpression, around));
  }

  function subscript(arg: Arg): void {
    if (/\[/.test(arg.text) && /\$\(|`|\$\{/.test(arg.text)) {
      findings.report(
        'ask',
        tell(
          `${showWords([arg.text])} is evaluated as a subscript, which runs the code in it.`,
          `${showWords([arg.text])} 会作为下标求值,从而运行其中的代码。`,
        ),
      );
    }
  }

  return { runText, runScript };
}

/** What differs between two states of a shell is no longer known. */
function forgetChanges(shell: Shell, other: Shell): void {
  for (const name of [...shell.variables.keys(), ...other.variables.keys()]) {
    if (shell.variables.get(name) !== other.variables.get(name)) shell.variables.set(name, undefined);
  }
  if (shell.cwd !== other.cwd) shell.cwd = undefined;
}

/** A loop that reads its input comes to an end with it; of any other, nobody knows. */
function mayBeEndless(clause: CompoundList): boolean {
  return !clause.commands.some(({ command }) => command.type === 'Command' && command.name?.value === 'read');
}
