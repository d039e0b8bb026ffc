import { createHash } from 'node:crypto';
import type { Spoken } from '#kit/text';
import type { CauseCategory, Evidence, Hypothesis, Incident } from '#spec/data';
import { definitionOf } from '#spec/data/operations';

/** What a person says about how it was. It counts more than the root cause that was found. */
export interface Verdict {
  readonly category?: CauseCategory;
  readonly service?: string;
  readonly change?: string;
  /** What it was, and what ended it, in one sentence each. */
  readonly cause?: string;
  readonly fix?: string;
}

/** What the lessons of one incident are drawn from. */
export interface Story {
  /** In the language of the lessons. */
  readonly incident: Spoken<Incident>;
  /** How it is known to be true; undefined where it is not. */
  readonly proof: 'recovery' | 'person' | undefined;
  readonly category: CauseCategory | undefined;
  readonly service: string | undefined;
  readonly change: string | undefined;
  readonly cause: string | undefined;
  readonly fix: string | undefined;
  /** Evidence that spoke for the cause, the strongest first. */
  readonly deciding: readonly Spoken<Evidence>[];
  /** What was thought of and given up. */
  readonly rejected: readonly Spoken<Hypothesis>[];
  readonly minutes: number;
  /** One fault of one service has one. */
  readonly slug: string;
}

const MOST_DECIDING = 8;
const MOST_REJECTED = 3;

export function storyOf(incident: Spoken<Incident>, verdict: Verdict | undefined): Story {
  const { rca, action, execution, recovery } = incident;
  const first = rca?.status === 'concluded' ? rca.hypotheses[0] : undefined;
  const category = verdict?.category ?? first?.category;
  const service = verdict?.service ?? first?.service ?? incident.service;
  const recovered = recovery?.status === 'recovered' && execution?.status === 'done' && action !== undefined;
  const known = category !== undefined && category !== 'none' && service !== undefined;
  const proof = !known ? undefined : verdict ? 'person' : recovered && first ? 'recovery' : undefined;
  // A person who names another cause takes the evidence for ours away.
  const agreed = first !== undefined && category === first.category && service === (first.service ?? service);
  const change = verdict?.change ?? (agreed ? first.change : undefined);
  const end = incident.closedAt ?? incident.updatedAt;
  return {
    incident,
    proof,
    category,
    service,
    change,
    cause: verdict?.cause ?? (agreed ? first.why : undefined),
    fix: verdict?.fix,
    deciding: agreed ? decidingOf(first, rca?.evidence ?? []) : [],
    rejected: (rca?.hypotheses ?? [])
      .filter((hypothesis) => (agreed ? hypothesis !== first : true) && hypothesis.refutes.length > 0)
      .slice(0, MOST_REJECTED),
    minutes: Math.max(0, Math.round((end - Date.parse(incident.startsAt)) / 60_000)),
    slug: slugOf(service, category, wasRolledBack(action) || change !== undefined),
  };
}

const wasRolledBack = (action: Spoken<Incident>['action']): boolean =>
  action !== undefined && definitionOf(action.operation).effect === 'set_version';

function decidingOf(
  { supports }: Pick<Hypothesis, 'supports'>,
  evidence: readonly Spoken<Evidence>[],
): Spoken<Evidence>[] {
  return evidence
    .filter(({ id }) => supports.includes(id))
    .toSorted((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
    .slice(0, MOST_DECIDING);
}

const CATEGORY_WORDS: Readonly<Partial<Record<CauseCategory, string>>> = {
  connection_pool: 'db-pool-exhausted',
  resource_exhaustion: 'out-of-resources',
};
const AFTER_CHANGE: Readonly<Partial<Record<CauseCategory, string>>> = {
  connection_pool: 'canary-db-pool-regression',
};
const MOST_NAME = 64;

/** `payment-service-canary-db-pool-regression`: stable, and a name that a skill may have. */
function slugOf(
  service: string | undefined,
  category: CauseCategory | undefined,
  afterChange: boolean,
): string {
  const words =
    category === undefined
      ? 'unexplained'
      : ((afterChange ? AFTER_CHANGE[category] : undefined) ??
        CATEGORY_WORDS[category] ??
        category.replaceAll('_', '-'));
  const name = service ?? 'unknown';
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const room = MOST_NAME - words.length - 1;
  const faithful = plain === name && plain.length <= room;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6);
  const part = faithful
    ? plain
    : [plain.slice(0, room - 7).replace(/-+$/, ''), mark].filter(Boolean).join('-');
  return `${part}-${words}`;
}
