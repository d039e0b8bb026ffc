import type { LockedSkill } from '#spec/data';
import type { Candidate } from './candidate.ts';
import { type Agree, type HubProposal, type HubRefused, refused } from './hub-records.ts';
import { decide } from './trust.ts';

/** What a person sees before a candidate comes in. */
export function proposalOf(
  candidate: Candidate,
  action: HubProposal['action'],
  path: string,
  diff?: string,
): HubProposal {
  const { skill, source, publisher, trust, judgement, locked } = candidate;
  return {
    action,
    name: skill.name,
    version: skill.version,
    description: skill.description,
    path,
    source,
    publisher,
    trust,
    verdict: judgement.verdict,
    findings: judgement.findings,
    files: locked,
    needsYes: decide(trust, judgement.verdict) === 'ask',
    ...(diff === undefined ? {} : { diff }),
  };
}

/**
 * Trust and verdict decide; a person may only say yes where they leave it open. Undefined: it may come in. `shown`: the
 * person sees it in any case.
 */
export async function settle(
  proposal: HubProposal,
  agree: Agree | undefined,
  shown: boolean,
): Promise<HubRefused | undefined> {
  const { name, trust, verdict, findings, needsYes } = proposal;
  const worst = (severity: string) => findings.filter((finding) => finding.severity === severity);
  if (decide(trust, verdict) === 'refuse') return refused(name, 'dangerous', [], worst('dangerous'));
  if (!agree) return needsYes ? refused(name, 'needs_agreement', [], worst('caution')) : undefined;
  if (!needsYes && !shown) return undefined;
  return (await agree(proposal)) ? undefined : refused(name, 'declined', [], findings);
}

/** What the lockfile keeps of it. */
export function lockedSkill(
  candidate: Candidate,
  path: string,
  at: number,
  before?: LockedSkill,
): LockedSkill {
  const { skill, source, commit, sha256, publisher, trust, judgement, locked } = candidate;
  const doubts = judgement.findings
    .filter((finding) => finding.severity === 'caution')
    .map((finding) => finding.rule);
  return {
    name: skill.name,
    version: skill.version,
    description: skill.description.slice(0, 1024),
    path,
    source,
    ...(commit ? { commit } : {}),
    sha256,
    publisher,
    trust,
    verdict: judgement.verdict,
    agreedTo: trust === 'community' ? [...new Set(doubts)] : [],
    installedAt: before?.installedAt ?? at,
    ...(before ? { updatedAt: at } : {}),
    files: [...locked],
  };
}
