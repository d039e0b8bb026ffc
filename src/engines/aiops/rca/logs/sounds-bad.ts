const LEVELS = /^(?:e|err|error|fatal|critical|crit|severe|panic|alert|emerg\w*|warn|warning)$/i;
const WORDS =
  /\b(?:error|errors|exception|fail(?:ed|ure|ing|s)?|fatal|panic|timed? ?out|timeout|refused|denied|unavailable|crash\w*|killed|oom|exhausted|exceeded|expired|invalid|cannot|could not|unable|reset by peer|traceback|deadlock|throttl\w*|rejected|aborted|50[0-9]|429)\b|Exception\b|Error\b/i;

/** Whether a line complains: its level says so or, where it has none that does, its words. */
export function soundsBad(message: string, level: string | undefined): boolean {
  if (level && LEVELS.test(level)) return true;
  return WORDS.test(message.slice(0, 400));
}
