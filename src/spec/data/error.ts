import { z } from 'zod';
import { Text } from './text.ts';

/** Every way Hermes can fail, as a closed set. The prefix names the part that failed. */
export const ERROR_CODES = [
  'model.auth',
  'model.permission',
  'model.billing',
  'model.rate_limited',
  'model.overloaded',
  'model.server',
  'model.timeout',
  'model.network',
  'model.stalled',
  'model.cut',
  'model.bad_response',
  'model.context_overflow',
  'model.payload_too_large',
  'model.not_found',
  'model.format',
  'model.thinking_signature',
  'model.content_filter',
  'model.unconfigured',
  'config.invalid',
  'config.unreadable',
  'profile.not_found',
  'profile.invalid',
  'input.invalid',
  'input.unauthorized',
  'input.forbidden',
  'input.too_large',
  'input.not_found',
  'input.conflict',
  'backend.unreachable',
  'backend.refused',
  'backend.bad_response',
  'store.busy',
  'store.corrupt',
  'store.newer',
  'store.full',
  'store.read_only',
  'store.failing',
  'audit.broken',
  'tool.refused',
  'tool.failed',
  'internal',
] as const;

export const ErrorCode = z.enum(ERROR_CODES);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** The databases of a home, by what they hold. */
export const STORE_NAMES = [
  'sessions',
  'ledger',
  'memory',
  'incidents',
  'flows',
  'learning',
  'telemetry',
] as const;
export type StoreName = (typeof STORE_NAMES)[number];

/** Who raised a model error. `credential` is a label such as `OPENAI_API_KEY`, never the key. */
export const ErrorSource = z.object({
  provider: z.string(),
  model: z.string(),
  credential: z.string().optional(),
  status: z.number().int().optional(),
  requestId: z.string().optional(),
  vendorCode: z.string().optional(),
});
export type ErrorSource = z.infer<typeof ErrorSource>;

/** May the same request be tried again, and not before when. */
export const Retry = z.object({
  again: z.boolean(),
  afterMs: z.number().nonnegative().optional(),
});
export type Retry = z.infer<typeof Retry>;

/** A failure as data: what events, stores and wires carry. `AppError` in `kit` is the same thing thrown. */
export const ErrorRecord = z.object({
  code: ErrorCode,
  message: z.string(),
  /** What to do about it, for a person. */
  hint: z.string().optional(),
  /** Both in every language, where whoever failed speaks them. */
  said: z.object({ message: Text.optional(), hint: Text.optional() }).optional(),
  retry: Retry,
  source: ErrorSource.optional(),
  details: z.record(z.string(), z.json()).optional(),
});
export type ErrorRecord = z.infer<typeof ErrorRecord>;
