import type { LockedSkill } from '#spec/data';
import type { HubFile } from '#spec/ports';
import type { HubAudit } from './hub-records.ts';
import { lockedFiles } from './tree-digest.ts';

/** How a folder differs from what the lockfile says of it. */
export function changesOf(
  skill: LockedSkill,
  now: { readonly files: readonly HubFile[]; readonly links: readonly string[] },
): HubAudit['changes'] {
  const wanted = new Map(skill.files.map((file) => [file.path, file.sha256]));
  const present = new Map(lockedFiles(now.files).map((file) => [file.path, file.sha256]));
  return [
    ...now.links.map((path) => ({ path, change: 'link' as const })),
    ...[...wanted].flatMap(([path, sha256]) => {
      const found = present.get(path);
      if (found === sha256) return [];
      return [{ path, change: found === undefined ? ('removed' as const) : ('changed' as const) }];
    }),
    ...[...present.keys()]
      .filter((path) => !wanted.has(path))
      .map((path) => ({ path, change: 'added' as const })),
  ];
}
