import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '#kit/app-error';
import { DeployRegistry } from '#kit/deploy-registry';
import { isRecord } from '#kit/is-record';

export interface RegistryText {
  readonly registry: DeployRegistry;
  /** As it stands in the file, with keys that the schema does not name. */
  readonly raw: Record<string, unknown>;
}

export async function readRegistry(file: string): Promise<RegistryText> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const hint = 'Check the setting state_file (DEMO_DEPLOY_STATE_FILE).';
    throw fail('backend.unreachable', `Cannot read the deploy registry ${file}.`, hint, cause);
  });
  try {
    const raw: unknown = JSON.parse(text);
    if (isRecord(raw)) return { registry: DeployRegistry.parse(raw), raw };
  } catch (cause) {
    throw fail('backend.bad_response', `${file} is not a deploy registry.`, undefined, cause);
  }
  throw fail('backend.bad_response', `${file} is not a deploy registry.`);
}

/** All of it on disk under another name first; `replace` then makes it the file in one step. */
export async function prepareFile(file: string, text: string) {
  const fresh = `${file}.${randomUUID()}.tmp`;
  const discard = () => rm(fresh, { force: true });
  try {
    const handle = await open(fresh, 'wx', 0o644);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (cause) {
    await discard();
    throw fail('backend.unreachable', `Cannot write beside ${file}. Nothing was done.`, undefined, cause);
  }
  const replace = async () => {
    await rename(fresh, file);
    const folder = await open(dirname(file), 'r');
    await folder.sync().finally(() => folder.close());
  };
  return { replace, discard };
}
