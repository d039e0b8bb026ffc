import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Commands, OutputChunk, Sandbox } from '#spec/ports';
import { temporaryPlace } from '#testkit/sandbox';
import { sandbox as local } from '../local.ts';
import { openCommands } from './open-commands.ts';

const { signal } = new AbortController();
let commands: Commands & { close(): Promise<void> };
let sandboxes: Map<string | undefined, Sandbox>;
const closers: (() => Promise<void>)[] = [];

async function openLocal(name: string): Promise<Sandbox> {
  const { place, close } = await temporaryPlace({
    name,
    limits: { memoryMb: 512, processes: 200, cpuSeconds: 20 },
  });
  const sandbox = await local.open(local.options.parse({}), place);
  closers.push(async () => {
    await sandbox.close();
    await close();
  });
  return sandbox;
}

beforeEach(async () => {
  sandboxes = new Map([
    [undefined, await openLocal('first')],
    ['other', await openLocal('other')],
  ]);
  commands = openCommands({
    sandboxes: async (name) => sandboxes.get(name) as Sandbox,
    timeoutMs: (name) => (name === 'other' ? 300 : 10_000),
    maxOutputBytes: 5_000,
    backgroundChars: 1_000,
    maxBackground: 2,
  });
});
afterEach(async () => {
  await commands.close();
  for (const close of closers.splice(0)) await close();
});

const folder = (name?: string) => sandboxes.get(name)?.workspace as string;

