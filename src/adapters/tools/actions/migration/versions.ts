export type Version = readonly [major: number, minor: number, patch: number, pre: string];

/** The version in `v1.2.3`, `^1.2`, `==2.0.0rc1` or `release-3.4`. */
export function parseVersion(text: string): Version | undefined {
  const found =
    /(?:^|[^\w.])[vV]?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:[-.]?((?:alpha|beta|rc|pre|dev|next|canary|a|b)[\w.-]*))?/.exec(
      ` ${text}`,
    );
  if (!found) return undefined;
  return [Number(found[1]), Number(found[2] ?? 0), Number(found[3] ?? 0), found[4] ?? ''];
}

/** Negative where the first comes before the second. What is no version comes first. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parseVersion(a), parseVersion(b)];
  if (!left || !right) return (left ? 1 : 0) - (right ? 1 : 0);
  for (const at of [0, 1, 2] as const) if (left[at] !== right[at]) return left[at] - right[at];
  if (left[3] === right[3]) return 0;
  if (left[3] === '') return 1;
  return right[3] === '' ? -1 : left[3].localeCompare(right[3], 'en', { numeric: true });
}

export function bumpVersion([major, minor, patch]: Version, bump: 'major' | 'minor' | 'patch'): string {
  if (bump === 'major') return `${major + 1}.0.0`;
  return bump === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}
