import { z } from 'zod';
import { Text } from './text.ts';

/** What may happen with an action: at once, after a person agreed, or not at all. */
export const Verdict = z.enum(['allow', 'ask', 'deny']);
export type Verdict = z.infer<typeof Verdict>;

/** The ways into Hermes through which something can be set in motion. */
export const CALLERS = ['chat', 'gateway', 'cron', 'child', 'acp', 'api', 'mcp', 'plugin', 'flow'] as const;
export const Caller = z.enum(CALLERS);
export type Caller = z.infer<typeof Caller>;

/** On whose behalf, from where. Set by the host from the authenticated channel, never by what was sent through it. */
export const Requester = z.object({
  caller: Caller,
  platform: z.string(),
  profile: z.string(),
  session: z.string(),
  user: z.string(),
});
export type Requester = z.infer<typeof Requester>;

/** Where commands and code run: a backend, the folder they start in, and what stands between them and this machine. */
export const ActionPlace = z.object({
  backend: z.string(),
  cwd: z.string(),
  isolation: z.enum(['none', 'process', 'container', 'remote']),
  /** For people: `on this machine`, `in the bubblewrap sandbox`, `on ssh host web-1`. */
  where: z.string().optional(),
});
export type ActionPlace = z.infer<typeof ActionPlace>;

/**
 * Exactly what would happen. Its digest covers every field but `shown`, and the requester; it is taken again at the
 * moment of running, so nothing else than what was agreed to can run.
 */
export const Action = z.object({
  tool: z.string(),
  level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** The arguments of the call as they will be used. */
  input: z.unknown(),
  /** The folder that the conversation works in. A grant for longer than one call holds there alone. */
  workspace: z.string().optional(),
  /** Only with a command or code. */
  place: ActionPlace.optional(),
  command: z
    .object({
      text: z.string(),
      env: z.record(z.string(), z.string()),
      background: z.boolean(),
      /** What it reads from its standard input. */
      input: z.string().optional(),
    })
    .optional(),
  code: z.object({ language: z.string(), text: z.string() }).optional(),
  writes: z.array(z.string()).optional(),
  sendsTo: z.array(z.string()).optional(),
  /** For people: hidden characters escaped, secrets redacted. */
  shown: z.string(),
});
export type Action = z.infer<typeof Action>;

/**
 * How far a grant reaches: this one call, this session, or from now on. The last two name what they hold for: the first
 * words of a command, or the name of a tool and the digest of one call of it.
 */
export const GrantScope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  z.object({ kind: z.literal('session'), prefix: z.array(z.string()).min(1) }),
  z.object({ kind: z.literal('always'), prefix: z.array(z.string()).min(1) }),
]);
export type GrantScope = z.infer<typeof GrantScope>;

export const Approver = z.object({
  /** How the approver was authenticated: `terminal`, `console`, `slack`, `model`, … */
  channel: z.string(),
  user: z.string(),
});
export type Approver = z.infer<typeof Approver>;

export const ApprovalState = z.enum(['pending', 'granted', 'denied', 'expired', 'used', 'withdrawn']);
export type ApprovalState = z.infer<typeof ApprovalState>;

/** A request for agreement and what became of it. Times are milliseconds since the epoch. */
export const Approval = z.object({
  id: z.string(),
  digest: z.string(),
  action: Action,
  requester: Requester,
  /** Why it asks, in sentences. */
  reasons: z.array(Text),
  /** What a grant for longer than this call would name. Without it, there is no such grant. */
  prefix: z.array(z.string()).min(1).optional(),
  /** Whoever asked for it may not grant it. */
  separate: z.boolean(),
  /** The word that has to come with the agreement, to show that it is meant. */
  confirm: z.string().optional(),
  state: ApprovalState,
  scope: GrantScope.optional(),
  createdAt: z.number(),
  /** Until when it can be decided; once granted, until when the grant holds. */
  expiresAt: z.number(),
  decidedAt: z.number().optional(),
  decidedBy: Approver.optional(),
  usedAt: z.number().optional(),
});
export type Approval = z.infer<typeof Approval>;

/** Facts that the audit log keeps. */
export const AUDIT_KINDS = [
  'action.allowed',
  'action.denied',
  'approval.requested',
  'approval.granted',
  'approval.denied',
  'approval.expired',
  'approval.used',
  'approval.withdrawn',
  /** Somebody answered who may not, or too late, or without the word that was asked for. */
  'approval.refused',
  'webhook.refused',
  /** A command that Hermes started called `hermes` to change something. */
  'cli.refused',
  'api.written',
  'execution.started',
  'execution.finished',
  'execution.refused',
  'policy.changed',
  /** Somebody merged, split or moved incidents by hand, or took back what was learned from it. */
  'incident.regrouped',
  'session.tainted',
  /** A person goes on after a break of this log. */
  'audit.accepted',
] as const;
export const AuditKind = z.enum(AUDIT_KINDS);
export type AuditKind = z.infer<typeof AuditKind>;

/** One line of the audit log. `hash` covers everything else, `previous` included. */
export const AuditEntry = z.object({
  seq: z.number().int(),
  at: z.number(),
  kind: AuditKind,
  requester: Requester,
  /** What it is about, secrets redacted. */
  data: z.record(z.string(), z.unknown()),
  previous: z.string(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** What a session has in it: words of strangers, or things that are nobody else's business. */
export const Taint = z.enum(['untrusted', 'private']);
export type Taint = z.infer<typeof Taint>;
