import type { LoopbackAnswer, LoopbackHandler, SeenRequest } from '#testkit/web';

/**
 * How an API goes wrong. `slow` never answers. `cut` breaks the connection before anything was done, `lost_answer` after
 * it was done. `malformed` is a page, `unknown_shape` is JSON of something else.
 */
const API_FAULTS = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'failing',
  'slow',
  'cut',
  'lost_answer',
  'malformed',
  'unknown_shape',
] as const;
export type ApiFault = (typeof API_FAULTS)[number];

export interface FaultSwitch {
  readonly handler: LoopbackHandler;
  /** From now on, or for so many requests, answers go wrong in this way; undefined mends it. */
  fail(fault: ApiFault | undefined, only?: FaultScope): void;
}

interface FaultScope {
  readonly times?: number;
  /** Only requests of these methods; all where it is absent. */
  readonly methods?: readonly string[];
  /** Only requests whose path matches. */
  readonly path?: RegExp;
}

/** The API's own words for a refusal. */
type RefusalBody = (status: number, message: string) => unknown;

const STATUS = { unauthorized: 401, forbidden: 403, rate_limited: 429, failing: 500 } as const;
const MESSAGE = {
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  rate_limited: 'Too many requests',
  failing: 'the database is down, token sk-abcdefghijklmnop1234',
} as const;

/** The handler with a switch that makes its answers go wrong. */
export function withFaults(
  handler: LoopbackHandler,
  refusal: RefusalBody = (_, message) => ({ message }),
): FaultSwitch {
  let fault: ApiFault | undefined;
  let scope: FaultScope = {};
  let left = Infinity;

  const takes = ({ method, path }: SeenRequest): boolean =>
    fault !== undefined &&
    (scope.methods?.includes(method) ?? true) &&
    (scope.path?.test(path) ?? true) &&
    left-- > 0;

  return {
    fail: (next, only = {}) => {
      [fault, scope, left] = [next, only, only.times ?? Infinity];
    },
    handler: async (request, response): Promise<LoopbackAnswer | undefined> => {
      const now = takes(request) ? fault : undefined;
      switch (now) {
        case undefined:
          return handler(request, response);
        case 'slow':
          return undefined;
        case 'cut':
          response.destroy();
          return undefined;
        case 'lost_answer':
          await handler(request, response);
          response.destroy();
          return undefined;
        case 'malformed':
          return { headers: { 'content-type': 'text/html' }, body: '<html><body>Sign in</body></html>' };
        case 'unknown_shape':
          return { body: { hello: 'world' } };
        default:
          return { status: STATUS[now], body: refusal(STATUS[now], MESSAGE[now]) };
      }
    },
  };
}
