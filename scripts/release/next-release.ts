/** The parts of a release that are only text: which version comes next, and what the changed files say. */

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;
const UNRELEASED = '## [Unreleased]\n';

/** `major`, `minor`, `patch`, or a version that is later than the last one. */
export function nextVersion(last: string, asked: string): string {
  const [major = 0, minor = 0, patch = 0] = numbersOf(last);
  const named: Readonly<Record<string, string>> = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  };
  const next = named[asked] ?? asked;
  const [a = 0, b = 0, c = 0] = numbersOf(next);
  const later = a - major || b - minor || c - patch;
  if (later <= 0) throw new Error(`${next} does not come after ${last}`);
  return next;
}

function numbersOf(version: string): number[] {
  const found = VERSION.exec(version);
  if (!found) throw new Error(`'${version}' is no version: major, minor, patch or a number such as 1.2.3`);
  return found.slice(1).map(Number);
}

/** What was unreleased becomes a section of its own. A release with nothing in it is refused. */
export function cutChangelog(text: string, version: string, day: string): string {
  const [head, rest] = text.split(UNRELEASED);
  if (head === undefined || rest === undefined) throw new Error('the changelog has no section Unreleased');
  const end = rest.search(/^## /m);
  const news = (end < 0 ? rest : rest.slice(0, end)).trim();
  if (!news) throw new Error('nothing is unreleased: the changelog has to say what is new');
  const older = end < 0 ? '' : `\n\n${rest.slice(end).trim()}`;
  return `${head}${UNRELEASED}\n## [${version}] - ${day}\n\n${news}${older}\n`;
}

/** The same file with another version: of a package, and in a lock file of every package of this workspace. */
export function withVersion(json: string, last: string, next: string): string {
  const record = JSON.parse(json) as { version: string; packages?: Record<string, { version?: string }> };
  if (record.version !== last) throw new Error(`a package says ${record.version} instead of ${last}`);
  record.version = next;
  for (const [path, entry] of Object.entries(record.packages ?? {}))
    if (!path.includes('node_modules/') && entry.version === last) entry.version = next;
  return `${JSON.stringify(record, undefined, 2)}\n`;
}
