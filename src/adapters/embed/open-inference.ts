import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { fail } from '#kit/app-error';
import { INFERENCE_THREAD } from './inference-thread.ts';
import { CHINESE, ENGLISH, type LocalModel } from './local-models.ts';
import { RUNTIME_PART } from './pinned-parts.ts';

export interface Inference {
  /** One unit vector a row, one after the other. */
  run(model: LocalModel, rows: readonly (readonly number[])[]): Promise<Float32Array>;
  close(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly vectors?: Float32Array;
  readonly problem?: string;
}

const MOST_THREADS = 4;

/** A thread with the models in it. It keeps the process alive only while something waits for it. */
export function openInference(folder: string): Inference {
  const model = ({ space, dimensions, pooling }: LocalModel) => [
    space,
    { file: join(folder, space, 'model.onnx'), dimensions, pooling },
  ];
  const worker = new Worker(INFERENCE_THREAD, {
    eval: true,
    workerData: {
      runtime: join(folder, RUNTIME_PART, 'node_modules', 'onnxruntime-node'),
      models: Object.fromEntries([ENGLISH, CHINESE].map(model)),
      threads: Math.min(MOST_THREADS, Math.ceil(availableParallelism() / 2)),
    },
  });
  const waiting = new Map<number, PromiseWithResolvers<Float32Array>>();
  let [last, gone] = [0, ''];
  const settle = (id: number) => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return waiter;
  };
  const end = (problem: string) => {
    gone ||= problem;
    for (const id of [...waiting.keys()]) settle(id)?.reject(broken(gone));
  };
  worker.unref();
  worker.on('message', ({ id, vectors, problem }: Answer) => {
    if (vectors) settle(id)?.resolve(vectors);
    else settle(id)?.reject(broken(problem ?? 'no answer'));
  });
  worker.on('error', (error) => end(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => end(`its thread ended with code ${code}`));
  return {
    run: async ({ space }, rows) => {
      if (gone) throw broken(gone);
      const id = ++last;
      const waiter = Promise.withResolvers<Float32Array>();
      waiting.set(id, waiter);
      worker.ref();
      // A thread has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage({ id, space, ...padded(rows) });
      return waiter.promise;
    },
    close: async () => {
      end('it was closed');
      await worker.terminate();
    },
  };
}

function padded(rows: readonly (readonly number[])[]) {
  const lengths = rows.map((row) => row.length);
  const width = Math.max(...lengths);
  const tokens = new Int32Array(rows.length * width);
  for (const [at, row] of rows.entries()) tokens.set(row, at * width);
  return { tokens, lengths };
}

const broken = (problem: string) =>
  fail('tool.failed', `the local embedder does not work: ${problem}`, 'Recall goes on with text alone.');
