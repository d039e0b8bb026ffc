import { isRecord } from '#kit/is-record';
import type { Language } from '#kit/language';
import { nearest } from '#kit/nearest';
import { readRequirement } from './read-requirement.ts';
import { inLanguage, Spoken, SPOKEN_FIX, wordings } from './spoken.ts';
import type {
  FailureHandler,
  FailurePolicy,
  Requirement,
  Workflow,
  WorkflowArgument,
  WorkflowEnding,
  WorkflowStep,
} from './workflow.ts';
import type { RawArgument, RawEnding, RawHandler, RawStep, RawWorkflow } from './workflow-schema.ts';

type Tell = (place: readonly PropertyKey[], problem: string, fix: string) => void;

const STEP_TIMEOUT_S = 180;
const TOTAL_TIMEOUT_S = 3_600;
const RETRIES = 2;
const DELAY_S = 1;

/** What stands beside the arguments and the outputs, and so cannot be the name of one. */
export const RESERVED_NAMES: readonly string[] = ['memory', 'skill', 'run', 'failure'];

/** Writes out every short form, with texts in one language, and tells what the schema alone cannot see. */
export function readWorkflow(raw: RawWorkflow, language: Language, tell: Tell): Workflow {
  const { execution, output = {}, improvement = {}, trigger = {} } = raw;
  const rawHandlers = { ...execution.error_handling, ...raw.error_handling };
  const handlers = Object.keys(rawHandlers);
  const steps = execution.steps.map((step, i) =>
    readStep(step, String(i + 1), ['execution', 'steps', i], handlers, language, tell),
  );
  const requirements = (key: 'preconditions' | 'postconditions'): readonly Requirement[] =>
    (raw[key] ?? []).flatMap((written, i) => {
      const read = readRequirement(written, language);
      if ('requirement' in read) return [read.requirement];
      tell([key, i], read.problem, read.fix);
      return [];
    });
  return {
    name: raw.name,
    version: raw.version ?? '1.0',
    description: raw.description ?? '',
    ...(raw.category === undefined ? {} : { category: raw.category }),
    tags: raw.tags ?? [],
    createdFrom: raw.created_from ?? [],
    arguments: readArguments(raw.arguments ?? [], language, tell),
    trigger: {
      keywords: trigger.keywords ?? [],
      filePatterns: trigger.file_patterns ?? [],
      contextSignals: trigger.context_signals ?? [],
      context: [trigger.context ?? []].flat(),
      ...(trigger.cron === undefined ? {} : { cron: trigger.cron }),
    },
    preconditions: requirements('preconditions'),
    ...(execution.strategy === undefined ? {} : { strategy: execution.strategy }),
    steps,
    parallel: execution.parallel_steps ?? [],
    stepTimeoutMs: (execution.timeout_per_step ?? STEP_TIMEOUT_S) * 1_000,
    totalTimeoutMs: (execution.total_timeout ?? TOTAL_TIMEOUT_S) * 1_000,
    dryRun: execution.dry_run ?? false,
    errorHandling: Object.fromEntries(
      Object.entries(rawHandlers).map(([name, handler]) => [
        name,
        readHandler(name, handler, handlers, language, tell),
      ]),
    ),
    postconditions: requirements('postconditions'),
    output: {
      format: output.format ?? 'markdown',
      ...(output.template === undefined ? {} : { template: inLanguage(output.template, language) }),
      onSuccess: readEnding(output.on_success, language),
      onFailure: readEnding(output.on_failure, language),
    },
    improvement: {
      trackMetrics: improvement.track_metrics ?? [],
      minSamplesForUpdate: improvement.min_samples_for_update ?? 5,
      autoUpdate: improvement.auto_update ?? false,
      requireConfirmation: improvement.require_confirmation ?? true,
    },
    metrics: raw.metrics ?? {},
    learnedShortcuts: [...(raw.learned_shortcuts ?? []), ...(execution.shortcuts ?? [])],
    mcpServers: (raw.mcp_servers ?? []).map(({ name, tools = [] }) => ({ name, tools })),
    ...(raw.cache === undefined ? {} : { cacheTtlMs: raw.cache.ttl_seconds * 1_000 }),
  };
}

function readStep(
  raw: RawStep,
  id: string,
  place: readonly PropertyKey[],
  handlers: readonly string[],
  language: Language,
  tell: Tell,
): WorkflowStep {
  const { action, command, args = {}, output_key: outputKey } = raw;
  if ((action === undefined) === (command === undefined)) {
    tell(
      place,
      `Step ${id} needs exactly one of 'action' and 'command'`,
      'Name the tool, or write the command',
    );
  }
  if (command !== undefined && 'command' in args) {
    tell([...place, 'args', 'command'], `Step ${id} has its command twice`, 'Keep the one beside the name');
  }
  if (outputKey !== undefined && RESERVED_NAMES.includes(outputKey)) {
    tell([...place, 'output_key'], `'${outputKey}' is taken`, 'Choose another name');
  }
  const spokenName = raw.name ?? action ?? command ?? id;
  return {
    id,
    name: inLanguage(spokenName, language),
    names: wordings(spokenName),
    action: action ?? 'terminal',
    ...(command === undefined ? {} : { command }),
    args: spokenArgs(args, language),
    ...(outputKey === undefined ? {} : { outputKey }),
    ...(raw.condition === undefined ? {} : { condition: raw.condition }),
    confirm: raw.requires_confirmation ?? false,
    ...(raw.confirmation_message === undefined
      ? {}
      : { confirmationMessage: inLanguage(raw.confirmation_message, language) }),
    ...(raw.failure_message === undefined
      ? {}
      : { failureMessage: inLanguage(raw.failure_message, language) }),
    onFailure: readPolicy(raw.on_failure, place, handlers, tell),
    optimization: [raw.optimization ?? []].flat(),
    ...(raw.timeout === undefined ? {} : { timeoutMs: raw.timeout * 1_000 }),
  };
}

