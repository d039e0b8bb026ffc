import { isRecord } from '#kit/is-record';
import type { FlowContext } from '#spec/ports';
import type { WorkflowEnding } from '../file/workflow.ts';
import { memoryKeys } from '../plan/references.ts';
import { asText } from '../template/look-up.ts';
import type { WorkflowResult } from './run-records.ts';
import { type RunProgress, scopeAt, tell } from './run-state.ts';
import { wordsIn } from './words.ts';

const MOST_REMEMBERED = 20;
const MOST_REMEMBERED_CHARS = 24_000;
const MOST_OF_ONE_OUTPUT = 4_000;

/** Everything after the last step: what is shown, remembered and sent, and the result. */
export async function endRun(
  flow: FlowContext,
  progress: RunProgress,
  state: WorkflowResult['state'],
): Promise<WorkflowResult> {
  const { workflow, warnings, outputs, begun, end, run } = progress;
  const text = await flow.step('output', { effect: 'pure' }, async () => renderOutput(progress, state));
  const ending = state === 'done' ? workflow.output.onSuccess : workflow.output.onFailure;
  if (!progress.dryRun && state !== 'cancelled') {
    await notifyAll(flow, progress, ending);
    await remember(flow, progress, ending, state, text);
  }
  const steps = [...progress.records.values()];
  const endedAt = await flow.step('end', { effect: 'pure' }, async () => {
    tell(progress, { type: 'finished', state, text });
    return progress.deps.now();
  });
  return {
    skill: workflow.name,
    version: workflow.version,
    state,
    format: workflow.output.format,
    text,
    steps,
    outputs,
    args: run.input.args,
    ...(end.failure ? { failure: end.failure } : {}),
    warnings,
    repeatable: steps.every(({ level = 0, state: was }) => level < 2 || was === 'skipped'),
    startedAt: begun.at,
    endedAt,
  };
}

/** The template when it succeeded; else what there is to say. A template that fails does not undo what was done. */
function renderOutput(progress: RunProgress, state: WorkflowResult['state']): string {
  const { workflow, readers, deps, warnings, outputs } = progress;
  const say = wordsIn(progress.run.input.language);
  const { template, format } = workflow.output;
  const text = (): string => {
    if (state !== 'done') return '';
    if (template !== undefined)
      return readers.templates.render(template, scopeAt(progress, deps.now()), 'message');
    if (format === 'json') return JSON.stringify(outputs, null, 2);
    const last = workflow.steps.findLast(({ outputKey }) => outputKey && mainText(outputs[outputKey]) !== '');
    return last?.outputKey ? mainText(outputs[last.outputKey]) : '';
  };
  const body = text().trimEnd();
  if (state === 'done' && body)
    return format === 'json' ? body : [body, ...placeLines(progress)].join('\n\n');
  const { failure } = progress.end;
  const steps = [...progress.records.values()].map(({ name, summary, input, state: was }) =>
    say.step(name, was === 'shown' ? (input ?? '') : [say.state(was), summary].filter(Boolean).join(': ')),
  );
  return [
    ...(failure ? [say.failed(failure.step ?? workflow.name, failure.kind, failure.message)] : []),
    ...(failure?.advice ? [say.advice(failure.advice)] : []),
    ...(state === 'shown' ? [say.shown()] : []),
    ...steps,
    ...warnings,
  ].join('\n');
}

/** Where the outputs were taken, by themselves: what is said about one place is nothing about another. */
function placeLines({ workflow, outputs, run }: RunProgress): string[] {
  const stepsAt = new Map<string, string[]>();
  for (const { name, outputKey } of workflow.steps) {
    const output = outputKey === undefined ? undefined : outputs[outputKey];
    if (!isRecord(output) || typeof output.place !== 'string') continue;
    stepsAt.set(output.place, [...(stepsAt.get(output.place) ?? []), name]);
  }
  const places = [...stepsAt.keys()];
  const say = wordsIn(run.input.language);
  if (places.length <= 1) return places.map((place) => say.taken(place));
  return [places.map((place) => say.takenAt(place, stepsAt.get(place) ?? [])).join('\n')];
}

