import { dropHidden } from '#kit/hidden-characters';
import type { ApprovalWord } from '#spec/ports';

/** Eight characters as the desk makes them, or a longer one with a prefix such as `approval_x`. */
const ID = String.raw`(?<id>[a-z]+_[\w-]{1,100}|[2-9a-hjkmnp-tv-z]{8})(?![\w-])`;
const LEADING_MENTIONS = String.raw`^\s*(?:@\S+\s+){0,3}\/?`;
/** A confirmation is written like a code. Plain words after the id could be "later" or "not yet". */
const CONFIRMATION = String.raw`(?:\s+(?<confirmation>(?=\w*[A-Z0-9_])\w{4,64})(?![\w-]))?`;
const GRANT = new RegExp(
  String.raw`${LEADING_MENTIONS}(?:approve|批准|同意)\s*${ID}${CONFIRMATION}\s*(?:[.。!!][\s\S]*)?$`,
  'u',
);
const REFUSAL = new RegExp(
  String.raw`${LEADING_MENTIONS}(?:reject|deny|拒绝|驳回)\s*${ID}\s*(?:[.。!!,,;;::–-][\s\S]*|(?:because|因为)[\s\S]*)?$`,
  'u',
);

/**
 * `approve <id> CONFIRM_EXECUTE`, `批准 <id> CONFIRM_EXECUTE。先 dry-run。`, `reject <id>`. Only a message that begins so
 * and says nothing doubtful about it is a word about an approval; everything else is a message.
 */
export function readApprovalWords(text: string, user: string): ApprovalWord | undefined {
  const said = dropHidden(text).replace(/^(\s*(?:@\S+\s+){0,3}\/?)([A-Za-z]+)/, (_, before, verb) => {
    return `${before as string}${(verb as string).toLowerCase()}`;
  });
  const grant = GRANT.exec(said)?.groups;
  if (grant?.id) {
    const { id, confirmation } = grant;
    return { approval: id, granted: true, user, ...(confirmation ? { confirmation } : {}) };
  }
  const refusal = REFUSAL.exec(said)?.groups;
  return refusal?.id ? { approval: refusal.id, granted: false, user } : undefined;
}
