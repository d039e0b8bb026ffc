import type { KnownSecrets } from '#kit/redact';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fail } from '#kit/app-error';
import type { RegistryEntry } from '#spec/data';
import type { HubFile } from '#spec/ports';
import { judgeSkill } from '../guard/index.ts';
import { badPath } from './check-paths.ts';
import type { HubDeps } from './hub-deps.ts';
import { type Agree, type HubPublished, type HubRefused, refused } from './hub-records.ts';
import { pickSkill } from './pick-skill.ts';
import { parseIndex } from './registry.ts';
import { lockedFiles } from './tree-digest.ts';

export interface PublishOptions {
  /** The skill's folder, relative to the skills of the home. */
  readonly path: string;
  /** The folder that gets the archive and `index.json`. */
  readonly to: string;
  readonly publisher: string;
  /** Where the archive will be found; without it, beside the index. */
  readonly baseUrl?: string;
  readonly agree?: Agree;
}

/** Makes an archive and an entry of an index. What is dangerous or holds credentials does not leave the house. */
export async function publishSkill(
  deps: HubDeps,
  options: PublishOptions,
): Promise<HubPublished | HubRefused> {
  const { path, to, publisher, baseUrl, agree } = options;
  const folder = await deps.place.read(path);
  if (!folder) throw fail('input.invalid', `There is no skill at skills/${path}.`);
  const bad = badPath(folder.files.map((file) => file.path));
  if (bad !== undefined) return refused(path, 'bad_path', [bad]);
  const picked = pickSkill({ files: folder.files, odd: folder.links }, deps.parse);
  if ('reason' in picked) return refused(path, picked.reason, picked.details);
  const { skill, files } = picked;
  const { verdict, findings } = judgeSkill(files);
  const leaks = [
    ...findings.filter(({ rule }) => rule.startsWith('credentials.')).map((finding) => finding.path),
    ...holding(files, deps.secrets?.() ?? []),
  ];
  if (leaks.length > 0) return refused(skill.name, 'credentials', [...new Set(leaks)], findings);
  if (verdict === 'dangerous') return refused(skill.name, 'dangerous', [], findings);
  const source = { kind: 'folder' as const, at: `skills/${path}` };
  const { name, version, description } = skill;
  if (verdict === 'caution') {
    if (!agree) return refused(name, 'needs_agreement', [], findings);
    const proposal = {
      action: 'publish' as const,
      name,
      version,
      description,
      path,
      source,
      publisher,
      trust: 'community' as const,
      verdict,
      findings,
      files: lockedFiles(files),
      needsYes: true,
    };
    if (!(await agree(proposal))) return refused(name, 'declined', [], findings);
  }
  const file = `${name}-${version.replace(/[^\w.-]/g, '_')}.tar.gz`;
  const bytes = deps.outlet.pack(name, files);
  const url = baseUrl === undefined ? file : `${baseUrl.replace(/\/+$/, '')}/${file}`;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const entry: RegistryEntry = { name, description, version, url, sha256, publisher };
  const [archive, index] = [join(to, file), join(to, 'index.json')];
  const before = await deps.outlet.read(index);
  const others = before === undefined ? [] : parseIndex(before, index).filter((one) => one.name !== name);
  await deps.outlet.write(archive, bytes);
  const sorted = [...others, entry].sort((one, other) => (one.name < other.name ? -1 : 1));
  await deps.outlet.write(
    index,
    new TextEncoder().encode(`${JSON.stringify({ skills: sorted }, undefined, 2)}\n`),
  );
  return { status: 'published', name, archive, index, entry, findings };
}

/** Files that hold a value which is known to be secret. */
function holding(files: readonly HubFile[], secrets: KnownSecrets): string[] {
  const values = secrets.map((secret) => (typeof secret === 'string' ? secret : secret.value));
  const long = values.filter((secret) => secret.length >= 6);
  return files
    .filter(({ bytes }) => long.some((secret) => Buffer.from(bytes).includes(secret)))
    .map((file) => file.path);
}
