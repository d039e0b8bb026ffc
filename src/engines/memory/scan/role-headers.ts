/** Lines that make a text look like a conversation or a prompt of its own. */
const HEADERS =
  /^[ \t]{0,20}(?:#{1,4}[ \t]{1,4}|\*\*|\[|<\|?)?(system(?: prompt| message)?|assistant|human|user|developer(?: message)?|系统(?:提示词?|指令|消息)?|助手|助理|用户)(?:\*\*|\|?>|\])?[ \t]{0,4}[::](?!:)/gim;
/** A tag, or a name that no ordinary line begins with. */
const CERTAIN =
  /<\/?(?:system|assistant|instructions?|system-reminder)>|<\|(?:system|assistant|user|endoftext|eot_id|start_header_id)\|?>?|^[ \t]{0,20}(?:#{1,4}[ \t]{0,4}|\[)?(?:system (?:prompt|message)|assistant|human|developer message|系统提示词?|系统指令|系统消息|助手)(?:\])?[ \t]{0,4}[::](?!:)|^[ \t]{0,20}(?:#{1,4}[ \t]{1,4}|\[)(?:system|assistant|instructions?)(?:\]|[ \t]{0,4}:?[ \t]{0,4}$)/im;

/** Whether a text has headers of roles. "User: prefers short answers" alone is a note about a user. */
export function hasRoleHeaders(text: string): boolean {
  if (CERTAIN.test(text)) return true;
  const roles = new Set([...text.matchAll(HEADERS)].map(([, role]) => role?.toLowerCase()));
  return roles.size >= 2;
}
