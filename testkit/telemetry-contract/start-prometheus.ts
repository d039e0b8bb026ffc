import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '#kit/free-port';

const PROMETHEUS = '/usr/bin/prometheus';
const PROMTOOL = '/usr/bin/promtool';

/** Debian's Prometheus is installed here. */
export const hasPrometheus: boolean = existsSync(PROMETHEUS) && existsSync(PROMTOOL);

export interface RunningPrometheus {
  readonly url: string;
  close(): Promise<void>;
}

/** A real Prometheus that scrapes nothing and holds these samples. */
export async function startPrometheus(openMetricsText: string): Promise<RunningPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-prometheus-'));
  try {
    await writeFile(join(folder, 'samples.txt'), openMetricsText);
    await writeFile(join(folder, 'prometheus.yml'), 'global: {scrape_interval: 1h}\nscrape_configs: []\n');
    const data = join(folder, 'data');
    await promisify(execFile)(PROMTOOL, [
      'tsdb',
      'create-blocks-from',
      'openmetrics',
      join(folder, 'samples.txt'),
      data,
    ]);
    const port = await freePort();
    const child = spawn(
      PROMETHEUS,
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${data}`,
        '--storage.tsdb.retention.time=100y',
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=warn',
      ],
      { stdio: 'ignore' },
    );
    const url = `http://127.0.0.1:${port}`;
    const close = async () => {
      await stop(child);
      await rm(folder, { recursive: true, force: true });
    };
    try {
      await ready(url, child);
    } catch (error) {
      await close();
      throw error;
    }
    return { url, close };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/-/ready`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('Prometheus is not ready');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
