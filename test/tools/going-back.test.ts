import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Conversation } from '#app/conversation';
import type { Host } from '#host';
import { type ModelServer, startModelServer } from '#testkit/model-server';
import { ended, makeWorkplace, turn, type Workplace } from '../agent/workplace.ts';

/**
 * Going back in a real conversation: the model is scripted, everything else is what a user has. Whatever was written,
 * patched or removed, in whichever conversation, each checkpoint is the tree as it was before its turn.
 */

let server: ModelServer;
let place: Workplace;
let host: Host;
let talk: Conversation;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  place = await makeWorkplace(server, 'anthropic_messages');
  host = await place.open();
  talk = await place.talk(host);
});
afterEach(async () => {
  await host.close();
  await place.remove();
});

const never = new AbortController().signal;
const slash = (line: string) => talk.command(line, never);

/** One turn in which these calls are made, one after the other. */
async function work(calls: readonly { name: string; arguments: Record<string, string> }[]): Promise<void> {
  const rules = calls.map((call) => ({ when: {}, times: 1, reply: { toolCalls: [call] } }));
  server.script({ rules, fallback: { text: 'Done.' } });
  expect(ended(await turn(talk, 'work'))).toBe('done');
}
const write = (path: string, content: string) => ({ name: 'write_file', arguments: { path, content } });
const patch = (path: string, old: string, next: string) => ({
  name: 'patch',
  arguments: { path, old, new: next },
});
const remove = (path: string) => ({ name: 'terminal', arguments: { command: `rm -f ${path}` } });

/** Every file of the workspace and what is in it. */
async function tree(): Promise<Record<string, string>> {
  const entries = await readdir(place.cwd, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files
    .toSorted()
    .map(async (path) => [path.slice(place.cwd.length + 1), await readFile(path, 'utf8')]);
  return Object.fromEntries((await Promise.all(read)) as [string, string][]);
}

/** Goes back as a person does: looks, then agrees. */
async function goBack(which: string): Promise<void> {
  const before = await tree();
  const { next } = await slash(`/rollback ${which}`);
  expect(await tree()).toEqual(before);
  if (next) await slash(next.line);
}

describe('going back', () => {
  it('keeps the state before each turn, across /new, and says of which conversation', async () => {
    await work([write('deploy.yaml', 'replicas: 2\n')]);
    await slash('/new');
    await work([patch('deploy.yaml', 'replicas: 2', 'replicas: 200')]);
    const { text } = await slash('/rollback');
    expect(text).toMatch(
      /1\. `c2` .* before turn 1 of this conversation\n2\. `c1` .* before turn 1 of `work`/,
    );
    await goBack('1');
    expect((await tree())['deploy.yaml']).toBe('replicas: 2\n');
    await goBack('undo');
    expect((await tree())['deploy.yaml']).toBe('replicas: 200\n');
  });

  it('keeps the state before a turn whose number came before, after /undo', async () => {
    await work([write('a.txt', 'one')]);
    await slash('/undo');
    await work([write('a.txt', 'two')]);
    await goBack('1');
    expect((await tree())['a.txt']).toBe('one');
  });

  const path = fc.constantFrom('a.txt', 'b.txt', 'dir/c.txt', 'dir/deep/d.txt');
  const step = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('write' as const), path, text: fc.string({ minLength: 1 }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('patch' as const), path }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('remove' as const), path }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('back' as const), to: fc.nat() }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('undo', 'new', 'resume', 'fork', 'take back') }),
    },
  );

  it('restores exactly the tree before the turn, whatever came between, and can be undone exactly', async () => {
    // One folder for all runs: a turn that wrote what an earlier run had written would change nothing.
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 10 }), async (steps) => {
        const sessions: string[] = [];
        for (const next of steps) {
          const before = await tree();
          const isTurn = next.kind === 'write' || next.kind === 'patch' || next.kind === 'remove';
          if (isTurn) {
            const known = before[next.path];
            if (next.kind === 'write')
              await work([write(next.path, next.text), write('last.txt', `${count++}`)]);
            else if (next.kind === 'remove') await work([remove(next.path), write('last.txt', `${count++}`)]);
            else if (known) await work([patch(next.path, known, `${known}+`)]);
            else continue;
            sessions.push(talk.session.id);
            const after = await tree();
            expect(after).not.toEqual(before);
            await goBack('1');
            expect(await tree()).toEqual(before);
            await goBack('undo');
            expect(await tree()).toEqual(after);
          } else if (next.kind === 'back') {
            const { text } = await slash('/rollback');
            const listed = text.match(/^\d+\. /gm)?.length ?? 0;
            if (listed === 0) continue;
            await goBack(`${(next.to % listed) + 1}`);
            const there = await tree();
            const { text: same } = await slash(`/rollback ${(next.to % listed) + 1}`);
            if (JSON.stringify(there) !== JSON.stringify(before)) {
              await goBack('undo');
              expect(await tree()).toEqual(before);
              await goBack('undo');
              expect(await tree()).toEqual(there);
            } else expect(same).toContain('Nothing differs');
          } else if (next.kind === 'undo') await goBack('undo');
          else if (next.kind === 'new') await slash('/new');
          else if (next.kind === 'fork') await slash('/fork');
          else if (next.kind === 'take back') await slash('/undo');
          else if (sessions.length > 0) await slash(`/resume ${sessions[0]}`);
        }
      }),
      { numRuns: 3, endOnFailure: true },
    );
  }, 600_000);
});
