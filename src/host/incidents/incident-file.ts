import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';
import { readText } from '#adapters/store';
import { mergeProfiles, readProfileNotes } from '#engines/aiops';
import { fail } from '#kit/app-error';
import type { IncidentFile } from '#app/incidents';
import { MaintenanceWindow, ServiceProfile, type Topology, UnattendedGrant } from '#spec/data';
import { definitionOf } from '#spec/data/operations';
import { readHomeYaml } from '../config/home-yaml.ts';
import type { Home } from '../home.ts';

const Written = z.strictObject({
  /** What is known about services before anything happens. */
  services: z.array(ServiceProfile.strict()).default([]),
  /** Rules of the house; read where they are needed. */
  rules: z.array(z.unknown()).default([]),
  /** Planned work: its alerts open no incident. */
  maintenance: z.array(MaintenanceWindow.strict()).default([]),
  /** What may be carried out without asking: low risk, one service, one operation, so often a day. */
  unattended: z
    .array(
      UnattendedGrant.strict().refine(({ operation }) => definitionOf(operation).risk === 'safe_write', {
        path: ['operation'],
        message: 'only an operation that is a safe write can be granted beforehand',
      }),
    )
    .refine(
      (grants) => new Set(grants.map(({ id }) => id)).size === grants.length,
      'two grants have the same id',
    )
    .default([]),
});

/**
 * Reads `incidents.yaml`: what people know about their services. A missing file is fine. What the folder `runbook_profiles` and
 * the notebook SERVICE_PROFILE.md tell is added to it; where they differ, the file counts, then the folder.
 */
export async function readIncidentFile(home: Home): Promise<IncidentFile> {
  const path = home.file('incidents.yaml');
  const { services, maintenance, unattended } = await readHomeYaml(path, Written);
  const notebook = await readText(join(home.dir('memories'), 'SERVICE_PROFILE.md'));
  return {
    services: mergeProfiles([
      ...services,
      ...(await profilesIn(home.dir('runbook_profiles'))),
      ...readProfileNotes(notebook ?? ''),
    ]),
    maintenance,
    unattended,
    text: (await readText(path)) ?? '',
  };
}

/** One service a file, named for it unless the file says otherwise. What could not be read is an error with its place. */
async function profilesIn(folder: string): Promise<ServiceProfile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw fail('config.invalid', `${folder} cannot be read: ${cause.message}`);
  });
  const files = entries
    .filter((entry) => entry.isFile() && !/^(?:\.|readme\b)/i.test(entry.name))
    .map(({ name }) => join(folder, name))
    .toSorted();
  return (await Promise.all(files.map(profilesOf))).flat();
}

async function profilesOf(file: string): Promise<ServiceProfile[]> {
  const kind = extname(file).toLowerCase();
  const service = basename(file, extname(file));
  if (['.yaml', '.yml', '.json'].includes(kind))
    return [
      await readHomeYaml(file, ServiceProfile.extend({ service: z.string().default(service) }).strict()),
    ];
  const told = kind === '.md' ? readProfileNotes((await readText(file)) ?? '') : [];
  if (!told.length)
    throw fail(
      'config.invalid',
      `${file} tells nothing about a service.`,
      'Write YAML with owner, dependencies and signals, or Markdown: a heading with the name of the service and lines such as `dependencies: a, b`.',
    );
  return told;
}

/** Who calls whom, as the profiles say. */
export const writtenTopology = ({ services }: IncidentFile): Topology => ({
  edges: services.flatMap(({ service, dependencies }) => dependencies.map((to) => ({ from: service, to }))),
});
