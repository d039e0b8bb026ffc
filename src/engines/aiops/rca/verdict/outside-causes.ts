import type { CauseCategory, IncidentBundle } from '#spec/data';
import type { LogPattern } from '../logs/log-bursts.ts';
import { statedPatterns } from '../logs/stated-patterns.ts';

/** A cause that no change of ours made and undoing none would mend, as the symptoms themselves name it. */
export interface OutsideCause {
  readonly category: CauseCategory;
  readonly service: string | undefined;
  readonly text: string;
}

interface Saying {
  readonly service: string | undefined;
  readonly text: string;
}

const CERTIFICATE =
  /certificate (?:has )?expired|certificate.{0,40}(?:expired|not yet valid)|cert(?:ificate)?_?expired|x509:.{0,60}expired/i;
const DISK = /no space left on device|disk (?:is )?full|enospc|read-only file system/i;
/** A status page of somebody else, as a source of lines. */
const STATUS_FEED = /^status[-_ ]?(?:feed|page)\b/i;
const OUTAGE =
  /\b(?:investigating|identified|major|partial|degraded|outage|elevated|disruption|incident|unavailab\w+)\b/i;
const SETTLED = /\b(?:resolved|operational|no known issues|completed)\b/i;

export function outsideCauses(bundle: IncidentBundle, patterns: readonly LogPattern[]): OutsideCause[] {
  const worse: Saying[] = [
    ...patterns
      .filter(({ counts, expected }) => counts.during > expected)
      .map(({ service, sample }) => ({ service, text: sample })),
    ...statedPatterns(bundle)
      .filter(({ change }) => change > 0)
      .map(({ service, template }) => ({ service, text: template })),
    ...[bundle.title, ...Object.values(bundle.annotations)].map((text) => ({
      service: bundle.service,
      text,
    })),
  ];
  const found: OutsideCause[] = [];
  const first = (category: CauseCategory, matches: (saying: Saying) => boolean): void => {
    const saying = worse.find(matches);
    if (saying) found.push({ category, service: saying.service, text: saying.text.slice(0, 200) });
  };
  first('certificate', ({ text }) => CERTIFICATE.test(text));
  first(
    'external',
    ({ service = '', text }) => STATUS_FEED.test(service) && OUTAGE.test(text) && !SETTLED.test(text),
  );
  first('disk', ({ text }) => DISK.test(text));
  return found;
}
