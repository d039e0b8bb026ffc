import { basename } from 'node:path';
import { probeDatabase } from '#adapters/store';
import { reachBook } from '#kit/reach-book';
import type { Reach } from '#spec/data';
import type { Host } from '../open-host.ts';
import { modelReach } from './model-reach.ts';
import { mcpReach } from './mcp-reach.ts';
import type { IncidentBackends } from '#app/incidents';
import type { AskingManner, HomeReach, PartReachable, ReachedThing, ReachPart } from '#app/status';
import { homeDatabases } from '../home-databases.ts';
import { openIncidentBackends } from '../incidents/open-incident-backends.ts';

type Needs = Pick<Host, 'home' | 'loaded' | 'log' | 'mcp' | 'models' | 'plugins'>;

interface OpenReachOptions extends AskingManner {
  readonly backends: Pick<IncidentBackends, 'listed'>;
  readonly onTurn?: (thing: ReachedThing, before: Reach) => void;
}

/** The book of everything that a home reaches out to. Nothing is asked yet. */
export async function openReach(host: Needs, options: OpenReachOptions): Promise<HomeReach> {
  const { backends, onTurn } = options;
  const listed = (part: 'telemetry' | 'executors'): PartReachable[] =>
    backends.listed.filter((one) => one.part === part);
  const parts: Readonly<Record<ReachPart, readonly PartReachable[]>> = {
    model: await modelReach(host),
    telemetry: listed('telemetry'),
    executors: listed('executors'),
    mcp: await mcpReach(host, options),
    stores: homeDatabases(host).map((file) => ({
      name: basename(file.path),
      probe: () => probeDatabase(file, { thorough: options.onDemand }),
    })),
  };
  const things = Object.entries(parts).flatMap(([part, own]) =>
    own.map((thing) => ({ ...thing, part: part as ReachPart, id: `${part}/${thing.name}` })),
  );
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const book = reachBook(things, {
    now: Date.now,
    onTurn: (id, before, reach) => {
      const thing = byId.get(id);
      if (thing) onTurn?.({ part: thing.part, name: thing.name, reach }, before);
    },
  });
  return {
    askAll: book.askAll,
    watch: book.watch,
    things: () =>
      things.map(({ id, part, name }) => ({ part, name, reach: book.reach(id) ?? { state: 'waiting' } })),
  };
}

/**
 * The same for somebody who waits for the answer, in a process that does not serve the home. Throws what keeps
 * `backends.yaml` from being read.
 */
export async function openOwnReach(host: Needs & Pick<Host, 'onClose'>): Promise<HomeReach> {
  const backends = await openIncidentBackends(host);
  host.onClose(() => backends.close());
  return openReach(host, { backends, onDemand: true });
}
