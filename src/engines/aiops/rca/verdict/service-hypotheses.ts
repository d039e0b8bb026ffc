import type { CauseCategory, Hypothesis } from '#spec/data';
import type { EvidenceBook } from './evidence-book.ts';
import { nameCategory } from './name-category.ts';
import { type SuspectService, weightOf } from './rank-services.ts';

/** More suspects are no help. */
const MOST = 6;
const MOST_REASONS = 5;
/** A weaker finding may name the kind if it is at least half as strong as the strongest. */
const TELLING_SHARE = 0.5;
/** The score that nobody in particular has: what is left for causes that left no trace. */
const UNKNOWN = 0.25;
/** How sharply a lead counts: a suspect with twice the score of the next is eight times as likely. */
const SHARPNESS = 3;

/** Suspects as hypotheses. The runner-up's evidence speaks against the first, and the first's against the others. */
export function serviceHypotheses(suspects: readonly SuspectService[], book: EvidenceBook): Hypothesis[] {
  const total = suspects.reduce((sum, { score }) => sum + score ** SHARPNESS, UNKNOWN ** SHARPNESS);
  const cited = suspects.slice(0, MOST).map((suspect) => ({
    suspect,
    supports: suspect.findings
      .slice(0, MOST_REASONS)
      .map((finding) => book.cite(finding.evidence, weightOf(finding))),
  }));
  return cited.map(({ suspect, supports }, index) => {
    const rival = cited[index ? 0 : 1];
    const telling = rival && rival.suspect.score > suspect.score / 2 ? rival.supports.slice(0, 1) : [];
    return {
      category: categoryOf(suspect),
      service: suspect.service,
      confidence: suspect.score ** SHARPNESS / total,
      supports,
      refutes: telling.filter((id) => !supports.includes(id)),
      why: suspect.findings[0]?.evidence.summary ?? '',
    };
  });
}

/** The strongest findings name the kind; where they only tell that something is wrong, the words do. */
function categoryOf({ findings }: SuspectService): CauseCategory {
  const [strongest] = findings;
  if (!strongest) return 'service_fault';
  const telling = findings.find(
    (finding) =>
      finding.category !== 'service_fault' && weightOf(finding) >= weightOf(strongest) * TELLING_SHARE,
  );
  const said = findings.slice(0, MOST_REASONS).map(({ evidence }) => evidence.summary);
  return telling?.category ?? nameCategory(said, 'service_fault');
}
