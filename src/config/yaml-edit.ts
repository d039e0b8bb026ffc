import { type Document, isCollection, isScalar, isSeq, YAMLMap } from 'yaml';
import { fail } from '#kit/app-error';
import { type ConfigPath, formatPath } from './config-path.ts';
import { readYaml } from './yaml-source.ts';

/** Changes a YAML text in place: comments, order and the way it is laid out stay. */
export function editYaml(text: string, change: (document: Document.Parsed) => void): string {
  const { document } = readYaml(text, '');
  change(document);
  const out = document.toString({ lineWidth: 0, ...layoutOf(text) });
  return text.includes('\r\n') ? out.replaceAll(/\r?\n/g, '\r\n') : out;
}

/** Sets one value, and makes the groups above it where they are missing. */
export function setIn(document: Document.Parsed, path: ConfigPath, value: unknown): void {
  for (let depth = 1; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    const node = document.getIn(above, true);
    if (isScalar(node) && node.value === null) document.setIn(above, emptyGroup(node));
    else if (node !== undefined && !isCollection(node)) throw byHand(above);
    if (isSeq(node) && Number(path[depth]) > node.items.length) {
      const next = formatPath([...above, node.items.length]);
      throw fail('input.invalid', `${formatPath(path)}: the next free place is ${next}`);
    }
  }
  const existing = document.getIn(path, true);
  if (isScalar(existing) && (typeof value !== 'object' || value === null)) existing.value = value;
  else document.setIn(path, document.createNode(value));
}

/** Removes one key or list entry; false when there was none. */
export function deleteIn(document: Document.Parsed, path: ConfigPath): boolean {
  const above = path.slice(0, -1);
  const holder = above.length === 0 ? document.contents : document.getIn(above, true);
  if (holder === undefined || holder === null || isScalar(holder)) return false;
  if (!isCollection(holder)) throw byHand(above);
  return document.deleteIn(path);
}

/** What a key without a value becomes when it gets its first one; its comments go along. */
function emptyGroup(empty: { comment?: string | null; commentBefore?: string | null }): YAMLMap {
  const group = new YAMLMap();
  const comments = [empty.commentBefore, empty.comment].filter((comment) => typeof comment === 'string');
  if (comments.length > 0) group.commentBefore = comments.join('\n');
  return group;
}

function layoutOf(text: string): { indent: number; indentSeq: boolean; flowCollectionPadding: boolean } {
  const indent = /^[^\s#-][^\n]*:[^\S\n]*\r?\n( {1,8})\S/m.exec(text)?.[1]?.length ?? 2;
  return {
    indent,
    indentSeq: !/^( *)[^\s#-][^\n]*:[^\S\n]*\r?\n\1- /m.test(text),
    flowCollectionPadding: !/[[{][^\s\]}]/.test(text.replaceAll('${', '')),
  };
}

function byHand(path: ConfigPath): Error {
  const message = `${formatPath(path)} is not a plain group in config.yaml, so it has to be changed by hand`;
  return fail('input.invalid', message, 'hermes config edit');
}
