import { z } from 'zod';
import { readText } from '#adapters/store';
import type { IncidentFile } from '#app/incidents';
import { MaintenanceWindow, ServiceProfile, type Topology } from '#spec/data';
import { readHomeYaml } from '../config/home-yaml.ts';
import type { Home } from '../home.ts';

const Written = z.strictObject({
  /** What is known about services before anything happens. */
  services: z.array(ServiceProfile.strict()).default([]),
  /** Rules of the house; read where they are needed. */
  rules: z.array(z.unknown()).default([]),
  /** Planned work: its alerts open no incident. */
  maintenance: z.array(MaintenanceWindow.strict()).default([]),
});

/** Reads `incidents.yaml`: what people know about their services. A missing file is fine. */
export async function readIncidentFile(home: Home): Promise<IncidentFile> {
  const path = home.file('incidents.yaml');
  const { services, maintenance } = await readHomeYaml(path, Written);
  return { services, maintenance, text: (await readText(path)) ?? '' };
}

/** Who calls whom, as the profiles say. */
export const writtenTopology = ({ services }: IncidentFile): Topology => ({
  edges: services.flatMap(({ service, dependencies }) => dependencies.map((to) => ({ from: service, to }))),
});
