import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Conversation } from '#app/conversation';
import type { Host } from '#host';
import type { Message } from '#spec/data';
import { type ModelServer, type Script, startModelServer } from '#testkit/model-server';
import { findProgram } from '#testkit/sandbox';
import { makeWorkplace, turn, type Workplace } from '../agent/workplace.ts';

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

const calling = (name: string, input: Record<string, unknown>) => ({
  toolCalls: [{ name, arguments: input as Record<string, never> }],
});
const play = (rules: Script['rules']) => server.script({ rules, fallback: { text: 'Done.' } });

const resultsOf = async (): Promise<string[]> =>
  (await talk.messages()).flatMap(({ message }: { message: Message }) =>
    message.role === 'tool'
      ? [message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')]
      : [],
  );

const python = findProgram('python3') !== undefined;

describe('a turn with tools', () => {
  it.skipIf(!python)('calls five tools from one script', async () => {
    const code = [
      "notes = tools.read_file(path='notes.txt')",
      "tools.write_file(path='out/report.txt', content=notes.upper())",
      "found = tools.search_files(pattern='POOL')",
      "tools.patch(path='out/report.txt', old='POOL', new='Pool')",
      "shell = tools.terminal(command='grep -c Pool out/report.txt')",
      "print('Pool' in tools.read_file(path='out/report.txt'), 'POOL' in found, shell.startswith('1'))",
    ].join('\n');
    play([{ when: { contains: 'report', turn: 0 }, reply: calling('execute_code', { code }) }]);
    const events = await turn(talk, 'make the report');
    expect((await resultsOf())[0]).toContain('True True True');
    expect(await readFile(join(place.cwd, 'out/report.txt'), 'utf8')).toContain('Pool SIZE 20');
    expect(events.filter(({ type }) => type === 'tool.ended')).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  it('watches a process in the background and kills it', async () => {
    const command = 'for i in 1 2 3; do echo tick $i; done; sleep 600';
    play([
      { when: { contains: 'watch', turn: 0 }, reply: calling('terminal', { command, background: true }) },
      { when: { turn: 1 }, reply: calling('process', { action: 'list' }) },
    ]);
    await turn(talk, 'watch it');
    const [started = '', listed = ''] = await resultsOf();
    const [id = ''] = /proc_\w+/.exec(started) ?? [];
    expect(listed).toContain('sleep 600');
    play([
      {
        when: { contains: 'look' },
        times: 1,
        reply: calling('process', { action: 'wait', id, timeout_s: 1 }),
      },
      { when: { contains: 'stop' }, times: 1, reply: calling('process', { action: 'kill', id }) },
    ]);
    await turn(talk, 'look at it');
    await turn(talk, 'stop it');
    const [, , seen, killed] = await resultsOf();
    expect(seen).toContain('tick 3');
    expect(killed).toMatch(/killed/i);
  });

  it('takes a bad edit back', async () => {
    await writeFile(join(place.cwd, 'app.conf'), 'workers=4\n');
    play([
      {
        when: { contains: 'tune', turn: 0 },
        reply: calling('write_file', { path: 'app.conf', content: 'workers=4000\n' }),
      },
    ]);
    await turn(talk, 'tune it');
    expect(await readFile(join(place.cwd, 'app.conf'), 'utf8')).toBe('workers=4000\n');
    const signal = new AbortController().signal;
    const { text: listed } = await talk.command('/rollback', signal);
    expect(listed).toContain('before turn 1');
    const shown = await talk.command('/rollback 1', signal);
    expect(shown.text).toContain('-workers=4000\n+workers=4\n');
    expect(await readFile(join(place.cwd, 'app.conf'), 'utf8')).toBe('workers=4000\n');
    await talk.command(shown.next?.line ?? '', signal);
    expect(await readFile(join(place.cwd, 'app.conf'), 'utf8')).toBe('workers=4\n');
  });

  it('keeps a long result in a file and shows how to read it', async () => {
    play([{ when: { contains: 'count', turn: 0 }, reply: calling('terminal', { command: 'seq 1 200000' }) }]);
    await turn(talk, 'count');
    const [shown = ''] = await resultsOf();
    expect(shown.length).toBeLessThan(60_000);
    const [, path = ''] = /read_file (\S+)\]/.exec(shown) ?? [];
    expect(await readFile(path, 'utf8')).toContain('\n123456\n');
  });

  it('lets no key of the profile reach the model', async () => {
    await writeFile(join(place.cwd, 'app.env'), 'X=k-123456 AKIAIOSFODNN7EXAMPLE\n');
    play([{ when: { contains: 'show', turn: 0 }, reply: calling('read_file', { path: 'app.env' }) }]);
    await turn(talk, 'show it');
    expect((await resultsOf())[0]).not.toContain('AKIAIOSFODNN7EXAMPLE');
  });
});
