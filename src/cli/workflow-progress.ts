import pc from 'picocolors';
import type { StepRecord as SkillStep, WorkflowEvent } from '#app/skills';
import type { CliContext } from './command.ts';

const MARKS: Readonly<Record<SkillStep['state'], string>> = {
  pending: pc.dim('·'),
  running: pc.cyan('…'),
  done: pc.green('✓'),
  recovered: pc.green('↻'),
  failed: pc.red('✗'),
  refused: pc.red('⊘'),
  uncertain: pc.yellow('?'),
  skipped: pc.dim('–'),
  shown: pc.blue('▷'),
};

/** One step of a run that is over, or on its way. */
export function stepLine({ id, name, action, state, summary, startedAt, endedAt }: SkillStep): string {
  const took = startedAt !== undefined && endedAt !== undefined ? ` ${seconds(endedAt - startedAt)}` : '';
  return `${MARKS[state]} ${id}. ${pc.bold(name)} ${pc.dim(`${action}${took}`)}  ${summary ?? ''}`;
}

/** Tells on standard error how a run goes: a bar that moves at a terminal, lines elsewhere. */
export function workflowProgress({ stderr }: CliContext): (event: WorkflowEvent) => void {
  const live = stderr.isTTY ?? false;
  let [total, done] = [0, 0];
  const erase = () => live && stderr.write('\r\u001b[K');
  const bar = (name: string) => {
    if (!live || !total) return;
    const full = Math.round((done / total) * 20);
    stderr.write(`${pc.cyan('█'.repeat(full))}${pc.dim('░'.repeat(20 - full))} ${done}/${total}  ${name}`);
  };
  const line = (mark: string, name: string, rest: string) => {
    erase();
    stderr.write(`${mark} ${name}  ${pc.dim(rest)}\n`);
  };
  return (event) => {
    if (event.type === 'started') total = event.steps;
    else if (event.type === 'step.started') {
      erase();
      bar(event.name);
    } else if (event.type === 'step.ended') {
      done += 1;
      line(event.ok ? MARKS.done : MARKS.failed, event.name, `${seconds(event.ms)}  ${event.summary}`);
    } else if (event.type === 'skipped') {
      done += 1;
      line(MARKS.skipped, event.name, event.reason);
    } else if (event.type === 'shown') {
      done += 1;
      line(MARKS.shown, event.name, event.input);
    } else if (event.type === 'finished') erase();
  };
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
