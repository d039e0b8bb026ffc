import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '#kit/app-error';
import { freePort } from '#kit/free-port';
import { sleep } from '#kit/sleep';
import type { AlertTarget } from '../alerting/webhook.ts';
import { prometheusFiles } from './prometheus-files.ts';

export interface RunningPrometheus {
  readonly prometheus: string;
  readonly alertmanager: string;
  close(): Promise<void>;
}

/** Where Debian's packages put them. */
export const PROMETHEUS = '/usr/bin/prometheus';
export const ALERTMANAGER = '/usr/bin/prometheus-alertmanager';
const READY_TRIES = 100;
const READY_MS = 200;

/** Starts both on ports of their own, with their data below `folder`, and resolves when both are ready. */
export async function startPrometheus(
  folder: string,
  services: Readonly<Record<string, number>>,
  alerts: AlertTarget | undefined,
  signal: AbortSignal,
): Promise<RunningPrometheus> {
  for (const program of [PROMETHEUS, ALERTMANAGER])
    if (!existsSync(program))
      throw fail(
        'input.invalid',
        `${program} is not installed.`,
        'apt install prometheus prometheus-alertmanager',
      );
  const ports = { services, prometheus: await freePort(), alertmanager: await freePort() };
  const files = await prometheusFiles(folder, ports, alerts);
  const address = (port: number): string => `127.0.0.1:${port}`;
  const ends = [
    start(ALERTMANAGER, [
      `--config.file=${files.alertmanager}`,
      `--storage.path=${join(folder, 'alertmanager-data')}`,
      `--web.listen-address=${address(ports.alertmanager)}`,
      // No gossip: there is one of it.
      '--cluster.listen-address=',
    ]),
    start(PROMETHEUS, [
      `--config.file=${files.prometheus}`,
      `--storage.tsdb.path=${join(folder, 'prometheus-data')}`,
      '--storage.tsdb.retention.time=6h',
      `--web.listen-address=${address(ports.prometheus)}`,
    ]),
  ];
  const close = async (): Promise<void> => {
    await Promise.all(ends.map((end) => end()));
  };
  const urls = {
    prometheus: `http://${address(ports.prometheus)}`,
    alertmanager: `http://${address(ports.alertmanager)}`,
  };
  try {
    await untilReady(urls.alertmanager, signal);
    await untilReady(urls.prometheus, signal);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...urls, close };
}

/** Ends with us, however we end: the shell waits for its input to close. */
const WATCHED = '"$@" </dev/null & pid=$!; trap "kill $pid" TERM; cat >/dev/null; kill $pid; wait $pid';

/** Gives the function that ends it. */
function start(program: string, args: readonly string[]): () => Promise<void> {
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', program, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  return () => {
    child.stdin.end();
    return closed;
  };
}

async function untilReady(url: string, signal: AbortSignal): Promise<void> {
  for (let tried = 0; tried < READY_TRIES; tried++) {
    const answer = await fetch(`${url}/-/ready`, { signal }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (!(await sleep(READY_MS, signal))) break;
  }
  throw fail('backend.unreachable', `${url} did not become ready.`);
}
