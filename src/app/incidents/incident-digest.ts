import { DIGEST_FACTS, digestMarkdown, digestOf } from '#engines/aiops';
import type { IncidentDigest } from '#spec/data';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { Dependencies } from '../dependencies.ts';
import { redactDeep } from '#kit/redact';

type Needs = Pick<Dependencies, 'incidents' | 'redactor' | 'skills'>;

export interface DigestSpan {
  /** Milliseconds since the epoch; `to` is no part of it. */
  readonly from: number;
  readonly to: number;
  /** Whose days they are; that of this machine where nothing is said. */
  readonly zone?: string | undefined;
}

export interface HomeDigest extends IncidentDigest {
  /** There were more incidents than are counted. */
  readonly cut: boolean;
}

const MOST_INCIDENTS = 5_000;
const MOST_EDITS = 1_000;
const MOST_MS = 100 * 86_400_000;

/** What happened in a stretch of time. Throws `input.invalid` for one that is none. */
export async function incidentDigest(deps: Needs, { from, to, zone }: DigestSpan): Promise<HomeDigest> {
  const named = zoneNamed(zone);
  if (!(from < to) || to - from > MOST_MS)
    throw fail('input.invalid', 'from, to: from is before to, and they are at most 100 days apart.');
  const [{ store }, { history }, secrets] = await Promise.all([
    deps.incidents(),
    deps.skills(),
    deps.redactor().then(({ secrets: known }) => known),
  ]);
  const [histories, edits] = await Promise.all([
    store.histories({ from, to, types: DIGEST_FACTS, limit: MOST_INCIDENTS }),
    history.edits({ limit: MOST_EDITS }),
  ]);
  const digest = digestOf({
    histories,
    from,
    to,
    zone: named,
    edits: edits
      .filter(({ undone }) => !undone)
      .map(({ skill, action, by, at }) => ({ skill, action, by, at })),
  });
  return { ...redactDeep(digest, secrets), cut: histories.length === MOST_INCIDENTS };
}

export const incidentDigestText = async (
  deps: Needs,
  span: DigestSpan,
  language: Language,
): Promise<string> => digestMarkdown(await incidentDigest(deps, span), language);

function zoneNamed(zone: string | undefined): string {
  try {
    return new Intl.DateTimeFormat('en', zone === undefined ? {} : { timeZone: zone }).resolvedOptions()
      .timeZone;
  } catch {
    throw fail('input.invalid', `zone: '${zone}' is no time zone.`, 'It is written as in Europe/Berlin.');
  }
}
