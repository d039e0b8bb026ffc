import { fail } from '#kit/app-error';

// oxlint-disable-next-line no-control-regex
const REFUSED = /[\\/\0-\x1f]/;

/** The parts of a path that goes down from its root by plain names only. */
export function pathParts(path: string): readonly string[] {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || REFUSED.test(part)))
    throw fail('input.invalid', `${JSON.stringify(path)} is no path of plain names below its folder`);
  return parts;
}

/** One plain name. */
export function plainName(name: string): string {
  if (name.includes('/')) throw fail('input.invalid', `${JSON.stringify(name)} is no plain file name`);
  pathParts(name);
  return name;
}
