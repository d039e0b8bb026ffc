import { tell, type Text } from '#kit/text';
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fail } from '#kit/app-error';
import { DeployRegistry } from '#kit/deploy-registry';
import { isRecord } from '#kit/is-record';

const notOne = (file: string): Text =>
  tell(`${file} is not a deploy registry.`, `${file} 不是部署登记文件。`);

export interface RegistryText {
  readonly registry: DeployRegistry;
  /** As it stands in the file, with keys that the schema does not name. */
  readonly raw: Record<string, unknown>;
}

export async function readRegistry(file: string): Promise<RegistryText> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    const hint = tell(
      'Check the setting state_file (DEMO_DEPLOY_STATE_FILE).',
      '检查设置 state_file(DEMO_DEPLOY_STATE_FILE)。',
    );
    throw fail(
      'backend.unreachable',
      tell(`Cannot read the deploy registry ${file}.`, `无法读取部署登记文件 ${file}。`),
      hint,
      cause,
    );
  });
  try {
    const raw: unknown = JSON.parse(text);
    if (isRecord(raw)) return { registry: DeployRegistry.parse(raw), raw };
  } catch (cause) {
    throw fail('backend.bad_response', notOne(file), undefined, cause);
  }
  throw fail('backend.bad_response', notOne(file));
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
    throw fail(
      'backend.unreachable',
      tell(`Cannot write beside ${file}. Nothing was done.`, `无法在 ${file} 旁写入。没有做任何改变。`),
      undefined,
      cause,
    );
  }
  const replace = async () => {
    await rename(fresh, file);
    const folder = await open(dirname(file), 'r');
    await folder.sync().finally(() => folder.close());
  };
  return { replace, discard };
}
