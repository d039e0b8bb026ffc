import type { IncidentSettings } from '#engines/aiops';
import type { Language } from '#kit/language';
import type { Config } from '../config/schema.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The settings of config.yaml as the flow wants them. */
export const incidentSettings = (given: Config['incidents'], language: Language): IncidentSettings => ({
  baselineMs: given.baseline_minutes * MINUTE,
  leadMs: given.lead_seconds * SECOND,
  collectMs: given.collect_seconds * SECOND,
  recheckMs: given.recheck_seconds.map((seconds) => seconds * SECOND),
  mostRounds: given.most_rounds,
  approvalMs: given.approval_hours * HOUR,
  confirmWord: given.confirm_word,
  confirmAlways: given.confirm_always,
  execute: given.execute,
  confidenceFloor: given.confidence,
  settleMs: given.settle_seconds * SECOND,
  checkEveryMs: given.check_seconds * SECOND,
  stableChecks: given.stable_checks,
  mostChecks: given.most_checks,
  language,
  zone: given.zone,
});
