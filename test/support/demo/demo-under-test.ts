import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Demo, type DemoEvent, startDemo } from '../../../demo/index.ts';
import { type OtlpSink, startOtlpSink } from './otlp-sink.ts';
import { spawnFromSource } from './spawn-service.ts';

export interface DemoUnderTest {
  readonly folder: string;
  readonly demo: Demo;
  readonly sink: OtlpSink;
  readonly events: readonly DemoEvent[];
  readonly started: readonly ChildProcess[];
  /** Waits until it holds; it is asked after every push of telemetry. */
  until(what: string, holds: () => boolean): Promise<void>;
  close(): Promise<void>;
}

const PATIENCE_MS = 15_000;
const TOKEN = 'sink-token';

export async function openDemo(): Promise<DemoUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const sink = await startOtlpSink(TOKEN);
  const { spawn, started } = spawnFromSource();
  const { signal } = new AbortController();
  const demo = await startDemo({ dataDir: folder, otlp: { url: sink.url, token: TOKEN }, spawn, signal });
  const events: DemoEvent[] = [];
  demo.onEvent((event) => events.push(event));
  return {
    folder,
    demo,
    sink,
    events,
    started,
    until: async (what, holds) => {
      const deadline = Date.now() + PATIENCE_MS;
      while (!holds()) {
        if (Date.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
        await sink.next();
      }
    },
    close: async () => {
      await demo.close();
      await sink.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
