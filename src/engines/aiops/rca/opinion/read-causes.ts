import { CAUSE_CATEGORIES, type CauseCategory, type Hypothesis } from '#spec/data';
import { CATEGORIES } from '../../names.ts';
import { meantCategories } from '../verdict/name-category.ts';

/** The kinds of causes that a name or a sentence may mean; none where it names no kind. */
export function readCauses(text: string): readonly CauseCategory[] {
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  const own = CAUSE_CATEGORIES.find((category) => category === name || CATEGORIES[category].zh === name);
  return own ? [own] : meantCategories(text);
}

/** What runbooks call a release that shows in a connection pool or a database. */
const RELEASE_IN_DATABASE = 'deploy_db_regression';
const isOfDatabases = (kind: CauseCategory): boolean =>
  kind === 'connection_pool' || kind === 'database_latency';

/** The name that others have for a hypothesis, by its kind and by what its evidence tells. */
export function otherName(
  { category, change }: Pick<Hypothesis, 'category' | 'change'>,
  told: readonly string[],
): string | undefined {
  if (change === undefined) return undefined;
  const kinds = category === 'deploy_regression' ? told.flatMap(readCauses) : [category];
  return kinds.some(isOfDatabases) ? RELEASE_IN_DATABASE : undefined;
}