describe('openCommands', () => {
  it('gives both streams in the order of their coming, and shows them as they come', async () => {
    const seen: OutputChunk[] = [];
    const command = 'echo one; sleep 0.05; echo two >&2; sleep 0.05; echo three; exit 2';
    const end = await commands.run({ command }, signal, (chunk) => seen.push(chunk));
    expect(end).toMatchObject({ output: 'one\ntwo\nthree\n', code: 2 });
    expect(seen.map(({ stream }) => stream)).toEqual(['stdout', 'stderr', 'stdout']);
  });

  it('carries the folder over, for each backend apart', async () => {
    await commands.run({ command: 'mkdir -p a/b; cd a; false' }, signal);
    await commands.run({ command: 'mkdir -p x; cd x', backend: 'other' }, signal);
    expect((await commands.run({ command: 'pwd' }, signal)).output).toBe(`${folder()}/a\n`);
    expect((await commands.run({ command: 'pwd', backend: 'other' }, signal)).output).toBe(
      `${folder('other')}/x\n`,
    );
    expect((await commands.run({ command: 'pwd', cwd: 'b' }, signal)).output).toBe(`${folder()}/a/b\n`);
    expect((await commands.run({ command: 'pwd' }, signal)).output).toBe(`${folder()}/a\n`);
  });

  it('goes on in the workspace after the folder was removed', async () => {
    await commands.run({ command: 'mkdir gone; cd gone; rmdir ../gone' }, signal);
    expect((await commands.run({ command: 'pwd' }, signal)).code).not.toBe(0);
    expect((await commands.run({ command: 'pwd' }, signal)).output).toBe(`${folder()}\n`);
  });

  it('holds the time of the backend and the size of the output', async () => {
    expect((await commands.run({ command: 'sleep 20', backend: 'other' }, signal)).stopped).toBe('time');
    const long = await commands.run({ command: 'yes' }, signal);
    expect(long.stopped).toBe('output');
    expect(long.output.length).toBeLessThanOrEqual(5_000);
  });

  it('starts in the background, reads on from a position, writes and waits', async () => {
    const started = await commands.startBackground({
      command: 'echo hi; read -r x; echo "got $x"; exit 3',
      input: 'open',
    });
    expect(started.end).toBeUndefined();
    let read = { text: '', next: 0 };
    while (read.text === '') {
      await commands.wait(started.id, 20, signal);
      read = commands.read(started.id, 0) ?? read;
    }
    expect(read).toEqual({ text: 'hi\n', next: 3 });
    await commands.write(started.id, 'you\n', true);
    expect((await commands.wait(started.id, 5_000, signal))?.end).toMatchObject({ code: 3 });
    expect(commands.read(started.id, read.next)).toEqual({ text: 'got you\n', next: 11 });
    expect(commands.read(started.id, 11)).toEqual({ text: '', next: 11 });
    expect(commands.list()).toMatchObject([{ id: started.id, end: { code: 3 } }]);
  });

  it('tells where a process runs', async () => {
    await commands.run({ command: 'mkdir -p a', backend: 'other' }, signal);
    const first = await commands.startBackground({ command: 'sleep 60' });
    const second = await commands.startBackground({ command: 'sleep 60', backend: 'other', cwd: 'a' });
    expect(first).toMatchObject({ cwd: folder() });
    expect(first.backend).toBeUndefined();
    expect(second).toMatchObject({ backend: 'other', cwd: `${folder('other')}/a` });
  });

  it('keeps the end of a long output and says what is missing', async () => {
    const { id } = await commands.startBackground({
      command: 'for i in $(seq 1 2000); do echo "line $i"; done',
    });
    await commands.wait(id, 10_000, signal);
    const { text, next } = commands.read(id, 0) ?? { text: '', next: 0 };
    const whole = Array.from({ length: 2000 }, (_, at) => `line ${at + 1}\n`).join('');
    expect(next).toBe(whole.length);
    expect(text.length).toBeLessThan(2_100);
    expect(text).toMatch(/^\[\d+ characters are not kept any more\]\n/);
    expect(whole.endsWith(text.slice(text.indexOf('\n') + 1))).toBe(true);
    expect(commands.read(id, next - 5)?.text).toBe(whole.slice(-5));
  });

  it('kills one, limits how many run, and knows nothing of an unknown id', async () => {
    const first = await commands.startBackground({ command: 'sleep 60' });
    await commands.startBackground({ command: 'sleep 60' });
    await expect(commands.startBackground({ command: 'true' })).rejects.toMatchObject({
      record: { code: 'tool.failed' },
    });
    expect((await commands.kill(first.id))?.end).toMatchObject({ stopped: 'killed' });
    await commands.startBackground({ command: 'true' });
    expect(commands.read('proc_none', 0)).toBeUndefined();
    expect(await commands.kill('proc_none')).toBeUndefined();
    await expect(commands.write('proc_none', 'x', false)).rejects.toMatchObject({
      record: { code: 'tool.failed' },
    });
  });

  it('gives up waiting when it is called off', async () => {
    const { id } = await commands.startBackground({ command: 'sleep 60' });
    const abort = new AbortController();
    const waiting = commands.wait(id, 60_000, abort.signal);
    abort.abort();
    expect((await waiting)?.end).toBeUndefined();
  });

  it('kills what runs when it is closed, in the background and in front', async () => {
    const { id } = await commands.startBackground({ command: 'sleep 60' });
    const front = commands.run({ command: 'sleep 60' }, signal);
    await commands.wait(id, 50, signal);
    await commands.close();
    expect(await front).toMatchObject({ stopped: 'killed' });
    expect(commands.list()).toMatchObject([{ end: { stopped: 'killed' } }]);
    await expect(commands.run({ command: 'true' }, signal)).rejects.toMatchObject({
      record: { code: 'tool.failed' },
    });
  });
});

describe('a machine where no sandbox works', () => {
  const refusing = (more: object) =>
    openCommands({
      sandboxes: () => Promise.reject(new Error('no sandbox')),
      timeoutMs: () => 10_000,
      maxOutputBytes: 1_000_000,
      backgroundChars: 1_000,
      maxBackground: 1,
      bare: async () => '/',
      readsMachine: true,
      ...more,
    });
  const reading = { command: 'nproc', reading: { read: 'processors' } } as const;

  it('is read, and no command runs on it', async () => {
    const bare = refusing({});
    const end = await bare.run(reading, signal);
    expect(end).toMatchObject({ code: 0 });
    expect(Number(end.output)).toBeGreaterThan(0);
    await expect(bare.run({ command: 'nproc' }, signal)).rejects.toThrow('no sandbox');
    await expect(bare.run({ ...reading, backend: 'box' }, signal)).rejects.toThrow('no sandbox');
    await bare.close();
  });

  it('is not read where that is switched off', async () => {
    const bare = refusing({ readsMachine: false });
    await expect(bare.run(reading, signal)).rejects.toThrow('no sandbox');
    await bare.close();
  });
});
