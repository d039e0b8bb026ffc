import { servicesIn } from '#kit/service-names';
import type { Text } from '#kit/text';
import type { CauseCategory, Hypothesis, Rca } from '#spec/data';
import { namedCause } from '../../names.ts';
import { readCauses } from './read-causes.ts';
import { words } from './words.ts';

/** What somebody else thinks the cause is: a sentence, or its parts. */
export interface Opinion {
  readonly text?: string | undefined;
  readonly category?: string | undefined;
  readonly service?: string | undefined;
  readonly change?: string | undefined;
  /** Evidence that it claims to rest on. */
  readonly evidence?: readonly string[] | undefined;
}

const PARTS = ['category', 'service', 'change'] as const;
type Part = (typeof PARTS)[number];

/** What the evidence says to an opinion. */
export interface WeighedOpinion {
  /**
   * `first`: it is the conclusion too. `considered`: a hypothesis that is less likely. `refuted`: one that something speaks
   * against alone. `near`: part of a hypothesis, `differs` says in what. `unseen`: nothing corresponds to it. `unread`: it names no
   * cause.
   */
  readonly verdict: 'first' | 'considered' | 'refuted' | 'near' | 'unseen' | 'unread';
  /** Place among the hypotheses, from 1. */
  readonly rank?: number;
  readonly differs: readonly Part[];
  readonly supports: readonly string[];
  /** What speaks against it, and what speaks for another cause instead. */
  readonly refutes: readonly string[];
  /** Ids that it cites and nobody has. */
  readonly unknown: readonly string[];
  readonly said: readonly Text[];
}

/** What a diagnosis says to a cause that somebody else names. It changes nothing in the diagnosis. */
export function weighOpinion(rca: Rca, opinion: Opinion): WeighedOpinion {
  const { hypotheses, evidence } = rca;
  const read = readOpinion(opinion, rca);
  const known = new Set(evidence.map(({ id }) => id));
  const unknown = (opinion.evidence ?? []).filter((id) => !known.has(id));
  const verdict = weigh(read, rca);
  const { found, at, differs } = verdict;
  const isMeant = verdict.verdict !== 'near' && found !== undefined;
  const about = evidence.filter(({ service }) => service !== undefined && service === read.service);
  const supports = isMeant ? found.supports : about.map(({ id }) => id);
  const [first] = hypotheses;
  const rival = at === 0 ? [] : (first?.supports ?? []).filter((id) => !supports.includes(id));
  const refutes = [...new Set([...(isMeant ? found.refutes : []), ...rival])];
  return {
    verdict: verdict.verdict,
    ...(at === undefined ? {} : { rank: at + 1 }),
    differs,
    supports,
    refutes,
    unknown,
    said: [
      ...verdictTexts(verdict, rca, read),
      ...(supports.length
        ? [isMeant ? words.supports(supports.join(', ')) : words.about(supports.join(', '))]
        : []),
      ...(refutes.length ? [words.refutes(refutes.join(', '))] : []),
      ...(isMeant && !supports.length ? [words.nothingSupports] : []),
      ...unknown.map((id) => words.unknown(id)),
      ...(opinion.evidence ?? [])
        .filter((id) => known.has(id) && !supports.includes(id))
        .map((id) => words.citedElsewhere(id, ranksOf(id, hypotheses))),
      words.rests,
    ],
  };
}

interface ReadOpinion {
  readonly categories: readonly CauseCategory[];
  readonly service: string | undefined;
  readonly change: string | undefined;
}

function readOpinion(
  { text = '', category = '', service, change }: Opinion,
  { hypotheses, evidence }: Rca,
): ReadOpinion {
  const known = [...hypotheses, ...evidence].flatMap((one) => one.service ?? []);
  const changes = hypotheses.flatMap((one) => one.change ?? []);
  const place = service ?? servicesIn(text, [...new Set(known)])[0];
  // A name such as `release-service` says nothing of a kind.
  const rest = place === undefined ? text : text.replaceAll(place, ' ');
  return {
    categories: readCauses(category || rest),
    service: place,
    change: change ?? changes.find((id) => text.includes(id)),
  };
}

interface Match {
  readonly verdict: WeighedOpinion['verdict'];
  readonly found?: Hypothesis;
  readonly at?: number;
  readonly differs: readonly Part[];
}

