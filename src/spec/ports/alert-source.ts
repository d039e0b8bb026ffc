import type { Alert, Text } from '#spec/data';
import type { RouteAnswer, RouteRequest } from './route.ts';

/** What somebody says on a platform about an approval, by a button or in words. */
export interface ApprovalWord {
  readonly approval: string;
  readonly granted: boolean;
  /** The second confirmation, when it came along. */
  readonly confirmation?: string;
  /** Who said it, out of what was signed. */
  readonly user: string;
}

interface Taken {
  readonly ack?: RouteAnswer;
  /** To be called when it could not be kept after all: the sender's next attempt is then not taken for a replay. */
  readonly undo?: () => void;
}

/** What a request to a webhook turned out to be. */
export type Received =
  | (Taken & { readonly kind: 'alerts'; readonly alerts: readonly Alert[] })
  | (Taken & { readonly kind: 'approval'; readonly word: ApprovalWord })
  /** A message of a person, which may tell of an incident. `chat`: where it was written. */
  | (Taken & {
      readonly kind: 'message';
      readonly text: string;
      readonly user: string;
      readonly chat?: string;
    })
  /** Nothing to do but to answer, such as a check of the address. */
  | { readonly kind: 'answer'; readonly answer: RouteAnswer };

export interface AlertSourcePlace {
  key(name: string): string | undefined;
  /** What stands under the name of the source in `gateway.yaml`. */
  readonly settings: unknown;
  readonly now: () => number;
}

/** A way in for alerts. */
export interface AlertSource {
  /** `alertmanager`; the route is `POST /gateway/<name>` and, where it says so, everything below. */
  readonly name: string;
  readonly paths: readonly `/gateway/${string}`[];
  readonly methods: readonly ('GET' | 'POST')[];
  /**
   * `token`: the server asks for its token. `signed`: `receive` checks a signature, and `missing` tells which secret is
   * absent: without one the webhook does not start.
   */
  readonly auth: 'token' | 'signed';
  missing?(place: AlertSourcePlace): Text | string | undefined;
  /**
   * Throws `input.unauthorized` for a signature that does not hold or is too old, `input.conflict` for a replay, and
   * `input.invalid` for what cannot be read.
   */
  receive(request: RouteRequest, place: AlertSourcePlace): Promise<Received>;
}

export const defineAlertSource = (source: AlertSource): AlertSource => source;
