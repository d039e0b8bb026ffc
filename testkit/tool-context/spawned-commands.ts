import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { sleep } from '#kit/sleep';
import type { BackgroundProcess, CommandEnd, CommandRequest, Commands, OutputChunk } from '#spec/ports';

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<CommandEnd>;
}

/** Commands for tests of tools: `bash` as a child, without a sandbox. Closing kills what still runs. */
export function spawnedCommands(root: string): Commands & { close(): Promise<void> } {
  const background = new Map<string, { running: Running; info: BackgroundProcess }>();
  let cwd = root;
  const find = (id: string) => background.get(id);
  const info = (id: string): BackgroundProcess | undefined => find(id)?.info;
  const kill = async (id: string): Promise<BackgroundProcess | undefined> => {
    const found = find(id);
    if (!found) return undefined;
    killTree(found.running.child);
    await found.running.ended;
    return info(id);
  };
  return {
    async run(request, signal, onOutput) {
      const running = start(request, cwd, onOutput);
      const stop = () => killTree(running.child);
      signal.addEventListener('abort', stop, { once: true });
      const end = await running.ended;
      cwd = end.cwd;
      return { ...end, output: running.output() };
    },
    async startBackground(request) {
      const running = start(request, cwd);
      const id = `p${background.size + 1}`;
      const begun: BackgroundProcess = { id, command: request.command, startedAt: Date.now() };
      background.set(id, { running, info: begun });
      void running.ended.then((end) => background.set(id, { running, info: { ...begun, end } }));
      return begun;
    },
    list: () => [...background.values()].map((entry) => entry.info),
    read: (id, from) => {
      const text = find(id)?.running.output();
      return text === undefined ? undefined : { text: text.slice(from), next: text.length };
    },
    async wait(id, ms, signal) {
      const found = find(id);
      if (found) await Promise.race([found.running.ended, sleep(ms, signal)]);
      return info(id);
    },
    async write(id, text, close) {
      const stdin = find(id)?.running.child.stdin;
      if (text !== '') stdin?.write(text);
      if (close) stdin?.end();
    },
    kill,
    close: async () => void (await Promise.all([...background.keys()].map(kill))),
  };
}

function start(request: CommandRequest, cwd: string, onOutput?: (chunk: OutputChunk) => void): Running {
  const begun = performance.now();
  const script = `trap 'pwd >&3' EXIT\n${request.command}`;
  const child = spawn('bash', ['--norc', '-c', script], {
    cwd: resolve(cwd, request.cwd ?? ''),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', ...request.env },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let [output, stood, late] = ['', '', false];
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput?.({ stream, text });
    });
  child.stdio[3]?.on('data', (bytes: Buffer) => (stood += bytes.toString()));
  child.stdin?.on('error', () => undefined);
  if (request.input !== 'open') child.stdin?.end(request.input?.text ?? '');
  const timer = setTimeout(() => {
    late = true;
    killTree(child);
  }, request.timeoutMs ?? 60_000);
  const ended = once(child, 'close').then(([code, signal]): CommandEnd => {
    clearTimeout(timer);
    return {
      code: code as number | null,
      ...(signal ? { signal: String(signal) } : {}),
      ...(late ? { stopped: 'time' as const } : {}),
      cwd: stood.trim() || cwd,
      ms: performance.now() - begun,
    };
  });
  return { child, output: () => output, ended };
}

function killTree({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(-pid, 'SIGKILL');
}