/** What an output says: of data that carries a text for people, that text. */
function mainText(output: unknown): string {
  if (!isRecord(output)) return asText(output);
  const said = ['text', 'output', 'report']
    .map((key) => output[key])
    .find((text) => typeof text === 'string');
  return typeof said === 'string' ? said : asText(output);
}

async function notifyAll(
  flow: FlowContext,
  progress: RunProgress,
  { notify }: WorkflowEnding,
): Promise<void> {
  const { readers, deps, run, warnings } = progress;
  const say = wordsIn(run.input.language);
  for (const [i, { condition, platform, message }] of notify.entries()) {
    const text = await flow.step(`notify ${i + 1} prepare`, { effect: 'pure' }, async () => {
      const scope = scopeAt(progress, deps.now());
      try {
        if (condition !== undefined && !readers.conditions.test(condition, scope).holds) return null;
        return { text: readers.templates.render(message, scope, 'message') };
      } catch (error) {
        return { problem: (error as Error).message };
      }
    });
    if (text === null) continue;
    if (text.problem !== undefined) {
      warnings.push(say.undelivered(platform, text.problem));
      continue;
    }
    const sent = await flow.once(`notify ${i + 1}`, async ({ key, signal }) => {
      const taken = await deps.notify?.({ platform, message: text.text ?? '' }, { key, signal, run });
      return taken ?? { taken: false };
    });
    const detail = sent.status === 'done' ? sent.value : { taken: false, detail: say.uncertain() };
    if (detail.taken) continue;
    // Where nobody can be told anything, that is one thing to say, whatever there was to tell.
    const line = detail.detail === undefined ? say.unheard() : say.undelivered(platform, detail.detail);
    if (!warnings.includes(line)) warnings.push(line);
  }
}

/**
 * Adds this run to the history that the workflow keeps: under the key that it names, else the one history that it
 * reads, else its own name.
 */
async function remember(
  flow: FlowContext,
  progress: RunProgress,
  { storeMemory }: WorkflowEnding,
  state: WorkflowResult['state'],
  text: string,
): Promise<void> {
  if (storeMemory === false) return;
  const { deps, workflow, readers, run, begun, outputs } = progress;
  const histories = memoryKeys(workflow, readers).filter((key) => key.endsWith('_history'));
  const own = histories.length === 1 ? histories[0] : undefined;
  const name = typeof storeMemory === 'string' ? storeMemory : (own ?? `${workflow.name}_history`);
  const problem = await flow.step('remember', { effect: 'keyed' }, async ({ key, signal }) => {
    if (!deps.remember) return wordsIn(run.input.language).forgetful();
    const occasion = { key, signal, run };
    const before = await deps.memory(name, occasion);
    const entry = {
      run: run.id,
      at: new Date(begun.at).toISOString(),
      state,
      text: text.slice(0, 500),
      ...small(outputs),
    };
    const kept = Array.isArray(before)
      ? before.filter((one: unknown) => (one as { run?: string })?.run !== run.id)
      : [];
    try {
      await deps.remember(name, bounded([...(kept as unknown[]), entry]), occasion);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  });
  if (problem !== null) progress.warnings.push(`memory.${name}: ${problem}`);
}

const small = (outputs: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(outputs).filter(([, value]) => (JSON.stringify(value)?.length ?? 0) <= MOST_OF_ONE_OUTPUT),
  );

function bounded(entries: readonly unknown[]): readonly unknown[] {
  let kept = entries.slice(-MOST_REMEMBERED);
  while (kept.length > 1 && JSON.stringify(kept).length > MOST_REMEMBERED_CHARS) kept = kept.slice(1);
  return kept;
}
