import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fail } from '#kit/app-error';
import type { Announce } from '../demo-event.ts';
import { writePlace } from '../system/service-environment.ts';
import { SERVICE_NAMES, type ServiceName } from '../system/service-names.ts';
import type { ControlMessage, World } from '../system/world.ts';

/**
 * Starts a process that calls `runService(args[0], its environment)`. Its standard input and output must be pipes. `env` is
 * to be added to what a process needs anyway.
 */
export type SpawnService = (args: string[], env: Readonly<Record<string, string>>) => ChildProcess;

interface RunningService {
  readonly name: ServiceName;
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  readonly restarts: number;
}

export interface Supervisor {
  services(): RunningService[];
  /** Tells every process, and those that are started later. */
  setWorld(world: World): void;
  /** Replaces the process: the new one serves before the old one ends. */
  restart(name: ServiceName): void;
  close(): Promise<void>;
}

interface Slot {
  readonly name: ServiceName;
  port: number;
  restarts: number;
  startedAt: number;
  current?: ChildProcess;
  timer?: NodeJS.Timeout;
}

const READY_MS = 30_000;
const KILL_MS = 3_000;
const BACKOFF_MS = 400;
const MOST_BACKOFF_MS = 1_600;
/** Whoever has lived this long starts anew without back-off. */
const STABLE_MS = 20_000;

export interface SupervisorOptions {
  readonly spawn: SpawnService;
  readonly env: Readonly<Record<string, string>>;
  readonly announce: Announce;
}

/** Keeps one process for each service running, and starts those again that die. */
export async function startSupervisor({ spawn, env, announce }: SupervisorOptions): Promise<Supervisor> {
  const slots: Slot[] = SERVICE_NAMES.map((name) => ({ name, port: 0, restarts: 0, startedAt: 0 }));
  const alive = new Set<ChildProcess>();
  let world: World = {};
  let closing = false;

  const tell = (child: ChildProcess, message: ControlMessage): void => {
    if (child.stdin?.writable) child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  const peers = (): Record<string, string> =>
    Object.fromEntries(
      slots.filter(({ port }) => port).map(({ name, port }) => [name, `http://127.0.0.1:${port}`]),
    );
  const tellPeers = (): void => {
    for (const child of alive) tell(child, { peers: peers() });
  };

  const launch = (slot: Slot): Promise<void> => {
    const before = slot.current;
    const child = spawn([slot.name], { ...env, ...writePlace(slot.port, slot.restarts) });
    if (!child.stdin || !child.stdout)
      throw fail('internal', 'A service of the demo was started without pipes.');
    slot.current = child;
    slot.startedAt = Date.now();
    alive.add(child);
    // The exit tells that it is gone; a message that came too late is of no use.
    child.stdin.on('error', () => undefined);
    tell(child, { world, peers: peers() });
    const said = lastWords(child);
    const ready = untilReady(child, slot.name, said).then((port) => {
      slot.port = port;
      announce({ type: 'service.started', service: slot.name, pid: child.pid ?? 0, restarts: slot.restarts });
      tellPeers();
      if (before) void end(before);
    });
    child.once('close', (code) => {
      alive.delete(child);
      if (closing || slot.current !== child) return;
      announce({ type: 'service.crashed', service: slot.name, code });
      if (Date.now() - slot.startedAt > STABLE_MS) slot.restarts = 0;
      slot.restarts += 1;
      const backoff = Math.min(MOST_BACKOFF_MS, BACKOFF_MS * 2 ** (slot.restarts - 1));
      slot.timer = setTimeout(() => void relaunch(slot), backoff);
    });
    return ready;
  };
  /** One that does not come up has closed, and that starts the next one. */
  const relaunch = (slot: Slot): Promise<void> => launch(slot).catch(() => undefined);

  try {
    await Promise.all(slots.map(launch));
  } catch (error) {
    closing = true;
    await Promise.all([...alive].map(end));
    throw error;
  }
  return {
    services: () =>
      slots.map(({ name, port, current, restarts }) => ({
        name,
        port,
        url: `http://127.0.0.1:${port}`,
        pid: current && alive.has(current) ? current.pid : undefined,
        restarts,
      })),
    setWorld: (next) => {
      world = next;
      for (const child of alive) tell(child, { world });
    },
    restart: (name) => {
      const slot = slots.find((one) => one.name === name);
      if (!slot || closing) return;
      clearTimeout(slot.timer);
      slot.restarts = 0;
      void relaunch(slot);
    },
    close: async () => {
      closing = true;
      for (const { timer } of slots) clearTimeout(timer);
      await Promise.all([...alive].map(end));
    },
  };
}

/** Closes its input, which ends a service, and makes sure of it. */
function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), KILL_MS);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    child.stdin?.end();
  });
}

function untilReady(child: ChildProcess, name: ServiceName, said: () => string): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (why: string): void => {
      clearTimeout(timer);
      reject(fail('backend.unreachable', `${name} of the demo did not start: ${why}${said()}`));
    };
    const timer = setTimeout(() => {
      failed('it was not ready in time.');
      child.kill('SIGKILL');
    }, READY_MS);
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const port = /^\{"port":(\d+)\}$/.exec(line)?.[1];
        if (port === undefined) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
    child.once('error', (error) => failed(error.message));
    child.once('close', (code) => failed(`it ended with code ${code}.`));
  });
}

const MOST_WORDS = 2_000;

function lastWords(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-MOST_WORDS);
  });
  return () => (text ? `\n${text.trim()}` : '');
}
