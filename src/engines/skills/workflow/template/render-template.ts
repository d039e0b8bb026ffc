import { isRecord } from '#kit/is-record';
import { asText, hasOwn, lookUp, type Scope, UnknownName } from './look-up.ts';
import { isBlock, isContent, isMustache, isPath, type Template, TemplateError } from './parse-template.ts';
import { shellPlace } from './shell-place.ts';

/**
 * How values go into a text. `text`: as they are; a name that leads nowhere is an error. `message`: as they are, and
 * such a name is empty, since by then the work is done. `shell`: quoted; with three braces, as they are. `code`: only
 * with three braces.
 */
export type RenderMode = 'text' | 'message' | 'shell' | 'code';

/** What names mean inside of blocks. */
interface Frame {
  readonly self: unknown;
  readonly above: Frame | undefined;
  readonly data: Readonly<Record<string, unknown>>;
  readonly named: Readonly<Record<string, unknown>>;
}

/** Fills in a template. Values are put down once and never read as templates themselves. */
export function renderTemplate({ program }: Template, scope: Scope, mode: RenderMode): string {
  const out: string[] = [];
  const shell = mode === 'shell' ? shellPlace() : undefined;
  const lenient = mode === 'message';

  const literal = (text: string): void => {
    shell?.read(text);
    out.push(text);
  };
  const put = (node: hbs.AST.MustacheStatement, frame: Frame): void => {
    const path = isPath(node.path) ? node.path.original.replace(/^@root\./, '') : 'this';
    const value = valueOf(node.path, frame, scope, lenient);
    if (!node.escaped) return literal(asText(value));
    if (mode === 'code') {
      throw new TemplateError(
        `{{${path}}} would become code; hand it over as an argument, or write {{{${path}}}}`,
      );
    }
    out.push(shell ? shell.quoted(value, path) : asText(value));
  };
  const run = (body: readonly hbs.AST.Statement[], frame: Frame): void => {
    for (const node of body) {
      if (isContent(node)) literal(node.value);
      else if (isMustache(node)) put(node, frame);
      else if (isBlock(node)) block(node, frame);
    }
  };
  const block = (node: hbs.AST.BlockStatement, frame: Frame): void => {
    const name = isPath(node.path) ? node.path.original : '';
    const value = valueOf(node.params[0], frame, scope, true);
    const otherwise = () => run(node.inverse?.body ?? [], frame);
    if (name === 'if' || name === 'unless') {
      if (isFull(value) === (name === 'if')) run(node.program.body, frame);
      else otherwise();
      return;
    }
    if (!isFull(value)) return otherwise();
    const [first, second] = (node.program as { blockParams?: string[] }).blockParams ?? [];
    const inner = (self: unknown, key: unknown, data: Readonly<Record<string, unknown>>): Frame => ({
      self,
      above: frame,
      data: { ...frame.data, ...data },
      named: {
        ...frame.named,
        ...(first === undefined ? {} : { [first]: self }),
        ...(second === undefined ? {} : { [second]: key }),
      },
    });
    if (name === 'with') return run(node.program.body, inner(value, undefined, {}));
    const items = entriesOf(value);
    for (const [i, [key, item]] of items.entries()) {
      const data = { index: i, key, first: i === 0, last: i === items.length - 1 };
      run(node.program.body, inner(item, key, data));
    }
  };

  run(program.body, { self: scope, above: undefined, data: {}, named: {} });
  return out.join('');
}

const isFull = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value) && value !== '';

function entriesOf(value: unknown): readonly (readonly [number | string, unknown])[] {
  if (Array.isArray(value)) return value.map((item, i) => [i, item]);
  return isRecord(value) ? Object.entries(value) : [];
}

function valueOf(node: hbs.AST.Node | undefined, frame: Frame, scope: Scope, lenient: boolean): unknown {
  if (!node) return undefined;
  if (!isPath(node)) return (node as { value?: unknown }).value;
  try {
    return pathValue(node, frame, scope);
  } catch (error) {
    if (lenient && error instanceof UnknownName) return undefined;
    throw error;
  }
}

function pathValue(node: hbs.AST.PathExpression, frame: Frame, scope: Scope): unknown {
  const { data, depth } = node;
  const parts = (node as { parts: string[] }).parts;
  const [head = '', ...rest] = parts;
  if (data && head === 'root') return lookUp(scope, rest);
  if (data) return frame.data[head];
  let at = frame;
  for (let i = 0; i < depth && at.above; i++) at = at.above;
  if (parts.length === 0) return at.self;
  if (depth === 0 && Object.hasOwn(at.named, head)) return below(at.named[head], rest, node.original);
  return at.self === scope ? lookUp(scope, parts) : below(at.self, parts, node.original);
}

function below(value: unknown, parts: readonly string[], path: string): unknown {
  let here = value;
  for (const part of parts) {
    if (here === null || here === undefined) return null;
    if (!hasOwn(here, part)) throw new UnknownName(path, `the item has no '${part}'`);
    here = (here as Record<string, unknown>)[part];
  }
  return here ?? null;
}
