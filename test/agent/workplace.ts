import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '#app/conversation';
import { type Host, openHost } from '#host';
import type { AgentEvent, Caller, ProtocolId, UserPart } from '#spec/data';
import type { ModelServer } from '#testkit/model-server';
import { MODELS } from '../models/endpoints.ts';

export interface Workplace {
  readonly home: string;
  readonly cwd: string;
  /** Opens the home as a new process would. */
  open(): Promise<Host>;
  talk(host: Host, options?: { resume?: string; latest?: boolean; caller?: Caller }): Promise<Conversation>;
  remove(): Promise<void>;
}

/** A home that is set up for the scripted server, and a folder to work in. */
export async function makeWorkplace(
  server: Pick<ModelServer, 'url'>,
  protocol: ProtocolId,
  more = '',
  model: string = MODELS[protocol],
): Promise<Workplace> {
  const root = await mkdtemp(join(tmpdir(), 'hermes-work-'));
  const home = join(root, 'home');
  const cwd = join(root, 'project');
  await Promise.all([mkdir(home), mkdir(join(cwd, '.git'), { recursive: true })]);
  const base = protocol === 'bedrock_converse' ? server.url : `${server.url}/v1`;
  await writeFile(
    join(home, 'config.yaml'),
    `llm:\n  provider: scripted\n  model: ${model}\n${more}providers:\n  scripted:\n    base_url: ${base}\n    api_mode: ${protocol}\n    api_key: k-123456\n`,
  );
  await writeFile(join(cwd, 'notes.txt'), 'pool size 20\nqueue depth 7\n');
  return {
    home,
    cwd,
    open: () =>
      openHost({
        env: { HERMES_HOME: home, HOME: root, PATH: process.env.PATH },
        version: 'test',
        // Tests have no terminal, and stand for a person who has one.
        proof: () => undefined,
      }),
    talk: (host, options = {}) => host.conversation({ ...options, cwd, language: 'en', platform: 'cli' }),
    // A home that was not closed may still be learning from its last turn.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

const said = (text: string): UserPart[] => [{ type: 'text', text }];

/** Runs a turn to its end and gives all its events. */
export async function turn(
  conversation: Conversation,
  text: string,
  signal: AbortSignal = new AbortController().signal,
  onEvent: (event: AgentEvent) => void = () => undefined,
): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of conversation.send(said(text), signal)) {
    events.push(event);
    onEvent(event);
  }
  return events;
}

export function ended(events: readonly AgentEvent[]): string {
  const last = events.findLast(({ type }) => type === 'turn.ended');
  return last?.type === 'turn.ended' ? last.data.status : 'never';
}

export const textOf = (events: readonly AgentEvent[]): string =>
  events.map((event) => (event.type === 'text.delta' ? event.data.text : '')).join('');
