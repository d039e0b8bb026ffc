import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/** A block of code of a document, and the line it begins at. */
interface Snippet {
  readonly document: string;
  readonly line: number;
  readonly code: string;
  /** Where it would stand as a file: its relative imports begin there. */
  readonly folders: readonly string[];
}

/**
 * What does not hold in the TypeScript of the documents: it is compiled against the tree. A snippet is a part of
 * something, so a name that it does not declare may be anything; what it imports and how it uses that has to fit.
 */
export function snippetViolations(root: string, documents: readonly string[]): string[] {
  const files = new Map<string, Snippet>();
  for (const document of documents) {
    for (const [at, block] of blocksOf(readFileSync(join(root, document), 'utf8')).entries()) {
      const folders = foldersFor(root, document, `${block.before}${block.code}`);
      // Beside the tree and not in it: the names with # are looked up from the root.
      files.set(join(root, `${document.replaceAll('/', '~')}.${at}.${block.language}`), {
        ...block,
        document,
        folders,
      });
    }
  }
  if (!files.size) return [];
  const program = ts.createProgram([...files.keys()], OPTIONS, hostFor(root, files));
  const found = [...files].flatMap(([file, snippet]) => {
    const source = program.getSourceFile(file);
    if (!source) throw new Error(`${file} was not read`);
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
      .filter((problem) => !isLeftOut(problem))
      .map(({ start = 0, messageText }) => {
        const line = snippet.line + ts.getLineAndCharacterOfPosition(source, start).line + 1;
        return `${snippet.document}:${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      });
  });
  return [...new Set(found)];
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
  jsx: ts.JsxEmit.ReactJSX,
  strict: true,
  noImplicitAny: false,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Names that are not declared, in their several forms; a part of a function; what may be undefined. */
const PARTIAL = new Set([2304, 2503, 2552, 18004, 1108, 2532, 18047, 18048]);
const NO_MODULE = 2307;

/** Other people's packages may not be installed. */
const isLeftOut = ({ code, messageText }: ts.Diagnostic): boolean =>
  PARTIAL.has(code) ||
  (code === NO_MODULE && !/module '[.#]/.test(ts.flattenDiagnosticMessageText(messageText, ' ')));

function hostFor(root: string, files: ReadonlyMap<string, Snippet>): ts.CompilerHost {
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile } = host;
  const cache = ts.createModuleResolutionCache(root, (name) => name, OPTIONS);
  host.getCurrentDirectory = () => root;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file)?.code ?? readFile(file);
  host.getSourceFile = (file, options) => {
    const text = host.readFile(file);
    return text === undefined ? undefined : ts.createSourceFile(file, text, options);
  };
  host.resolveModuleNameLiterals = (names, from, _redirected, options) =>
    names.map((name) => {
      const places = files.get(from)?.folders ?? [dirname(from)];
      const found = places
        .map((place) => resolve(place, name.text))
        .find((file) => name.text.startsWith('.') && existsSync(file));
      const asked = found ?? name.text;
      return ts.resolveModuleName(asked, from, options, host, cache, undefined, ts.ModuleKind.ESNext);
    });
  return host;
}

/** The blocks of TypeScript of a document, each with the text before it. */
function blocksOf(text: string) {
  return [...text.matchAll(/^```(tsx?)\n(.*?)^```$/gms)].map(
    ({ 1: language = 'ts', 2: code = '', index }) => ({
      language,
      code: `${code}\nexport {};\n`,
      line: text.slice(0, index).split('\n').length,
      before: text.slice(0, index),
    }),
  );
}

/** The document's own folder, the ones around it, and the one that is named last: before the block, or in it. */
function foldersFor(root: string, document: string, text: string): string[] {
  const own = dirname(join(root, document));
  const below = readdirSync(own, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const named = [...text.matchAll(/(?:`|^\/\/ )((?:src|testkit|bench|console)\/[^`\s]*\/)[^`\s/]*/gm)].at(
    -1,
  )?.[1];
  return [
    own,
    dirname(own),
    ...below.map(({ name }) => join(own, name)),
    ...(named ? [join(root, named)] : []),
  ];
}