function weigh(read: ReadOpinion, { status, hypotheses, evidence }: Rca): Match {
  if (!read.categories.length && read.service === undefined && read.change === undefined)
    return { verdict: 'unread', differs: [] };
  const summaries = new Map(evidence.map(({ id, summary }) => [id, summary.en]));
  const compared = hypotheses.map((hypothesis, at) => ({
    at,
    found: hypothesis,
    ...comparedParts(read, hypothesis, summaries),
  }));
  const [best] = compared
    .filter(({ agrees }) => agrees.length > 0)
    .toSorted(
      (one, other) =>
        one.differs.length - other.differs.length ||
        other.agrees.length - one.agrees.length ||
        one.at - other.at,
    );
  if (!best) return { verdict: 'unseen', differs: [] };
  const { at, found, differs } = best;
  if (differs.length) return { verdict: 'near', at, found, differs };
  if (!found.supports.length && found.refutes.length) return { verdict: 'refuted', at, found, differs };
  return { verdict: at === 0 && status !== 'inconclusive' ? 'first' : 'considered', at, found, differs };
}

/** A part that a hypothesis leaves open neither agrees nor differs. */
function comparedParts(
  { categories, service, change }: ReadOpinion,
  hypothesis: Hypothesis,
  summaries: ReadonlyMap<string, string>,
): { readonly agrees: readonly Part[]; readonly differs: readonly Part[] } {
  // What a change brought about is of its own kind too: an empty pool after a release is a regression.
  const kinds = [
    hypothesis.category,
    ...(hypothesis.change === undefined ? [] : (['deploy_regression'] as const)),
  ];
  const told = [hypothesis.change, ...hypothesis.refutes.map((id) => summaries.get(id))];
  const verdicts: Readonly<Record<Part, boolean | undefined>> = {
    category: categories.length ? kinds.some((kind) => categories.includes(kind)) : undefined,
    service:
      service === undefined || hypothesis.service === undefined ? undefined : hypothesis.service === service,
    change: change === undefined ? undefined : told.some((text) => text?.includes(change)),
  };
  return {
    agrees: PARTS.filter((part) => verdicts[part] === true),
    differs: PARTS.filter((part) => verdicts[part] === false),
  };
}

function verdictTexts({ verdict, found, at = 0, differs }: Match, rca: Rca, read: ReadOpinion): Text[] {
  const [first] = rca.hypotheses;
  const leads = first
    ? [words.leads(nameOf(first), first.confidence.toFixed(2), words.status[rca.status])]
    : [];
  if (verdict === 'unread') return [words.unread, ...leads];
  if (!found)
    return [
      words.unseen,
      ...(read.service !== undefined && !rca.evidence.some(({ service }) => service === read.service)
        ? [words.nothingAbout(read.service)]
        : []),
      ...leads,
    ];
  const name = nameOf(found);
  const sure = found.confidence.toFixed(2);
  if (verdict === 'first') return [words.first(name, sure)];
  if (verdict === 'refuted') return [words.refuted(found.why)];
  if (verdict === 'near') {
    const what = differs.map((part) => words.parts[part]);
    return [words.near(String(at + 1), name, sure, joined(what)), ...(at === 0 ? [] : leads)];
  }
  return at === 0 ? [words.likeliest(name, sure)] : [words.considered(String(at + 1), name, sure), ...leads];
}

const joined = (texts: readonly Text[]): Text => ({
  en: texts.map(({ en }) => en).join(', '),
  zh: texts.map(({ zh }) => zh).join('、'),
});

function nameOf({ category, service, change }: Hypothesis): Text {
  const cause = namedCause(category);
  const en = `${cause.en}${service === undefined ? '' : ` in ${service}`}${change === undefined ? '' : ` by ${change}`}`;
  const zh = `${service === undefined ? '' : `${service} 的`}${cause.zh}${change === undefined ? '' : `(变更 ${change})`}`;
  return { en, zh };
}

const ranksOf = (id: string, hypotheses: readonly Hypothesis[]): string =>
  hypotheses.flatMap(({ supports }, at) => (supports.includes(id) ? [String(at + 1)] : [])).join(', ');
