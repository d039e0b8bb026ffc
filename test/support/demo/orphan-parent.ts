import { startDemo } from '../../../demo/index.ts';
import { spawnFromSource } from './spawn-service.ts';

/** A process that runs the demo in the folder that it is given and tells the ids of its services. */
const { spawn } = spawnFromSource();
const demo = await startDemo({ dataDir: process.argv[2] ?? '', spawn, signal: new AbortController().signal });
process.stdout.write(`${JSON.stringify(demo.services.map(({ pid }) => pid))}\n`);
