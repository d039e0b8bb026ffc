import { apart, EXPIRY, FAILURES, sayingOf } from '../sayings.ts';
import { LONGEST } from './template-of.ts';

/** Alert, critical, error and emergency, fatal, panic, severe, warning, however they are cut short. */
const LEVELS = /^[acefpsw]/i;
/** Servers that answer so say no more in their access logs. */
const ANSWERED = /\b(?:429|50\d)\b/;
const COMPLAINT = sayingOf([...FAILURES, ...EXPIRY]);

/** Whether a line complains: its level says so or, where it has none that does, its words. */
export function soundsBad(message: string, level: string | undefined): boolean {
  if (level !== undefined && LEVELS.test(level)) return true;
  const said = apart(message.slice(0, LONGEST));
  return COMPLAINT.test(said) || ANSWERED.test(said);
}
