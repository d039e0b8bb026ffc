/** A key and the name people know it by. The name may be shown anywhere, the secret nowhere. */
export interface Credential {
  /** Names the state that is kept about it; a new secret under an old label has a new id. */
  readonly id: string;
  readonly label: string;
  readonly secret: string;
}

/** What is remembered about a credential between calls and between runs. */
export interface CredentialState {
  readonly uses: number;
  readonly lastUsedAt?: number;
  /** Not to be used before this time (milliseconds since the epoch). */
  readonly restsUntil?: number;
  readonly restsBecause?: string;
}

export type CredentialStates = Readonly<Record<string, CredentialState>>;

/**
 * Where the state of one provider's credentials lives. `update` is atomic across processes and never rejects:
 * what cannot be kept is forgotten, and the vendor will tell again.
 */
export interface CredentialBook {
  read(provider: string): Promise<CredentialStates>;
  update(provider: string, id: string, change: (state: CredentialState) => CredentialState): Promise<void>;
}
