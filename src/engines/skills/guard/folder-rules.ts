import { hasHidden } from '#kit/hidden-characters';
import type { SkillFinding } from '#spec/data';
import { MOST_BYTES, MOST_FILE_BYTES, MOST_FILES } from './limits.ts';
import { isMixed } from './look-alikes.ts';
import type { Severity } from './rule.ts';
import type { SkillPart } from './skill-part.ts';

const PROGRAMS: readonly (readonly number[])[] = [
  [0x7f, 0x45, 0x4c, 0x46],
  [0x4d, 0x5a],
  [0xfe, 0xed, 0xfa],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xca, 0xfe, 0xba, 0xbe],
  [0x00, 0x61, 0x73, 0x6d],
  [0xdf, 0xa4],
];
const PICTURES = /\.(?:png|jpe?g|gif|webp|ico|svg|bmp|pdf|woff2?|ttf|otf|mp3|mp4|wav|webm)$/i;
const PROGRAM_NAME =
  /\.(?:exe|dll|so(?:\.\d+)*|dylib|pyc|pyo|class|jar|war|wasm|node|msi|app|deb|rpm|apk|com|scr|bin)$/i;
const PACKED = /\.(?:zip|tar|t?gz|bz2|xz|7z|rar|whl|egg|iso|dmg)$/i;
const SECRET_NAME =
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template|dist)\w+)?|id_(?:rsa|ed25519|ecdsa|dsa)|credentials|\.netrc|\.npmrc|\.pypirc|[^/]*\.(?:pem|p12|pfx|key|kdbx))$/i;

/** What can be said of a folder before a word of it is read. */
export function folderFindings(parts: readonly SkillPart[]): SkillFinding[] {
  const found: SkillFinding[] = [];
  const report = (path: string, rule: string, severity: Severity, shown = path) =>
    found.push({ path, line: 0, rule, severity, shown });
  if (parts.length > MOST_FILES)
    report('', 'folder.too-many-files', 'dangerous', `${parts.length} > ${MOST_FILES}`);
  const total = parts.reduce((sum, part) => sum + sizeOf(part), 0);
  if (total > MOST_BYTES) report('', 'folder.too-large', 'dangerous', `${total} > ${MOST_BYTES}`);
  for (const part of parts.slice(0, MOST_FILES * 4)) {
    const { path } = part;
    if ('link' in part) report(path, 'folder.link', 'dangerous');
    if (sizeOf(part) > MOST_FILE_BYTES)
      report(path, 'folder.file-too-large', 'dangerous', `${path}: ${sizeOf(part)}`);
    if (hasHidden(path) || /[\n\r\t]/.test(path)) report(path, 'folder.hidden-name', 'dangerous');
    else if (isMixed(path)) report(path, 'folder.look-alike-name', 'dangerous');
    if (/(?:^|\/)\.(?!gitignore$|gitkeep$|env\.(?:example|sample|template)$)/.test(path))
      report(path, 'folder.dot-file', 'notice');
    if (SECRET_NAME.test(path)) report(path, 'credentials.file', 'caution');
    if (/(?:^|\/)\.git\//.test(path)) report(path, 'folder.git-data', 'dangerous');
    if (PROGRAM_NAME.test(path)) report(path, 'folder.program', 'dangerous');
    else if (PACKED.test(path)) report(path, 'folder.packed', 'caution');
    else if ('bytes' in part) binary(part.path, part.bytes, report);
  }
  return found;
}

function binary(
  path: string,
  bytes: Uint8Array,
  report: (path: string, rule: string, severity: Severity) => void,
): void {
  if (PROGRAMS.some((magic) => magic.every((byte, index) => bytes[index] === byte))) {
    report(path, 'folder.program', 'dangerous');
  } else if (textOf(bytes) === undefined && !PICTURES.test(path)) report(path, 'folder.binary', 'caution');
}

/** The text of a file, or undefined for what is none. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, 8192).includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof TypeError) return undefined;
    throw cause;
  }
}

/** A file that says it is text and is not could hold anything. */
export const sizeOf = (part: SkillPart): number =>
  'bytes' in part ? part.bytes.length : 'text' in part ? Buffer.byteLength(part.text) : 0;
