import { Worker } from 'node:worker_threads';

const MEMORY_MB = 256;

/**
 * Imports a file and calls its default export with an api that does nothing, in a thread of its own: an endless loop,
 * `process.exit` or running out of memory end that thread and nothing else. Resolves to what went wrong, if anything.
 */
export async function tryOut(url: string, timeoutMs: number): Promise<string | undefined> {
  const worker = new Worker(TRIAL, {
    eval: true,
    workerData: url,
    env: {},
    // What it prints is for nobody.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const timer = setTimeout(() => resolve(`it did not load within ${timeoutMs / 1000} s`), timeoutMs);
  worker.on('message', (problem: string) => resolve(problem || undefined));
  worker.on('error', (error) => resolve(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => resolve(`it ended its process with code ${code}`));
  const problem = await promise;
  clearTimeout(timer);
  await worker.terminate();
  return problem;
}

/** The stand-in answers every question with itself, so that schemas can be built from it. */
const TRIAL = `
  const { parentPort, workerData } = require('node:worker_threads');
  const anything = new Proxy(function () {}, {
    get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : anything),
    apply: () => anything,
    construct: () => anything,
  });
  const same = (value) => value;
  const api = { z: anything, defineTool: same, defineProvider: same, defineSandbox: same, defineCommand: same };
  (async () => {
    const main = await import(workerData);
    if (typeof main.default !== 'function') throw new Error('its main file has no function as its default export');
    await main.default(api);
  })().then(() => parentPort.postMessage(''), (error) => parentPort.postMessage(String(error?.message ?? error)));
`;
