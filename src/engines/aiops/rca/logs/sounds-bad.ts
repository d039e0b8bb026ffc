import { LONGEST } from './template-of.ts';

/** Alert, critical, error and emergency, fatal, panic, severe, warning, however they are cut short. */
const LEVELS = /^[acefpsw]/i;
const WORDS =
  /error|exception|fail|fatal|panic|timed? ?out|refused|exceeded|exhausted|expired|cannot|invalid|\b(?:429|50\d)\b/i;

/** Whether a line complains: its level says so or, where it has none that does, its words. */
export const soundsBad = (message: string, level: string | undefined): boolean =>
  (level !== undefined && LEVELS.test(level)) || WORDS.test(message.slice(0, LONGEST));
