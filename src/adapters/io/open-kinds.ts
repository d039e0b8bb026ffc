import type { Missing, Probeable } from '#spec/ports';
import { type Kind, type Manifest, parseKinds } from './parse-kinds.ts';

export interface ListedKind {
  readonly name: string;
  readonly type: string;
  readonly missing?: Missing;
  /** Of those that lack nothing. */
  readonly probe?: Probeable['probe'];
}

interface Openable<Place, Opened> extends Kind {
  missing?(settings: unknown, place: Place): Missing | undefined;
  open(settings: unknown, place: Place): Promise<Opened>;
}

/**
 * Opens what a list of `backends.yaml` names, one after the other. What lacks something is listed and left out. `opened`
 * is told of each at once: whoever has to close them can, when a later one throws.
 */
export async function openKinds<Place, Opened extends Probeable>(
  { list, what, manifest }: { list: unknown; what: string; manifest: Manifest<Openable<Place, Opened>> },
  place: Place,
  opened: (one: Opened) => void,
): Promise<ListedKind[]> {
  const listed: ListedKind[] = [];
  for (const { name, kind, settings } of await parseKinds(list, what, manifest)) {
    const missing = kind.missing?.(settings, place);
    const one = missing ? undefined : await kind.open(settings, place);
    if (one) opened(one);
    const probe = one?.probe;
    listed.push({ name, type: kind.name, ...(missing ? { missing } : {}), ...(probe ? { probe } : {}) });
  }
  return listed;
}
