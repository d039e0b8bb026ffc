import { z } from 'zod';
import { MaintenanceWindow, ServiceProfile, type Topology } from '#spec/data';
import { readHomeYaml } from '../config/home-yaml.ts';
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
  return readHomeYaml(home.file('incidents.yaml'), IncidentFile);
}

/** Who calls whom, as the profiles say. */
export const writtenTopology = ({ services }: IncidentFile): Topology => ({
  edges: services.flatMap(({ service, dependencies }) => dependencies.map((to) => ({ from: service, to }))),
});
