import type {
  HubSource,
  HubTrust,
  LockedFile,
  LockedSkill,
  RegistryEntry,
  SkillFinding,
  SkillVerdict,
} from '#spec/data';

/** Why nothing was changed. The words for a person are found by whoever shows it. */
export type HubRefusal =
  /** No skill in it. */
  | 'no_skill'
  /** More than one; `details` names them. */
  | 'several_skills'
  /** A name or path that is not allowed; `details` has it. */
  | 'bad_name'
  | 'bad_path'
  /** A link, a device or another repository within the skill. */
  | 'odd_entry'
  /** The skill file cannot be read; `details` says why. */
  | 'unreadable'
  /** The guard's floor. */
  | 'dangerous'
  /** A person has to agree, and there is nobody to ask. */
  | 'needs_agreement'
  | 'declined'
  /** Another skill has the name; `details` says where. */
  | 'name_taken'
  | 'already_installed'
  | 'not_installed'
  /** The installed copy was edited by hand; `details` names the files. */
  | 'edited'
  /** No registry knows it. */
  | 'unknown_name'
  /** Several registries know it, and mean different things. */
  | 'ambiguous'
  /** A registry of others names a place on this machine. */
  | 'bad_source'
  /** The source could not be read; `details` says why. */
  | 'unreachable'
  /** Credentials in what would be published. */
  | 'credentials';

export interface HubRefused {
  readonly status: 'refused';
  readonly name: string;
  readonly reason: HubRefusal;
  readonly details: readonly string[];
  readonly findings: readonly SkillFinding[];
}

/** What a person is asked to agree to. */
export interface HubProposal {
  readonly action: 'install' | 'update' | 'publish';
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly path: string;
  readonly source: HubSource;
  readonly publisher: string;
  readonly trust: HubTrust;
  readonly verdict: SkillVerdict;
  readonly findings: readonly SkillFinding[];
  readonly files: readonly LockedFile[];
  /** Without an agreement nothing happens; otherwise it is only shown. */
  readonly needsYes: boolean;
  /** Against the installed copy. */
  readonly diff?: string;
}

export type Agree = (proposal: HubProposal) => Promise<boolean>;

export interface HubInstalled {
  readonly status: 'installed' | 'updated' | 'unchanged' | 'kept';
  readonly name: string;
  readonly skill: LockedSkill;
  readonly findings: readonly SkillFinding[];
  readonly diff?: string;
}

export interface HubUninstalled {
  readonly status: 'uninstalled';
  readonly name: string;
  readonly skill: LockedSkill;
}

export interface HubPublished {
  readonly status: 'published';
  readonly name: string;
  readonly archive: string;
  readonly index: string;
  readonly entry: RegistryEntry;
  readonly findings: readonly SkillFinding[];
}

export interface HubAudit {
  readonly name: string;
  readonly path: string;
  readonly trust: HubTrust;
  readonly state: 'intact' | 'changed' | 'missing';
  readonly changes: readonly {
    readonly path: string;
    readonly change: 'changed' | 'added' | 'removed' | 'link';
  }[];
  /** When it was installed, and of what lies there now. */
  readonly was: SkillVerdict;
  readonly verdict: SkillVerdict;
  readonly findings: readonly SkillFinding[];
}

export interface HubFound extends RegistryEntry {
  readonly registry: string;
  readonly trust: HubTrust;
  /** The version that is installed. */
  readonly installed?: string;
}

export interface HubSearch {
  readonly found: readonly HubFound[];
  /** Installed skills that fit. */
  readonly local: readonly LockedSkill[];
  /** Registries that could not be read. */
  readonly problems: readonly { readonly registry: string; readonly message: string }[];
}

export const refused = (
  name: string,
  reason: HubRefusal,
  details: readonly string[] = [],
  findings: readonly SkillFinding[] = [],
): HubRefused => ({ status: 'refused', name, reason, details, findings });
