import type { SandboxKind } from '#spec/ports';
import { sandboxes } from './sandboxes.gen.ts';

const KINDS: Readonly<Record<string, () => Promise<SandboxKind>>> = sandboxes;

export const kindNames = (): string[] => Object.keys(KINDS);

/** The kind of a type, loaded when it is first asked for. */
export async function loadKind(type: string): Promise<SandboxKind | undefined> {
  return Object.hasOwn(KINDS, type) ? KINDS[type]?.() : undefined;
}
