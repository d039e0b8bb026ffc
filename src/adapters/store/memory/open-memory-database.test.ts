import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeMemoryStore } from '#testkit/memory-store';
import { openMemoryDatabase } from './open-memory-database.ts';

const folder = mkdtempSync(join(tmpdir(), 'hermes-memory-'));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
const newPath = () => join(folder, `${made++}.db`);

describeMemoryStore('SQLite', (now) => openMemoryDatabase(newPath(), { now }));
