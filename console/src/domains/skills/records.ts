import type { Skill, SkillEdit, SkillFinding, SkillProblem } from '#spec/data';

/** What the API gives about skills. */

export type HiddenReason =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'platform'; readonly wanted: readonly string[] }
  | { readonly kind: 'tools' | 'toolsets'; readonly missing: readonly string[] }
  | { readonly kind: 'not_needed'; readonly there: readonly string[] };

export type Verdict = 'safe' | 'caution' | 'dangerous';

export interface SkillRow
  extends Pick<Skill, 'name' | 'form' | 'description' | 'category' | 'tags' | 'root' | 'trust' | 'version'> {
  readonly hidden: readonly HiddenReason[];
  readonly demoted?: { readonly why: string; readonly at: number };
  readonly pinned: boolean;
  readonly stale: boolean;
  readonly uses: number;
  readonly successes: number;
  /** How the last uses ended, oldest first. */
  readonly recent: readonly boolean[];
  readonly lastUsed?: number;
  readonly installed?: { readonly state: 'intact' | 'changed' | 'missing'; readonly verdict: Verdict };
  readonly score?: number;
  /** Why it would be offered for the words that were looked for. */
  readonly fits?: readonly string[];
}

export interface SkillList {
  readonly skills: readonly SkillRow[];
  readonly problems: readonly SkillProblem[];
  readonly shadowed: readonly { readonly name: string; readonly root: string; readonly path: string }[];
}

export interface VersionRow {
  readonly version: string;
  readonly digest: string;
  readonly why: string;
  readonly state: 'active' | 'superseded' | 'rolled_back' | 'archived';
  readonly at: number;
  readonly uses: number;
  readonly successes: number;
}

export interface UseRow {
  readonly version: string;
  readonly success: boolean;
  readonly followed: boolean;
  readonly calls: number;
  readonly tokens: number;
  readonly durationMs: number;
  readonly at: number;
}

export interface Origin {
  readonly id: string;
  readonly kind: 'chat' | 'workflow' | 'incident' | 'unknown';
  readonly at?: number;
  readonly success?: boolean;
  readonly task?: string;
  readonly session?: string;
}

export interface PlannedArgument {
  readonly name: string;
  readonly value?: unknown;
  readonly from: 'given' | 'default' | 'missing';
  readonly description?: string;
  readonly type?: 'string' | 'number' | 'boolean' | 'array' | 'object';
  readonly choices?: readonly unknown[];
}

export interface PlannedStep {
  readonly id: string;
  readonly name: string;
  readonly action: string;
  /** Steps of the same number run side by side. */
  readonly batch: number;
  readonly input: string;
  readonly level?: 0 | 1 | 2 | 3;
  readonly condition?: string;
  readonly asks: readonly ('confirmation' | 'gate')[];
  readonly needs: readonly string[];
  readonly outputKey?: string;
  readonly timeoutMs: number;
  readonly missing?: { readonly what: string; readonly fix: string };
}

export interface Plan {
  readonly arguments: readonly PlannedArgument[];
  readonly preconditions: readonly string[];
  readonly steps: readonly PlannedStep[];
  readonly postconditions: readonly string[];
  readonly totalTimeoutMs: number;
  readonly problems: readonly { readonly problem: string; readonly fix: string }[];
}

export interface Installed {
  readonly source: { readonly kind: string; readonly at: string; readonly ref?: string };
  readonly commit?: string;
  readonly publisher: string;
  readonly trust: string;
  readonly verdict: Verdict;
  readonly verdictNow: Verdict;
  readonly agreedTo: readonly string[];
  readonly installedAt: number;
  readonly updatedAt?: number;
  readonly state: 'intact' | 'changed' | 'missing';
  readonly changes: readonly { readonly path: string; readonly change: string }[];
  readonly findings: readonly SkillFinding[];
}

export interface SkillPage {
  readonly skill: SkillRow & Pick<Skill, 'path' | 'digest' | 'triggers' | 'needs' | 'includes'>;
  readonly source: string;
  readonly body: string;
  readonly files: readonly string[];
  readonly unset: readonly string[];
  readonly versions: readonly VersionRow[];
  readonly uses: readonly UseRow[];
  readonly origins: readonly Origin[];
  readonly plan?: Plan;
  readonly planProblem?: string;
  readonly installed?: Installed;
}

