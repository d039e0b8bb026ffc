import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Node } from 'web-tree-sitter';

type ListCommands = (text: string) => readonly (readonly string[])[] | undefined;

let loading: Promise<ListCommands> | undefined;

/**
 * A second opinion about which commands stand in a text, from tree-sitter's grammar of bash. Loaded once, when it is
 * first asked for; what it gives works synchronously. A text that the grammar cannot read gives undefined.
 * A command whose name is not literal is left out.
 */
export function loadCommandLister(): Promise<ListCommands> {
  loading ??= load().catch((error: unknown) => {
    // The next call may try again.
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<ListCommands> {
  const { Language, Parser } = await import('web-tree-sitter');
  const require = createRequire(import.meta.url);
  await Parser.init({ wasmBinary: await readFile(require.resolve('web-tree-sitter/web-tree-sitter.wasm')) });
  const bash = await Language.load(await readFile(require.resolve('tree-sitter-bash/tree-sitter-bash.wasm')));
  const parser = new Parser().setLanguage(bash);
  return (text) => {
    const tree = parser.parse(text);
    if (!tree) return undefined;
    try {
      if (tree.rootNode.hasError) return undefined;
      return tree.rootNode
        .descendantsOfType(['command', 'declaration_command', 'unset_command'])
        .flatMap((node) => (node ? (wordsOf(node) ?? []).slice(0, 1) : []));
    } finally {
      tree.delete();
    }
  };
}

const SKIPPED = new Set(['file_redirect', 'heredoc_redirect', 'herestring_redirect', 'variable_assignment']);

function wordsOf(command: Node): string[][] | undefined {
  const words: string[] = [];
  for (const child of command.children) {
    if (!child || SKIPPED.has(child.type)) continue;
    const word = literalText(child);
    if (word === undefined && words.length === 0) return undefined;
    words.push(word ?? child.text);
  }
  return words.length > 0 ? [words] : undefined;
}

/** The value of a word without its quotes; undefined when something in it has to be expanded first. */
function literalText(node: Node): string | undefined {
  switch (node.type) {
    case 'raw_string':
      return node.text.slice(1, -1);
    case 'ansi_c_string':
    case 'translated_string':
      return undefined;
    case 'string':
      return node.namedChildren.every((child) => child?.type === 'string_content')
        ? unescapeQuoted(node.text.slice(1, -1))
        : undefined;
    case 'word':
    case 'number':
    case 'special_character':
      return node.text.replace(/\\\n/g, '').replace(/\\([\s\S])/g, '$1');
    case 'command_name':
    case 'concatenation': {
      const parts = node.children.map((child) => (child ? literalText(child) : ''));
      return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
    }
    default:
      return node.namedChildCount === 0 && !node.text.includes('$') ? node.text : undefined;
  }
}

const unescapeQuoted = (text: string): string => text.replace(/\\\n/g, '').replace(/\\([$`"\\])/g, '$1');
