import type { KnownSecrets } from '#kit/redact';
import type { HubFetcher, HubOutlet, HubPlace } from '#spec/ports';
import type { ParseSkill } from './pick-skill.ts';

export interface HubDeps {
  readonly fetcher: HubFetcher;
  readonly place: HubPlace;
  readonly outlet: HubOutlet;
  readonly parse: ParseSkill;
  readonly now: () => number;
  /** `skills.registries`: addresses and paths of indexes. */
  readonly registries: readonly string[];
  /** `skills.trusted`: `host/owner`, `host/owner/repository`, or a folder. */
  readonly trusted: readonly string[];
  /** Where a skill of that name is known already: a built-in one, one of the user. The hub's own need not be told. */
  readonly known: (name: string) => Promise<string | undefined>;
  /** Values that must not be published, such as those of `.env`. */
  readonly secrets?: () => KnownSecrets;
}
