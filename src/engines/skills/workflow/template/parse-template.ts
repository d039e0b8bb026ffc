type Statement = hbs.AST.Statement;

/** A text with holes, read once. */
export interface Template {
  readonly program: hbs.AST.Program;
  /** The path of the only hole, when there is nothing else in the text: its value keeps its type. */
  readonly whole?: readonly string[];
}

export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** `${a.b}`, and `$${` for a `${` that is meant to stay. */
const REFERENCE = /\$(\$?)\{([^{}]*)\}?/g;
const PATH = /^[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+|\[\d+\])*$/u;

const BLOCKS: readonly string[] = ['if', 'unless', 'each', 'with'];

/** Reads templates. The grammar is loaded at the first use. */
export async function templateParser(): Promise<(text: string) => Template> {
  const { default: handlebars } = await import('handlebars');
  return (text) => {
    const program = parsed(() => handlebars.parse(referencesAsMustaches(text)));
    for (const statement of program.body) checkStatement(statement);
    const whole = wholePath(program);
    return { program, ...(whole ? { whole } : {}) };
  };
}

/** True when a text has something to fill in. */
export const hasHoles = (text: string): boolean => text.includes('{{') || text.includes('${');

/** The parts of `a.b[0]`. */
export function pathParts(path: string): readonly string[] | undefined {
  return PATH.test(path) ? path.replaceAll(/\[(\d+)\]/g, '.$1').split('.') : undefined;
}

/** `${a.b}` means the same everywhere, also within a block: it starts from the root. */
function referencesAsMustaches(text: string): string {
  return text.replaceAll(REFERENCE, (written, kept: string, inner: string) => {
    if (kept) return written.slice(1);
    const parts = written.endsWith('}') ? pathParts(inner.trim()) : undefined;
    if (!parts) {
      throw new TemplateError(
        `'${written}' is not a reference such as \${output.field}; a \${ of the shell is written $\${`,
      );
    }
    return `{{@root.${parts.map((part) => `[${part}]`).join('.')}}}`;
  });
}

function parsed(parse: () => hbs.AST.Program): hbs.AST.Program {
  try {
    return parse();
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    const [line = ''] = (error as Error).message.split('\n');
    throw new TemplateError(`this is not a template: ${line}`);
  }
}

/** Nothing but values, `if`, `unless`, `each`, `with` and comments: no helper, no partial, no code. */
function checkStatement(statement: Statement): void {
  if (isMustache(statement)) {
    const { path, params } = statement;
    if (params.length > 0) throw new TemplateError(`there is no helper called '${nameOf(path)}'`);
    if (path.type === 'SubExpression') throw new TemplateError('expressions are not known here');
    return;
  }
  if (isBlock(statement)) {
    const name = nameOf(statement.path);
    if (!BLOCKS.includes(name)) {
      throw new TemplateError(`there is no block called '${name}': known are ${BLOCKS.join(', ')}`);
    }
    const [param] = statement.params;
    if (statement.params.length !== 1 || param?.type === 'SubExpression') {
      throw new TemplateError(`{{#${name}}} takes one name`);
    }
    for (const inner of [statement.program, statement.inverse]) inner?.body.forEach(checkStatement);
    return;
  }
  if (statement.type !== 'ContentStatement' && statement.type !== 'CommentStatement') {
    throw new TemplateError('partials and decorators are not known here');
  }
}

function wholePath({ body }: hbs.AST.Program): readonly string[] | undefined {
  const filled = body.filter((statement) => !isContent(statement) || statement.value.trim() !== '');
  const [only] = filled;
  if (filled.length !== 1 || !only || !isMustache(only) || !isPath(only.path)) return undefined;
  const { parts, depth, data } = only.path as { parts: string[]; depth: number; data: boolean };
  if (depth > 0 || (data && parts[0] !== 'root')) return undefined;
  const path = data ? parts.slice(1) : parts;
  return path.length > 0 ? path : undefined;
}

const nameOf = (path: hbs.AST.Expression): string => (isPath(path) ? path.original : '');

export const isMustache = (node: hbs.AST.Node): node is hbs.AST.MustacheStatement =>
  node.type === 'MustacheStatement';
export const isBlock = (node: hbs.AST.Node): node is hbs.AST.BlockStatement => node.type === 'BlockStatement';
export const isContent = (node: hbs.AST.Node): node is hbs.AST.ContentStatement =>
  node.type === 'ContentStatement';
export const isPath = (node: hbs.AST.Node): node is hbs.AST.PathExpression => node.type === 'PathExpression';
