import { z } from 'zod';
import { alertSources } from '#adapters/alerts';
import type { Text } from '#kit/text';
import { AppError, fail } from '#kit/app-error';
import { KNOCKS, lineBudget } from '#kit/line-budget';
import { steadyClock } from '#kit/steady-clock';
import { webhookContract } from '#spec/api';
import type { InboxMessage } from '#spec/data';
import {
  type AlertSource,
  type AlertSourcePlace,
  defineRoute,
  type Received,
  type Route,
  type RouteAnswer,
  type RouteRequest,
} from '#spec/ports';
import { readHomeYaml } from '../config/home-yaml.ts';
import type { Home } from '../home.ts';
import { peerKnowledge } from '#adapters/processes';
import type { Host } from '../open-host.ts';
import { type HomeIncidents, keepMessage } from '#app/incidents';

type Needs = Pick<Host, 'gate' | 'home' | 'loaded'>;

export interface AlertRoutes {
  readonly routes: readonly Route[];
  /** Ways in that have started. */
  readonly on: readonly string[];
  /** Ways in that did not start, and what they lack. */
  readonly off: readonly { readonly name: string; readonly why: Text | string }[];
}

/**
 * The webhooks under `/gateway`. One that checks signatures and has no secret does not start. `heard` is told of every
 * message of a person, which is on disk by then.
 */
export async function alertRoutes(
  host: Needs,
  incidents: HomeIncidents,
  heard: (message: InboxMessage) => void = () => undefined,
): Promise<AlertRoutes> {
  const routes: Route[] = [];
  const on: string[] = [];
  const off: { name: string; why: Text | string }[] = [];
  const sources = await alertSources();
  const line = lineBudget(KNOCKS, steadyClock());
  const { webhooks } = await readGateway(
    host.home,
    sources.map(({ name }) => name),
  );
  for (const source of sources) {
    const place: AlertSourcePlace = {
      key: (name) => host.loaded.env[name],
      settings: webhooks[source.name],
      now: Date.now,
    };
    const why = source.missing?.(place);
    if (why !== undefined) off.push({ name: source.name, why });
    else {
      on.push(source.name);
      routes.push(...routesOf(source, place, host, { incidents, heard, line }));
    }
  }
  return { routes, on, off };
}

/** A name with a slip in it would be a webhook that never starts: it is an error with its place. */
export async function readGateway(
  home: Pick<Home, 'file'>,
  known: readonly string[],
): Promise<{ readonly webhooks: Readonly<Record<string, unknown>> }> {
  const webhooks = z.strictObject(Object.fromEntries(known.map((name) => [name, z.unknown().optional()])));
  const schema = z.strictObject({ webhooks: webhooks.nullish() });
  const read = await readHomeYaml(home.file('gateway.yaml'), schema);
  return { webhooks: read.webhooks ?? {} };
}

interface ActParts {
  readonly incidents: HomeIncidents;
  readonly heard: (message: InboxMessage) => void;
  /** Whether an address may cause one more line in the audit log. */
  readonly line: ReturnType<typeof lineBudget>;
}

function routesOf(source: AlertSource, place: AlertSourcePlace, host: Needs, parts: ActParts): Route[] {
  const handle = async (request: RouteRequest): Promise<RouteAnswer> => {
    const told = { host, source, request, line: parts.line };
    const received = await audited(told, () => source.receive(request, place));
    try {
      const work = () => act(received, source, request, parts);
      // What is said about an approval has its own lines.
      const answer = received.kind === 'approval' ? work() : audited(told, work);
      return (await answer) ?? { status: 200, body: { ok: true } };
    } catch (thrown) {
      // It was not taken in: when it is sent again, it is no repetition.
      if (received.kind !== 'answer') received.undo?.();
      throw thrown;
    }
  };
  return source.paths.flatMap((path) =>
    source.methods.map((method) =>
      defineRoute({ ...webhookContract({ name: source.name, method, path, auth: source.auth }), handle }),
    ),
  );
}

interface Refusable extends Pick<ActParts, 'line'> {
  readonly host: Needs;
  readonly source: AlertSource;
  readonly request: RouteRequest;
}

/** What is refused leaves a line in the audit log: somebody tried. Of a flood, one line tells how many there were. */
async function audited<T>({ host, source, request, line }: Refusable, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.record.code.startsWith('input.')) {
      const address = request.peer?.address ?? '';
      const leftOut = line(address);
      if (leftOut === undefined) throw thrown;
      const { audit } = await host.gate();
      await audit.append('webhook.refused', requester(host, source.name), {
        path: request.path,
        address,
        code: thrown.record.code,
        reason: thrown.record.message,
        ...(leftOut > 0 ? { leftOut } : {}),
      });
    }
    throw thrown;
  }
}

const requester = ({ home }: Needs, platform: string) => ({
  caller: 'api' as const,
  platform,
  profile: home.profile,
  session: 'webhook',
  user: '',
});

async function act(
  received: Received,
  { name }: AlertSource,
  { principal, peer }: RouteRequest,
  { incidents, heard }: ActParts,
): Promise<RouteAnswer | undefined> {
  switch (received.kind) {
    case 'answer':
      return received.answer;
    case 'alerts': {
      // Whoever sends an alert with a token asks for what follows from it, and so may not agree to it alone.
      const by = principal && { by: principal.user };
      const admitted = await incidents.take({ source: name, alerts: received.alerts, ...by });
      return received.ack ?? { status: 200, body: { alerts: admitted } };
    }
    case 'approval': {
      const { approval, granted, confirmation, user } = received.word;
      // What signs it lies in the home.
      if (granted && peer && peerKnowledge.fromCommand(peer))
        throw fail(
          'input.forbidden',
          'Only a person can agree to this, and this comes from a command that Hermes ran.',
        );
      await incidents.decide(approval, {
        granted,
        by: { channel: name, user },
        ...(confirmation === undefined ? {} : { confirmation }),
      });
      return received.ack;
    }
    case 'message':
      heard(
        await keepMessage(incidents, {
          source: name,
          text: received.text,
          user: received.user || principal?.user || '',
          ...(received.chat ? { chat: received.chat } : {}),
        }),
      );
      return received.ack;
  }
}
