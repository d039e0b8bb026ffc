import type { RunState, StepState, VersionRow } from '#spec/api';
import type { SkillVerdict } from '#spec/data';
import type { Tone } from '../../ui/classes.ts';

export const RUN_TONE: Readonly<Record<RunState, Tone>> = {
  running: 'info',
  done: 'ok',
  shown: 'quiet',
  failed: 'bad',
  refused: 'warn',
  uncertain: 'bad',
  unmet: 'warn',
  cancelled: 'quiet',
};

export const STEP_TONE: Readonly<Record<StepState, Tone>> = {
  pending: 'quiet',
  running: 'info',
  done: 'ok',
  recovered: 'ok',
  failed: 'bad',
  refused: 'warn',
  uncertain: 'bad',
  skipped: 'quiet',
  shown: 'quiet',
};

export const VERDICT_TONE: Readonly<Record<SkillVerdict, Tone>> = {
  safe: 'ok',
  caution: 'warn',
  dangerous: 'bad',
};

export const VERSION_TONE: Readonly<Record<VersionRow['state'], Tone>> = {
  active: 'ok',
  superseded: 'quiet',
  rolled_back: 'warn',
  archived: 'quiet',
};
