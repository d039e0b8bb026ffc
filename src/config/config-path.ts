import { fail } from '#kit/app-error';

/** Keys and list positions from the root of config.yaml. */
export type ConfigPath = readonly (string | number)[];

const SEGMENT = /\.?([^.[\]"]+)|\[(\d+)\]|\.?\[?"((?:[^"\\]|\\.)*)"\]?/y;

/** `llm.fallback[0].model`; a key with a dot in it stands in brackets: `prices["gpt-4.1"].input`. */
export function parsePath(text: string): ConfigPath {
  const path: (string | number)[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < text.length) {
    const match = SEGMENT.exec(text);
    if (!match)
      throw fail(
        'input.invalid',
        `"${text}" is not a key`,
        'Write it like llm.model or llm.fallback[0].model',
      );
    const [, plain, index, quoted] = match;
    if (plain !== undefined) path.push(plain);
    else if (index !== undefined) path.push(Number(index));
    else path.push((quoted ?? '').replace(/\\(.)/g, '$1'));
  }
  return path;
}

export function formatPath(path: ConfigPath): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (/^[^.[\]"]+$/.test(segment)) text += text === '' ? segment : `.${segment}`;
    else text += `["${segment.replace(/["\\]/g, '\\$&')}"]`;
  }
  return text;
}
