import { parseDocument } from 'yaml';

const FRONT = /^---\n([\s\S]*?)\n---/;

/** Changes fields of a document's frontmatter and leaves the rest of the file as it is. */
export function editFront(text: string, fields: Readonly<Record<string, unknown>>): string {
  const front = FRONT.exec(text)?.[1];
  if (front === undefined) return text;
  const document = parseDocument(front);
  for (const [path, value] of Object.entries(fields)) document.setIn(path.split('.'), value);
  return text.replace(FRONT, () => `---\n${document.toString().trimEnd()}\n---`);
}

export function readFront(text: string, path: string): unknown {
  const front = FRONT.exec(text)?.[1];
  const value = front === undefined ? undefined : parseDocument(front).getIn(path.split('.'));
  return value !== null &&
    typeof value === 'object' &&
    'toJSON' in value &&
    typeof value.toJSON === 'function'
    ? (value.toJSON() as unknown)
    : value;
}
