/** The next version: its last number grows by one. What has no number gets one. */
export const nextVersion = (version: string): string =>
  /\d/.test(version)
    ? version.replace(/(\d+)(?!.*\d)/, (last) => String(Number(last) + 1))
    : `${version || '1.0'}.1`;

/**
 * The text of a skill file with another version in it. Only that line changes: comments, order and fields that we do
 * not know stay as they were written.
 */
export function withVersion(text: string, path: string, version: string): string {
  const quoted = JSON.stringify(version);
  if (/\.ya?ml$/i.test(path)) {
    const line = /^((?:skill|bundle):[ \t]*\n(?:[ \t]*(?:#.*)?\n)*)([ \t]+)/m.exec(text);
    if (!line) return text;
    const [, , indent = '  '] = line;
    const own = new RegExp(`^${indent}version:.*$`, 'm');
    if (own.test(text)) return text.replace(own, () => `${indent}version: ${quoted}`);
    const after = line.index + (line[1] ?? '').length;
    return `${text.slice(0, after)}${indent}version: ${quoted}\n${text.slice(after)}`;
  }
  const bom = text.startsWith('\ufeff') ? '\ufeff' : '';
  const plain = text.slice(bom.length);
  const front = /^\s*---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(plain);
  if (!front || front.index !== 0) return `${bom}---\nversion: ${quoted}\n---\n\n${plain}`;
  const [block] = front;
  const changed = /^version:.*$/m.test(block)
    ? block.replace(/^version:[^\r\n]*/m, () => `version: ${quoted}`)
    : block.replace(/(---[ \t]*\r?)$/, (fence) => `version: ${quoted}\n${fence}`);
  return bom + changed + plain.slice(block.length);
}
