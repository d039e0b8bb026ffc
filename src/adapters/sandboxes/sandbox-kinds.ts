import type { SandboxKind } from '#spec/ports';
import { kinds } from './kinds.gen.ts';

const KINDS: Readonly<Record<string, () => Promise<SandboxKind>>> = kinds;

export const kindNames = (more: readonly SandboxKind[] = []): string[] => [
  ...Object.keys(KINDS),
  ...more.map(({ type }) => type),
];

/** The kind of a type, loaded when it is first asked for; one that comes along with Hermes wins over a plugin's. */
export async function loadKind(
  type: string,
  more: readonly SandboxKind[] = [],
): Promise<SandboxKind | undefined> {
  if (Object.hasOwn(KINDS, type)) return KINDS[type]?.();
  return more.find((kind) => kind.type === type);
}
