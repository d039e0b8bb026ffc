import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withFileLock } from '#adapters/io/file-lock';
import { atomicWrite } from './atomic-write.ts';
import { readText } from './read-text.ts';
import { isRecord } from '#kit/is-record';

/**
 * Puts a trajectory into a file of JSON lines. One id has one line: a step that is run again after a crash renews its own,
 * also where the crash left half of it.
 */
export async function keepTrajectory(path: string, trajectory: { readonly id: string }): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const line = JSON.stringify(trajectory);
  await withFileLock(path, async () => {
    const known = ((await readText(path)) ?? '').split('\n');
    const last = known.pop() ?? '';
    // Most are of others, and long: one look for the id is enough for them.
    const others = known.filter((one) => !one.includes(trajectory.id) || idIn(one) !== trajectory.id);
    if (last === '' && others.length === known.length) return appendFile(path, `${line}\n`, { mode: 0o600 });
    // A line that was not ended is whole where only its end is missing, and lost otherwise.
    const unended = [undefined, trajectory.id].includes(idIn(last)) ? [] : [last];
    return atomicWrite(path, `${[...others, ...unended, line].join('\n')}\n`);
  });
}

function idIn(line: string): string | undefined {
  try {
    const kept: unknown = JSON.parse(line);
    return isRecord(kept) ? String(kept['id']) : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
