import { existsSync, realpathSync } from 'node:fs';
import { fail } from '#kit/app-error';

/** Throws where one of the paths is not what it was when the sandbox was opened: a mount would follow the link. */
export function refuseLinks(paths: readonly string[]): void {
  const changed = paths.find((path) => !existsSync(path) || realpathSync(path) !== path);
  if (changed === undefined) return;
  throw fail(
    'tool.failed',
    `${changed} was replaced while the sandbox was open.`,
    'Start a new conversation.',
  );
}
