import { z } from 'zod';
import { messageText, searchSessions } from '#engines/retrieval';
import { fail } from '#kit/app-error';
import { withoutFence } from '#kit/memory-fence';
import { newId } from '#kit/new-id';
import { Session, type StoredMessage, StoredMessage as StoredMessageSchema } from '#spec/data';
import { findSession, localAudience } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';

type Needs = Pick<Dependencies, 'database' | 'redactor'>;

/** A conversation as a file: everything that was said, compacted or not, and what was sent before it. */
const Export = z.object({
  hermes: z.literal('session/1'),
  session: Session,
  prefix: z.object({
    system: z.array(
      z.object({
        text: z.string(),
        segments: z.array(z.object({ name: z.string(), chars: z.number().int() })).optional(),
      }),
    ),
    tools: z.array(
      z.object({ name: z.string(), description: z.string(), input: z.record(z.string(), z.unknown()) }),
    ),
  }),
  messages: z.array(StoredMessageSchema),
});

async function load(deps: Needs, text: string) {
  const id = await findSession(deps, text);
  const { sessions, transcript } = await deps.database();
  const found = await sessions.get(id);
  if (!found) throw fail('input.invalid', `there is no session '${text}'`, 'hermes sessions list');
  return { ...found, messages: await transcript.read(id, ['active', 'archived']) };
}

export async function exportSession(deps: Needs, text: string, format: 'json' | 'markdown'): Promise<string> {
  // Once more: what was stored before a secret was known has it still.
  const { session, prefix, messages } = (await deps.redactor()).deep(await load(deps, text));
  if (format === 'json')
    return `${JSON.stringify({ hermes: 'session/1', session, prefix, messages }, null, 2)}\n`;
  const said = messages.filter(({ kind }) => kind === 'plain').map(markdown);
  const head = `# ${session.title ?? session.id}\n\n${new Date(session.createdAt).toISOString()} · ${session.model ?? ''} · $${session.cost.toFixed(4)}`;
  return `${[head, ...said].join('\n\n')}\n`;
}

function markdown({ message, at }: StoredMessage): string {
  const when = new Date(at).toISOString().slice(11, 16);
  if (message.role === 'tool')
    return `<details><summary>${message.name}${message.isError ? ' (failed)' : ''}</summary>\n\n\`\`\`\n${messageText(message)}\n\`\`\`\n\n</details>`;
  const calls = message.content.flatMap((part) =>
    part.type === 'tool_call' ? [`\`${part.name} ${part.arguments}\``] : [],
  );
  const text = withoutFence<(typeof message.content)[number]>(message.content)
    .map((part) => (part.type === 'text' ? part.text : part.type === 'image' ? '[image]' : ''))
    .join('');
  return `**${message.role === 'user' ? 'User' : 'Hermes'}** ${when}\n\n${[text, ...calls].filter(Boolean).join('\n\n')}`;
}

/** Stores an exported conversation under a new id. */
export async function importSession(
  deps: Needs,
  text: string,
  file: string,
): Promise<{ id: string; messages: number }> {
  const parsed = Export.safeParse(parseJson(text, file));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw fail(
      'input.invalid',
      `${file}: ${issue?.path.join('.')}: ${issue?.message}`,
      'It must be a file that `hermes sessions export --format json` wrote.',
    );
  }
  const { session, prefix, messages } = parsed.data;
  const { sessions, transcript } = await deps.database();
  const id = newId('ses');
  await sessions.create(
    {
      ...session,
      ...localAudience(),
      id,
      messages: 0,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      cost: 0,
    },
    {
      tools: prefix.tools,
      system: prefix.system.map(({ text: block, segments }) => ({
        text: block,
        ...(segments ? { segments } : {}),
      })),
    },
  );
  const entries = messages.map(({ seq: _seq, session: _session, id: _id, ...entry }) => ({
    ...entry,
    id: newId('msg'),
  }));
  await transcript.append(id, entries, []);
  return { id, messages: entries.length };
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail(
      'input.invalid',
      `${file} is not JSON (${cause instanceof Error ? cause.message : ''})`,
      undefined,
      cause,
    );
  }
}

export interface Found {
  readonly session: string;
  readonly title: string;
  readonly at: number;
  readonly role: string;
  readonly text: string;
}

/** Finds something that was said, in the conversations of this terminal's user or in all. */
export async function findInSessions(
  deps: Needs,
  query: string,
  limit: number,
  everyone: boolean,
): Promise<Found[]> {
  const { index, sessions } = await deps.database();
  const scope = everyone ? {} : { audience: localAudience() };
  const hits = await searchSessions(query, { index }, { scope, limit });
  return Promise.all(
    hits.map(async ({ session, message }) => ({
      session,
      title: (await sessions.get(session))?.session.title ?? '',
      at: message.at,
      role: message.message.role,
      text: messageText(message.message),
    })),
  );
}
