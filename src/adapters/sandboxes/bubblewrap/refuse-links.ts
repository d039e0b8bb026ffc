import { existsSync, realpathSync } from 'node:fs';
import { fail } from '#kit/app-error';
import { tell } from '#kit/text';

/** Throws where one of the paths is not what it was when the sandbox was opened: a mount would follow the link. */
export function refuseLinks(paths: readonly string[]): void {
  const changed = paths.find((path) => !existsSync(path) || realpathSync(path) !== path);
  if (changed === undefined) return;
  throw fail(
    'tool.failed',
    tell(`${changed} was replaced while the sandbox was open.`, `沙箱打开期间,${changed} 被替换了。`),
    tell('Start a new conversation.', '请开始新的对话。'),
  );
}
