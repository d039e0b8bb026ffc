import type { Incident } from '#spec/data';
import type { CrashWorld } from './crash-world.ts';
import type { KillPoint } from './kill-points.ts';

export interface WaveResult {
  readonly killed: readonly KillPoint[];
  /** The incident of each service as it ended; undefined where there is none. */
  readonly incidents: readonly (Incident | undefined)[];
}

const LOOK_MS = 10;
const AGREE_MS = 50;
const MOST_MS = 60_000;
const SOME_MOMENT_MS = 2_500;

/**
 * Some services fail at once. The process is killed whenever the incident of the first one has come to a point of the
 * plan; the others are wherever they happen to be. Somebody agrees to everything as soon as it is asked.
 */
export async function crashWave(
  world: CrashWorld,
  services: readonly string[],
  plan: readonly KillPoint[],
): Promise<WaveResult> {
  const [watched = ''] = services;
  const ends = performance.now() + MOST_MS;
  const over = () => performance.now() > ends;
  const killed: KillPoint[] = [];
  const hit = world.hit(services);
  const killing = async (): Promise<void> => {
    for (const point of plan) {
      const moment = performance.now() + Math.random() * SOME_MOMENT_MS;
      while (!over() && !(await isThere(world, watched, point, moment))) await pause(LOOK_MS);
      if (over()) return;
      await world.kill();
      killed.push(point);
    }
  };
  const agreeing = async (): Promise<void> => {
    for (;;) {
      const pending = await world.api.approvals().catch(() => []);
      for (const { id } of pending) await world.api.approve(id).catch(() => undefined);
      const found = await incidentsOf(world, services);
      if (over() || found.every((incident) => incident?.lesson)) return;
      await pause(AGREE_MS);
    }
  };
  await Promise.all([hit, killing(), agreeing()]);
  return { killed, incidents: await incidentsOf(world, services) };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function incidentsOf(
  { api }: CrashWorld,
  services: readonly string[],
): Promise<readonly (Incident | undefined)[]> {
  const found = await Promise.all(services.map((service) => api.incidents(service).catch(() => [])));
  return found.map(([incident]) => incident);
}

async function isThere(
  world: CrashWorld,
  service: string,
  point: KillPoint,
  moment: number,
): Promise<boolean> {
  if (point === 'some moment') return performance.now() >= moment;
  if (point === 'target asked for a rehearsal') return world.seen(service).rehearsals > 0;
  if (point === 'target has the order') return world.seen(service).orders > 0;
  if (point === 'target has done it') return world.seen(service).done;
  const [incident] = await incidentsOf(world, [service]);
  if (!incident) return false;
  const shown = await world.api.incident(incident.id).catch(() => undefined);
  return shown?.facts.some(({ type }) => type === point) ?? false;
}
