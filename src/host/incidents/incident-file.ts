import { z } from 'zod';
import { parse } from 'yaml';
import { readText } from '#adapters/store';
import { fail } from '#kit/app-error';
import { MaintenanceWindow, ServiceProfile, type Topology } from '#spec/data';
import type { Home } from '../home.ts';

const IncidentFile = z.strictObject({
  /** What is known about services before anything happens. */
  services: z.array(ServiceProfile.strict()).default([]),
  /** Rules of the house; read where they are needed. */
  rules: z.array(z.unknown()).default([]),
  /** Planned work: its alerts open no incident. */
  maintenance: z.array(MaintenanceWindow.strict()).default([]),
});
export type IncidentFile = z.infer<typeof IncidentFile>;

/** Reads `incidents.yaml`: what people know about their services. A missing file is fine. */
export async function readIncidentFile(home: Home): Promise<IncidentFile> {
  const path = home.file('incidents.yaml');
  const read = IncidentFile.safeParse((await readYamlFile(path)) ?? {});
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') || 'the file';
  throw fail('config.invalid', `${path}: ${where}: ${issue?.message ?? 'it is not valid'}`);
}

/** A YAML file as data, undefined where there is none. */
export async function readYamlFile(path: string): Promise<unknown> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  try {
    return parse(text) as unknown;
  } catch (cause) {
    throw fail('config.invalid', `${path}: ${(cause as Error).message}`, undefined, cause);
  }
}

/** Who calls whom, as the profiles say. */
export const writtenTopology = ({ services }: IncidentFile): Topology => ({
  edges: services.flatMap(({ service, dependencies }) => dependencies.map((to) => ({ from: service, to }))),
});
