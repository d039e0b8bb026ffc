import { compareVersions, parseVersion } from './versions.ts';

export interface ChangelogEntry {
  readonly version: string;
  readonly date: string | undefined;
  readonly text: string;
  readonly url?: string;
}

const MOST_ENTRY = 20_000;
/** `## [1.2.0] - 2026-01-02`, `### v1.2.0 (2026-01-02)`, `1.2.0 / 2026-01-02`. */
const HEADING =
  /^(?:#{1,4}\s+(?:\[?|[\w@/.-]+\s+|Version\s+|Release\s+)v?(\d+\.\d+(?:\.\d+)?[\w.+-]*)\]?.*|v?(\d+\.\d+\.\d+[\w.+-]*)\s*(?:[/(—–-].*)?)$/i;

/** The versions that a changelog tells about, in its own order. */
export function parseChangelog(text: string): ChangelogEntry[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const starts = lines.flatMap((line, at) => {
    const found = HEADING.exec(line.trim());
    const version = found?.[1] ?? found?.[2];
    const underlined =
      found?.[2] === undefined || /^[=~-]{3,}\s*$/.test(lines[at + 1] ?? '') || /\d{4}/.test(line);
    return version && underlined ? [{ at, version, date: /\d{4}-\d{2}-\d{2}/.exec(line)?.[0] }] : [];
  });
  return starts.map(({ at, version, date }, index) => ({
    version,
    date,
    text: lines
      .slice(at + 1, starts[index + 1]?.at)
      .filter((line) => !/^[=~-]{3,}\s*$/.test(line))
      .join('\n')
      .trim()
      .slice(0, MOST_ENTRY),
  }));
}

/** The entries after `from` up to `to`, newest first. */
export function between(
  entries: readonly ChangelogEntry[],
  from: string | undefined,
  to: string | undefined,
): ChangelogEntry[] {
  return entries
    .filter(({ version }) => from === undefined || !parseVersion(from) || compareVersions(version, from) > 0)
    .filter(({ version }) => to === undefined || compareVersions(version, to) <= 0)
    .toSorted((a, b) => compareVersions(b.version, a.version));
}
