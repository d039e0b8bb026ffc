import { judge } from './allowance.ts';
import { folderDigest } from './folder-digest.ts';
import { type Manifest, readManifest } from './manifest.ts';

/** What is known of a plugin without running anything of it. */
export type Inspected =
  | { readonly state: 'allowed'; readonly manifest: Manifest; readonly digest: string }
  | { readonly state: 'unknown' | 'changed'; readonly manifest: Manifest; readonly digest: string }
  | {
      readonly state: 'broken';
      readonly problem: string;
      readonly manifest?: Manifest;
      readonly digest?: string;
    };

export async function inspectPlugin(
  folder: string,
  name: string,
  allowed: readonly string[],
): Promise<Inspected> {
  const manifest = await readManifest(folder);
  if ('problem' in manifest) return { state: 'broken', problem: manifest.problem };
  if (manifest.name !== name) {
    return {
      state: 'broken',
      problem: `plugin.yaml calls it '${manifest.name}', and its folder '${name}'`,
      manifest,
    };
  }
  try {
    const digest = await folderDigest(folder);
    return { state: judge(allowed, name, digest), manifest, digest };
  } catch (error) {
    return { state: 'broken', problem: (error as Error).message, manifest };
  }
}
