import { z } from 'zod';

const AFTER = ['afterFrames'] as const;

/** Every fault, and the settings it takes besides `times` and `key`. */
const SETTINGS = {
  /** Lets the request through: a step of a plan in which nothing goes wrong. */
  none: [],
  rate_limit: ['retryAfter', 'hint'],
  rate_limit_bare: [],
  server_error: ['status'],
  overloaded: [],
  auth: ['status'],
  billing: ['status'],
  forbidden: [],
  not_found: [],
  context_overflow: [],
  too_large: [],
  content_filter: [],
  cut: AFTER,
  end_early: AFTER,
  stall: AFTER,
  stall_headers: [],
  slow_first_byte: ['ms'],
  /** Nothing is wrong but the pace: `bytes` at a time, so that frames and characters arrive in parts. */
  dribble: ['bytes'],
  bad_json: AFTER,
  bad_frame: AFTER,
  bad_type: [],
  error_in_stream: ['afterFrames', 'error', 'plain'],
  empty: [],
} as const satisfies Record<string, readonly string[]>;

export type FaultKind = keyof typeof SETTINGS;
export const FAULT_KINDS = Object.keys(SETTINGS) as [FaultKind, ...FaultKind[]];

const STREAM_ERRORS = ['overloaded', 'server_error', 'rate_limit', 'context_overflow'] as const;

/** How a `rate_limit` says when to come back. */
const RATE_HINTS = ['seconds', 'milliseconds', 'date', 'reset', 'message'] as const;

export const FaultSpec = z
  .strictObject({
    kind: z.enum(FAULT_KINDS),
    /** How many requests it strikes; without it, every one. */
    times: z.int().positive().optional(),
    /** It strikes only requests with this API key. */
    key: z.string().min(1).optional(),
    /** Frames that arrive before it strikes. The last frame of a response never does. */
    afterFrames: z.int().nonnegative().optional(),
    bytes: z.int().positive().optional(),
    ms: z.number().nonnegative().optional(),
    status: z.int().min(400).max(599).optional(),
    /** Seconds. */
    retryAfter: z.number().nonnegative().optional(),
    hint: z.enum(RATE_HINTS).optional(),
    error: z.enum(STREAM_ERRORS).optional(),
    /** The Responses API has two in-stream errors: `response.failed`, and with this the plain `error`. */
    plain: z.boolean().optional(),
  })
  .superRefine((fault, context) => {
    const known: readonly string[] = ['kind', 'times', 'key', ...SETTINGS[fault.kind]];
    for (const field of Object.keys(fault).filter((name) => !known.includes(name))) {
      context.addIssue({ code: 'custom', path: [field], message: `is not a setting of ${fault.kind}` });
    }
    if (fault.kind === 'server_error' && fault.status !== undefined && fault.status < 500) {
      context.addIssue({ code: 'custom', path: ['status'], message: 'must be 500 or more' });
    }
  });
export type FaultSpec = z.infer<typeof FaultSpec>;
