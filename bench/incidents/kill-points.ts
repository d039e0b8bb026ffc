/** Moments to kill at, in the order of an incident: a fact on its timeline, or what the target of the action has seen. */
const KILL_POINTS = [
  'gateway.received',
  'alert.normalized',
  'incident.created',
  'evidence.collected',
  'rca.concluded',
  'action.proposed',
  'target asked for a rehearsal',
  'action.rehearsed',
  'checkpoint.created',
  'approval.requested',
  'approval.granted',
  'execution.rehearsed',
  'execution.started',
  'target has the order',
  'target has done it',
  'execution.finished',
  'recovery.verified',
  'incident.closed',
  'lesson.recorded',
  'some moment',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

/** Four for each wave, far from each other: after half as many waves as there are points, each had its turn twice. */
const APART = KILL_POINTS.length / 4;
export const WAVES = KILL_POINTS.length / 2;

export const killPlan = (wave: number): KillPoint[] =>
  Array.from({ length: 4 }, (_, n) => (wave + n * APART) % KILL_POINTS.length)
    .toSorted((a, b) => a - b)
    .map((at) => KILL_POINTS[at] ?? 'some moment');
