import { z } from 'zod';
import { Spoken } from './spoken.ts';

const text = z.union([z.string(), z.number()]).transform(String);
const words = z.array(z.string());
const seconds = z.number().positive().max(604_800);

const onFailure = z.union([
  z.string().min(1),
  z.strictObject({
    retry: z.int().min(0).max(20).optional(),
    /** Seconds before the second attempt; it doubles with every further one. */
    delay: z.number().min(0).max(600).optional(),
    // oxlint-disable-next-line no-thenable
    then: z.string().min(1).optional(),
  }),
]);

const step = z.strictObject({
  name: z.union([text, Spoken]).optional(),
  action: z.string().min(1).optional(),
  command: z.string().min(1).optional(),
  args: z.record(z.string(), z.unknown()).optional(),
  output_key: z
    .string()
    .regex(/^[\p{L}_][\p{L}\p{N}_-]*$/u, 'a name of letters, digits, _ and -')
    .optional(),
  condition: z
    .union([z.string().min(1), z.boolean()])
    .transform(String)
    .optional(),
  requires_confirmation: z.boolean().optional(),
  confirmation_message: Spoken.optional(),
  failure_message: Spoken.optional(),
  on_failure: onFailure.optional(),
  optimization: z.union([z.string(), words]).optional(),
  timeout: seconds.optional(),
});
export type RawStep = z.infer<typeof step>;

const handler = z.union([
  Spoken,
  z.array(step),
  z.strictObject({
    advice: Spoken.optional(),
    steps: z.array(step).optional(),
    retry: z.boolean().optional(),
  }),
]);
export type RawHandler = z.infer<typeof handler>;

const argument = z.strictObject({
  name: z.string().optional(),
  description: Spoken.optional(),
  type: z.enum(['string', 'number', 'boolean', 'array', 'object']).optional(),
  required: z.boolean().optional(),
  default: z.unknown().optional(),
  choices: z.array(z.unknown()).min(1).optional(),
});
export type RawArgument = z.infer<typeof argument>;

const notification = z.strictObject({
  condition: z
    .union([z.string().min(1), z.boolean()])
    .transform(String)
    .optional(),
  platform: z.string().min(1),
  message: Spoken,
});

const ending = z.strictObject({
  store_memory: z.union([z.boolean(), z.string().min(1)]).optional(),
  notify: z.union([notification, z.array(notification)]).optional(),
});
export type RawEnding = z.infer<typeof ending>;

const requirement = z.record(z.string(), z.unknown());

/** The file as a user writes it: names as the file has them, nothing that is not known. */
export const WorkflowFile = z.strictObject({
  skill: z.strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'up to 64 letters, digits, dots, dashes and underscores'),
    version: text.optional(),
    description: z.string().max(1_024).optional(),
    category: z.string().optional(),
    tags: words.optional(),
    author: z.string().optional(),
    license: z.string().optional(),
    created_from: z.array(text).optional(),
    arguments: z.union([z.array(argument), z.record(z.string(), z.unknown())]).optional(),
    trigger: z
      .strictObject({
        keywords: z.array(text).optional(),
        file_patterns: words.optional(),
        context_signals: words.optional(),
        context: z.union([z.string(), words]).optional(),
        cron: z.string().optional(),
      })
      .optional(),
    preconditions: z.array(requirement).optional(),
    execution: z.strictObject({
      strategy: z.string().optional(),
      steps: z.array(step).min(1, 'a workflow has at least one step').max(200),
      parallel_steps: z.array(words).optional(),
      timeout_per_step: seconds.optional(),
      total_timeout: seconds.optional(),
      dry_run: z.boolean().optional(),
      error_handling: z.record(z.string(), handler).optional(),
      shortcuts: words.optional(),
    }),
    error_handling: z.record(z.string(), handler).optional(),
    postconditions: z.array(requirement).optional(),
    output: z
      .strictObject({
        format: z.enum(['markdown', 'text', 'json', 'html']).optional(),
        template: Spoken.optional(),
        on_success: ending.optional(),
        on_failure: ending.optional(),
      })
      .optional(),
    improvement: z
      .strictObject({
        track_metrics: words.optional(),
        min_samples_for_update: z.int().min(1).optional(),
        auto_update: z.boolean().optional(),
        require_confirmation: z.boolean().optional(),
      })
      .optional(),
    metrics: z.record(z.string(), z.unknown()).optional(),
    learned_shortcuts: words.optional(),
    mcp_servers: z.array(z.strictObject({ name: z.string().min(1), tools: words.optional() })).optional(),
    cache: z.strictObject({ ttl_seconds: seconds }).optional(),
  }),
});
export type RawWorkflow = z.infer<typeof WorkflowFile>['skill'];
