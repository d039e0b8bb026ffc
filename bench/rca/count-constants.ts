import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** What somebody set by hand, or a fit did, in some files. */
export interface ConstantCount {
  /** Numbers other than 0, 1, −1 and 2, those in files of data included. */
  readonly numbers: number;
  readonly expressions: number;
  /** Ways in which an expression can match, over all: at least one each. */
  readonly alternatives: number;
  /** Words in lists and tables of words, and those that are looked for one by one. */
  readonly words: number;
}

const ROOT = join(import.meta.dirname, '..', '..');
/** Where causes are decided. What is fitted stands there too, as JSON. */
const FOLDER = 'src/engines/aiops/rca';
const PLAIN: ReadonlySet<number> = new Set([0, 1, 2]);
const NOTHING: ConstantCount = { numbers: 0, expressions: 0, alternatives: 0, words: 0 };

/** Counted by file, without tests. */
export function countConstants(): ReadonlyMap<string, ConstantCount> {
  const files = globSync(`${FOLDER}/**/*.{ts,json}`, { cwd: ROOT })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted();
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return [file, file.endsWith('.json') ? countInData(JSON.parse(text)) : countInCode(text)];
    }),
  );
}

const sumOf = (counts: Iterable<ConstantCount>): ConstantCount => [...counts].reduce(add, NOTHING);

const add = (one: ConstantCount, other: ConstantCount): ConstantCount => ({
  numbers: one.numbers + other.numbers,
  expressions: one.expressions + other.expressions,
  alternatives: one.alternatives + other.alternatives,
  words: one.words + other.words,
});

export function countInData(value: unknown): ConstantCount {
  if (typeof value === 'number') return { ...NOTHING, numbers: PLAIN.has(Math.abs(value)) ? 0 : 1 };
  if (typeof value === 'string') return { ...NOTHING, words: wordsIn(value) };
  if (typeof value !== 'object' || value === null) return NOTHING;
  return sumOf(Object.values(value).map(countInData));
}

export function countInCode(text: string): ConstantCount {
  const source = ts.createSourceFile('counted.ts', text, ts.ScriptTarget.Latest, true);
  const count = (node: ts.Node): ConstantCount => {
    if (isSaid(node)) return NOTHING;
    const parts: ConstantCount[] = [];
    ts.forEachChild(node, (child) => {
      parts.push(count(child));
    });
    return add(sumOf(parts), ownCount(node));
  };
  return count(source);
}

/** Calls that hold sentences for people in every language: what is said there decides nothing. */
const SAYS = new Set(['catalogue', 'tell']);
const isSaid = (node: ts.Node): boolean => ts.isCallExpression(node) && SAYS.has(node.expression.getText());

function ownCount(node: ts.Node): ConstantCount {
  if (ts.isNumericLiteral(node)) return countInData(Number(node.text.replaceAll('_', '')));
  if (ts.isRegularExpressionLiteral(node))
    return { ...NOTHING, expressions: 1, alternatives: alternativesIn(node.text) };
  if (ts.isNewExpression(node) && node.expression.getText() === 'RegExp')
    return { ...NOTHING, expressions: 1, alternatives: alternativesIn(node.arguments?.[0]?.getText() ?? '') };
  return { ...NOTHING, words: wordsIn(textsIn(node).join(' ')) };
}

/** Whether all are texts, and more than one, or rows of a table. A type names no words. */
const areTexts = (parts: readonly ts.Expression[], { parent }: ts.Node): boolean =>
  parts.length > (ts.isArrayLiteralExpression(parent) ? 0 : 1) && parts.every(ts.isStringLiteralLike);

/** Calls that take words apart, and calls that look for one. */
const CUTS = new Set(['cutTerms', 'split']);
const LOOKS_FOR = new Set(['includes', 'startsWith', 'endsWith', 'indexOf']);

/** Texts that something is compared with: in lists, in tables, cut from one text, looked for in another. */
function textsIn(node: ts.Node): string[] {
  if (ts.isArrayLiteralExpression(node)) return areTexts(node.elements, node) ? literals(node.elements) : [];
  if (ts.isObjectLiteralExpression(node)) {
    const values = node.properties.flatMap((one) => (ts.isPropertyAssignment(one) ? [one.initializer] : []));
    return values.length === node.properties.length && areTexts(values, node) && !isForPeople(node)
      ? literals(values)
      : [];
  }
  if (!ts.isCallExpression(node)) return [];
  const { expression } = node;
  const called = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
  if (LOOKS_FOR.has(called)) return literals(node.arguments).filter((text) => /\w/.test(text));
  if (!CUTS.has(called)) return [];
  return literals(ts.isPropertyAccessExpression(expression) ? [expression.expression] : node.arguments);
}

const isForPeople = ({ properties }: ts.ObjectLiteralExpression): boolean =>
  properties.some(({ name }) => name?.getText() === 'zh');

const literals = (parts: readonly ts.Expression[]): string[] =>
  parts.filter(ts.isStringLiteralLike).map(({ text }) => text);

const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Bars outside of classes of characters, and one. */
function alternativesIn(expression: string): number {
  const bare = expression.replace(/\\./g, '').replace(/\[[^\]]*\]/g, '');
  return bare.split('|').length;
}

/** A line for each file that has any. */
export const constantLines = (counts: ReadonlyMap<string, ConstantCount>): string[] => [
  '| file | numbers | expressions | alternatives | words |',
  '|---|---|---|---|---|',
  ...[...counts]
    .filter(([, count]) => Object.values(count).some(Boolean))
    .map(
      ([file, { numbers, expressions, alternatives, words }]) =>
        `| ${file.slice(FOLDER.length + 1)} | ${numbers} | ${expressions} | ${alternatives} | ${words} |`,
    ),
];

/** Everything that was set is one thing each: a number, a way to match, a word. */
export function constantFigures(counts: ReadonlyMap<string, ConstantCount>): Record<string, number> {
  const { numbers, expressions, alternatives, words } = sumOf(counts.values());
  return {
    constants: numbers + alternatives + words,
    'constants.numbers': numbers,
    'constants.expressions': expressions,
    'constants.alternatives': alternatives,
    'constants.words': words,
  };
}
