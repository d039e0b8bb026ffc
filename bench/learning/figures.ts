import type { ArmResult, Outcome } from './run-arm.ts';

const mean = (values: readonly number[]): number =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : Number.NaN;
const rounded = (value: number): number => Math.round(value * 100) / 100;

const encounter = ({ outcomes }: ArmResult, wanted: number): readonly Outcome[] =>
  outcomes.filter(({ task }) => task.encounter === wanted);
const calls = (outcomes: readonly Outcome[]): number => mean(outcomes.map((outcome) => outcome.calls));
const tokens = (outcomes: readonly Outcome[]): number => mean(outcomes.map((outcome) => outcome.tokens));

/** Tasks in which a skill was looked at that was learned from another kind of task, over all tasks. */
const wrongRate = ({ outcomes }: ArmResult): number =>
  outcomes.filter(({ task, skill, meantFor }) => skill !== undefined && meantFor !== task.family).length /
  outcomes.length;

/** What the arms show. A share is the fourth encounter over the first. `offs` are runs without a store. */
export function figuresOf(
  arms: Readonly<Record<string, ArmResult>>,
  offs: readonly ArmResult[],
): Record<string, number> {
  const { full, again, off, nogate, norepair, oracle } = arms as Record<string, ArmResult> &
    Record<'full' | 'again' | 'off' | 'nogate' | 'norepair' | 'oracle', ArmResult>;
  const flat = { ...off, outcomes: offs.flatMap(({ outcomes }) => outcomes) };
  const novel = (arm: ArmResult) => calls(encounter(arm, 0));
  const drifted = (arm: ArmResult) => calls(arm.outcomes.filter(({ task }) => task.drifted));
  const later = (arm: ArmResult) => calls(arm.outcomes.filter(({ task }) => task.encounter >= 4));
  const share = (arm: ArmResult) => rounded(calls(encounter(arm, 4)) / calls(encounter(arm, 1)));
  const curve = (arm: ArmResult) =>
    arm.outcomes.map((outcome) => [outcome.calls, outcome.tokens, outcome.skill]);
  const figures = {
    tasks: full.outcomes.length,
    calls_first: calls(encounter(full, 1)),
    calls_fourth: calls(encounter(full, 4)),
    calls_later: later(full),
    tokens_first: Math.round(tokens(encounter(full, 1))),
    tokens_fourth: Math.round(tokens(encounter(full, 4))),
    calls_fourth_share: share(full),
    off_calls_first: calls(encounter(flat, 1)),
    off_calls_fourth: calls(encounter(flat, 4)),
    off_change: Math.abs(calls(encounter(flat, 4)) / calls(encounter(flat, 1)) - 1),
    wrong_skill_rate: wrongRate(full),
    nogate_wrong_skill_rate: wrongRate(nogate),
    nogate_calls_first: calls(encounter(nogate, 1)),
    drift_calls: drifted(full),
    norepair_calls: drifted(norepair),
    oracle_calls: later(oracle),
    novel_calls: novel(full),
    off_novel_calls: novel(off),
    novel_share: novel(full) / novel(off),
    poisoned_demoted: Number(full.poisonDemoted),
    replay_identical: Number(JSON.stringify(curve(full)) === JSON.stringify(curve(again))),
  };
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      name.endsWith('rate') ? Math.round(value * 1_000) / 1_000 : rounded(value),
    ]),
  );
}
