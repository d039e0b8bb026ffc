import type { ServiceHealth, ShownApproval } from '#spec/api';
import type { IncidentState, Recovery, Risk, Severity } from '#spec/data';
import type { Tone } from '../../ui/classes.ts';

export const STATE_TONE: Readonly<Record<IncidentState, Tone>> = {
  investigating: 'info',
  watching: 'info',
  awaiting_approval: 'warn',
  executing: 'info',
  verifying: 'info',
  needs_person: 'bad',
  recovered: 'ok',
  resolved: 'ok',
  closed: 'quiet',
};

export const SEVERITY_TONE: Readonly<Record<Severity, Tone>> = {
  P1: 'bad',
  P2: 'warn',
  P3: 'quiet',
  P4: 'quiet',
};

export const RISK_TONE: Readonly<Record<Risk, Tone>> = {
  read_only: 'quiet',
  safe_write: 'warn',
  destructive: 'bad',
};

export const RECOVERY_TONE: Readonly<Record<Recovery['status'], Tone>> = {
  recovered: 'ok',
  not_recovered: 'bad',
  uncertain: 'warn',
};

export const APPROVAL_TONE: Readonly<Record<ShownApproval['state'], Tone>> = {
  pending: 'warn',
  granted: 'ok',
  denied: 'bad',
  expired: 'quiet',
  used: 'ok',
  withdrawn: 'quiet',
};

export const HEALTH_TONE: Readonly<Record<ServiceHealth['health'], Tone>> = {
  ok: 'ok',
  warn: 'warn',
  bad: 'bad',
  unknown: 'quiet',
};

/** States in which an incident is not over. */
export const OPEN_STATES: readonly IncidentState[] = [
  'investigating',
  'watching',
  'awaiting_approval',
  'executing',
  'verifying',
  'needs_person',
];

/** So many open incidents are read at once, for lists and counts that fit on a page. */
export const OPEN_COUNTED = 100;

export const CLOSED_STATES: readonly IncidentState[] = ['recovered', 'resolved', 'closed'];