/** An argument that is a text in each language is given in the one that is spoken. */
const spokenArgs = (args: Readonly<Record<string, unknown>>, language: Language): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      const spoken = Spoken.safeParse(value);
      return [key, spoken.success ? inLanguage(spoken.data, language) : value];
    }),
  );

const ENDINGS: Readonly<Record<string, FailurePolicy['finally']>> = {
  stop: 'stop',
  abort: 'stop',
  continue: 'continue',
  ignore: 'continue',
  warn: 'warn',
  warn_and_continue: 'warn',
};

function readPolicy(
  raw: RawStep['on_failure'],
  place: readonly PropertyKey[],
  handlers: readonly string[],
  tell: Tell,
): FailurePolicy {
  const written = typeof raw === 'object' ? raw : {};
  const retries = raw === 'retry' ? RETRIES : (written.retry ?? 0);
  const base = { retries, delayMs: (written.delay ?? DELAY_S) * 1_000 };
  const name = (typeof raw === 'string' && raw !== 'retry' ? raw : written.then) ?? 'stop';
  if (Object.hasOwn(ENDINGS, name)) return { ...base, finally: ENDINGS[name] ?? 'stop' };
  if (handlers.includes(name)) return { ...base, finally: { handler: name } };
  const meant = nearest(name, [...Object.keys(ENDINGS), 'retry', ...handlers]);
  const fix = meant
    ? `Did you mean '${meant}'?`
    : 'stop, continue, warn_and_continue, retry or one of error_handling';
  tell([...place, 'on_failure'], `'${name}' is not something that can be done on a failure`, fix);
  return { ...base, finally: 'stop' };
}

function readHandler(
  name: string,
  raw: RawHandler,
  handlers: readonly string[],
  language: Language,
  tell: Tell,
): FailureHandler {
  if (typeof raw === 'string' || 'en' in raw) {
    return { advice: inLanguage(raw, language), steps: [], retry: false };
  }
  const { advice, steps = [], retry = false } = Array.isArray(raw) ? { steps: raw } : raw;
  return {
    ...(advice === undefined ? {} : { advice: inLanguage(advice, language) }),
    steps: steps.map((step, i) => {
      const place = ['error_handling', name, ...(Array.isArray(raw) ? [] : ['steps']), i];
      const read = readStep(step, `${name}.${i + 1}`, place, handlers, language, tell);
      if (typeof read.onFailure.finally === 'object') {
        tell(place, 'A step of a handler cannot have a handler', 'Use stop, continue or retry');
      }
      return read;
    }),
    retry,
  };
}

function readArguments(
  raw: readonly RawArgument[] | Record<string, unknown>,
  language: Language,
  tell: Tell,
): WorkflowArgument[] {
  const listed = Array.isArray(raw);
  const entries: [string | undefined, unknown][] = listed
    ? raw.map((one: RawArgument) => [one.name, one])
    : Object.entries(raw);
  return entries.flatMap(([name, value], i) => {
    if (!name || !/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name) || RESERVED_NAMES.includes(name)) {
      tell(
        ['arguments', listed ? i : (name ?? '')],
        `'${name ?? ''}' cannot be an argument`,
        'Give it another name',
      );
      return [];
    }
    return [
      argumentOf(name, value, language, () =>
        tell(
          ['arguments', listed ? i : name, 'description'],
          `'description' of ${name} is not a text`,
          SPOKEN_FIX,
        ),
      ),
    ];
  });
}

const ARGUMENT_KEYS = ['name', 'description', 'type', 'required', 'default', 'choices'];

/** `port: 8080` is an argument with a default; `port: {type: number}` says more. */
function argumentOf(
  name: string,
  value: unknown,
  language: Language,
  unreadable: () => void,
): WorkflowArgument {
  const described = isRecord(value) && Object.keys(value).every((key) => ARGUMENT_KEYS.includes(key));
  if (!described) return { name, required: value === null, ...(value === null ? {} : { default: value }) };
  const { type, required, choices, default: fallback } = value as RawArgument;
  const description = Spoken.optional().safeParse(value.description);
  if (!description.success) unreadable();
  return {
    name,
    ...(description.data === undefined ? {} : { description: inLanguage(description.data, language) }),
    ...(type === undefined ? {} : { type }),
    required: required ?? fallback === undefined,
    ...(fallback === undefined ? {} : { default: fallback }),
    ...(choices === undefined ? {} : { choices }),
  };
}

function readEnding(raw: RawEnding | undefined, language: Language): WorkflowEnding {
  const notify = [raw?.notify ?? []].flat();
  return {
    storeMemory: raw?.store_memory ?? false,
    notify: notify.map(({ condition, platform, message }) => ({
      ...(condition === undefined ? {} : { condition }),
      platform,
      message: inLanguage(message, language),
    })),
  };
}
