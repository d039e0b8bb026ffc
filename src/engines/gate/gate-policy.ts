import type { Caller, Requester, Verdict } from '#spec/data';
import type { EffectLevel } from '#spec/ports';

/** What may differ by caller, platform and backend. */
export interface GateRule {
  /** From this level on, somebody is asked. */
  readonly askFrom?: EffectLevel | undefined;
  /** From this level on, nothing is done at all. */
  readonly denyFrom?: EffectLevel | undefined;
  /** Whoever asked for something may not grant it. */
  readonly separateApprover?: boolean | undefined;
  /** A model may agree to levels up to 2 in place of a person. */
  readonly smart?: boolean | undefined;
}

/** What the owner of a profile has laid down. Nothing in it lifts what a tool or the judge denies. */
export interface GatePolicy extends GateRule {
  readonly askFrom: EffectLevel;
  readonly callers: Readonly<Partial<Record<Caller, GateRule>>>;
  readonly platforms: Readonly<Record<string, GateRule>>;
  /** These only tighten. */
  readonly backends: Readonly<Record<string, GateRule>>;
  /** By name of a tool. `allow` holds against the level alone, and not where a second person has to agree. */
  readonly tools: Readonly<Record<string, Verdict>>;
  /** First words of commands that need no agreement, such as `npm test`; not where a second person has to agree. */
  readonly allow: readonly string[];
  /** Commands that are denied, such as `rm -rf`. */
  readonly deny: readonly string[];
  /** Who may grant, as `channel:user`. Without it, everybody whom a channel has authenticated. */
  readonly approvers?: readonly string[] | undefined;
  /** Whether sessions that hold private data and words of strangers ask before anything goes out. */
  readonly taint: boolean;
  /** How long a request waits for an answer. */
  readonly waitMs: number;
  /** How long a grant holds. */
  readonly grantMs: { readonly once: number; readonly session: number; readonly always: number };
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

export const DEFAULT_POLICY: GatePolicy = {
  askFrom: 3,
  callers: {},
  platforms: {},
  backends: {},
  tools: {},
  allow: [],
  deny: [],
  taint: true,
  waitMs: 5 * MINUTE,
  grantMs: { once: 15 * MINUTE, session: DAY, always: 90 * DAY },
};

export interface EffectiveRule {
  readonly askFrom: EffectLevel;
  readonly denyFrom: EffectLevel | undefined;
  readonly separateApprover: boolean;
  readonly smart: boolean;
}

/** A platform's rule comes before a caller's, and both before the general one; that of a backend only tightens. */
export function ruleFor(
  policy: GatePolicy,
  { caller, platform }: Requester,
  backend: string | undefined,
): EffectiveRule {
  const own = ruleNamed(policy.platforms, platform);
  const way = policy.callers[caller] ?? {};
  const place = backend === undefined ? {} : ruleNamed(policy.backends, backend);
  const denials = [own.denyFrom ?? way.denyFrom ?? policy.denyFrom, place.denyFrom].filter(
    (level) => level !== undefined,
  );
  const askFrom = own.askFrom ?? way.askFrom ?? policy.askFrom;
  const separate = own.separateApprover ?? way.separateApprover ?? policy.separateApprover ?? false;
  const smart = own.smart ?? way.smart ?? policy.smart ?? false;
  return {
    askFrom: least([askFrom, place.askFrom ?? askFrom]) ?? askFrom,
    denyFrom: least(denials),
    separateApprover: separate || place.separateApprover === true,
    smart: smart && place.smart !== false,
  };
}

/** Names come from outside: `constructor` is no rule. */
const ruleNamed = (rules: Readonly<Record<string, GateRule>>, name: string): GateRule =>
  (Object.hasOwn(rules, name) ? rules[name] : undefined) ?? {};

const least = (levels: readonly EffectLevel[]): EffectLevel | undefined =>
  levels.toSorted((a, b) => a - b)[0];
