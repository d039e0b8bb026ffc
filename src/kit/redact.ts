/** Each begins at one place of a run of key characters at most, so that the time stays linear in the text. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{12,}/g,
  /\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:gsk_|hf_|fw_|xai-)[A-Za-z0-9]{16,}/g,
  /\b(?:nvapi-|tgp_)[A-Za-z0-9_-]{16,}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
];

const BEARER = /\b(bearer\s+)[A-Za-z0-9._~+/-]{12,}=*/gi;

/** Replaces what looks like a credential, and every literal in `known`, with a mark. */
export function redact(text: string, known: readonly string[] = []): string {
  let out = text;
  const longestFirst = known.toSorted((a, b) => b.length - a.length);
  for (const secret of longestFirst) if (secret.length >= 6) out = out.replaceAll(secret, '[redacted]');
  for (const pattern of SECRETS) out = out.replace(pattern, '[redacted]');
  return out.replace(BEARER, '$1[redacted]');
}