export interface EditRow extends Omit<SkillEdit, 'before' | 'after'> {
  readonly files: readonly string[];
  readonly added: number;
  readonly removed: number;
}

export interface EditView extends EditRow {
  readonly diff: string;
}

interface Proposal {
  readonly id: string;
  readonly kind: 'draft' | 'mutation' | 'merge';
  readonly skill: string;
  readonly what: string;
  readonly accepted: boolean;
  readonly why: string;
  readonly before: number;
  readonly after: number;
  readonly tasks: number;
  readonly at: number;
}

export interface LearningView {
  readonly experiences: number;
  readonly kinds?: readonly {
    readonly example: string;
    readonly successes: number;
    readonly missing: number;
  }[];
  readonly proposals: readonly Proposal[];
  readonly ledger: readonly EditRow[];
  readonly loop: {
    readonly enabled: boolean;
    readonly approve: boolean;
    readonly threshold: number;
    readonly reflectEvery: number;
    readonly sinceReflected: number;
    readonly staleDays: number;
    readonly archiveDays: number;
    readonly curatedAt: number;
    readonly stale: readonly string[];
    readonly demoted: Readonly<Record<string, { readonly why: string; readonly at: number }>>;
    readonly pinned: readonly string[];
  };
}

export interface LearnEvent {
  readonly kind: string;
  readonly skill: string;
  readonly why: string;
}

export interface DraftView {
  readonly id: string;
  readonly skill?: string;
  readonly action?: string;
  readonly shown: string;
  readonly diff?: string;
  readonly why: string;
  readonly session?: string;
  readonly at: number;
}

export type RunState =
  | 'running'
  | 'done'
  | 'shown'
  | 'failed'
  | 'refused'
  | 'uncertain'
  | 'unmet'
  | 'cancelled';
export type StepState =
  | 'pending'
  | 'running'
  | 'done'
  | 'recovered'
  | 'failed'
  | 'refused'
  | 'uncertain'
  | 'skipped'
  | 'shown';

export interface RunRow {
  readonly id: string;
  readonly skill: string;
  readonly version: string;
  readonly state: RunState;
  readonly dryRun: boolean;
  readonly by: { readonly user: string; readonly platform: string };
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Whether the server itself is at it. */
  readonly here: boolean;
  readonly questions: number;
}

export interface StepRecord {
  readonly id: string;
  readonly name: string;
  readonly action: string;
  readonly state: StepState;
  readonly level?: 0 | 1 | 2 | 3;
  readonly input?: string;
  readonly output?: string;
  /** Where it was done or measured. */
  readonly place?: string;
  readonly summary?: string;
  readonly failure?: { readonly kind: string; readonly message: string; readonly advice?: string };
  readonly attempts: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
}

export interface OpenQuestion {
  readonly id: string;
  readonly question: string;
  readonly choices: readonly string[];
  readonly at: number;
  readonly until: number;
}

export interface RunApproval {
  readonly id: string;
  readonly tool: string;
  readonly level: number;
  readonly shown: string;
  readonly reasons: readonly string[];
  readonly separate: boolean;
  readonly createdAt: number;
  readonly expiresAt: number;
}

export interface RunView extends RunRow {
  readonly args: Readonly<Record<string, unknown>>;
  readonly steps: readonly StepRecord[];
  readonly text?: string;
  readonly warnings: readonly string[];
  readonly failure?: { readonly kind: string; readonly message: string; readonly step?: string };
  readonly problem?: string;
  readonly backend?: string;
  readonly from?: { readonly step: string; readonly run: string };
  readonly waiting: {
    readonly questions: readonly OpenQuestion[];
    readonly approvals: readonly RunApproval[];
  };
}

export interface StartRun {
  readonly args: Readonly<Record<string, unknown>>;
  readonly dryRun: boolean;
  readonly fresh: boolean;
  readonly language: 'en' | 'zh';
  readonly from?: { readonly step: string; readonly run: string };
  readonly backend?: string;
}
