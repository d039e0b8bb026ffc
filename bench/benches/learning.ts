import { defineBench } from '../bench.ts';
import { figuresOf } from '../learning/figures.ts';
import { type Arm, type ArmResult, FULL, runArm } from '../learning/run-arm.ts';
import { tasksOf } from '../learning/tasks.ts';

const SEED = '1';
/**
 * Without a store nothing can be learned, and what is left is chance: it takes more tasks to see that the curve is flat.
 */
const MORE_SEEDS = ['2', '3', '4'];
/** The family that the planted skill lures. */
const POISONED = 'host-0';

const OFF: Arm = { ...FULL, store: false };

const ARMS: Readonly<Record<string, Arm>> = {
  full: FULL,
  again: FULL,
  off: OFF,
  nogate: { ...FULL, gate: false },
  norepair: { ...FULL, repair: false },
  oracle: { ...FULL, oracle: true },
};

/** The whole loop over tasks that come again, change and never come back, with a model that knows only what it is told. */
export const bench = defineBench({
  summary:
    'learning from use: calls and tokens of tasks when they come again, against arms without parts of the loop',
  goals: {
    calls_fourth_share: { most: 0.5 },
    off_change: { most: 0.1 },
    wrong_skill_rate: { most: 0.05 },
    novel_share: { most: 1.1 },
    poisoned_demoted: { exactly: 1 },
    replay_identical: { exactly: 1 },
  },
  run: async ({ say }) => {
    const tasks = tasksOf(SEED);
    const results: Record<string, ArmResult> = {};
    for (const [name, arm] of Object.entries(ARMS)) {
      const started = performance.now();
      const result = await runArm(arm, tasks, POISONED);
      results[name] = result;
      const solved = result.outcomes.filter((outcome) => outcome.solved).length;
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      say(
        `${name.padEnd(9)} ${solved} of ${tasks.length} tasks solved, ${result.skills} skills, ${seconds} s  ${JSON.stringify(result.edits)}`,
      );
    }
    const flat = [results.off as ArmResult];
    for (const seed of MORE_SEEDS) flat.push(await runArm(OFF, tasksOf(seed), POISONED));
    return figuresOf(results, flat);
  },
});
