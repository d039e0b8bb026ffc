/** Each begins at one place of a run of key characters at most, so that the time stays linear in the text. */
const SECRETS: readonly RegExp[] = [
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{12,}/g,
  /\b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:gsk_|hf_|fw_|xai-)[A-Za-z0-9]{16,}/g,
  /\b(?:nvapi-|tgp_)[A-Za-z0-9_-]{16,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{12,}/g,
  /\b(?:glpat|gldt|glrt)-[A-Za-z0-9_-]{16,}/g,
  /\b(?:npm_|dop_v1_|shpat_)[A-Za-z0-9]{20,}/g,
  /\b(?:hvs|hvb)\.[A-Za-z0-9_-]{20,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /(?<=\bhooks\.slack\.com\/services\/)[A-Za-z0-9/]{20,}/g,
  /(?<![A-Za-z0-9_-])\d{8,10}:AA[A-Za-z0-9_-]{30,}/g,
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
];

/** After a header's name alone: as words of a text, `basic` and `bearer` are words. */
const BASIC = /\b(authorization["']?\s{0,3}[:=]\s{0,3}["']?basic\s+)[A-Za-z0-9+/]{8,}=*/gi;
const BEARER = /\b(bearer\s+)[A-Za-z0-9._~+/-]{12,}=*/gi;

/** Replaces what looks like a credential, and every literal in `known`, with a mark. */
export function redact(text: string, known: readonly string[] = []): string {
  let out = text;
  const longestFirst = known.toSorted((a, b) => b.length - a.length);
  for (const secret of longestFirst) if (secret.length >= 6) out = out.replaceAll(secret, '[redacted]');
  for (const pattern of SECRETS) out = out.replace(pattern, '[redacted]');
  return out.replace(BASIC, '$1[redacted]').replace(BEARER, '$1[redacted]');
}
