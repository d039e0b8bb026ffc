import { posix } from 'node:path';

/** `devops/container-deploy/SKILL.md` and `devops/check.yaml` are in `devops`; undefined at the top. */
export function categoryOf(path: string): string | undefined {
  const folder = posix.dirname(path);
  const above = posix.basename(path).toLowerCase() === 'skill.md' ? posix.dirname(folder) : folder;
  return above === '.' || above === '/' ? undefined : above;
}
