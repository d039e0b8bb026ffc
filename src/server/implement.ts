import type { z } from 'zod';
import { fail } from '#kit/app-error';
import type { AnswerOf, BodyRead, Contract, Given, ParamsOf, QueryRead } from '#spec/api';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '#spec/ports';
import { parseJson } from './parse-json.ts';

/** A request after its contract: what came in is what it says. */
interface ReadRequest<C extends Contract> extends Omit<RouteRequest, 'params' | 'query' | 'body'> {
  readonly params: ParamsOf<C>;
  readonly query: QueryRead<C>;
  readonly body: BodyRead<C>;
}

type Stream = AsyncIterable<string | Uint8Array>;
type BodyOf<C extends Contract> =
  | (C extends { readonly answer: z.ZodType } ? Given<AnswerOf<C>> : never)
  | (C extends { readonly files: readonly string[] } ? string | Uint8Array | Stream : never)
  | (C extends { readonly events: object } ? Stream : never);

/** Status and headers where they are not what the contract says already. */
type ContractAnswer<C extends Contract> = Partial<Omit<RouteAnswer, 'body'>> &
  ([BodyOf<C>] extends [never] ? { readonly body?: never } : { readonly body: BodyOf<C> });

/** The route of a contract: what is sent is read by it before `handle` sees it. */
export const implement = <const C extends Contract>(
  contract: C,
  handle: (request: ReadRequest<C>) => Promise<ContractAnswer<C>>,
): Route =>
  defineRoute({
    ...contract,
    handle: async (request) => {
      const given = await handle({
        ...request,
        params: request.params as ParamsOf<C>,
        query: (contract.query ? readQuery(request.query, contract.query) : undefined) as QueryRead<C>,
        body: (contract.body ? readBody(request.body, contract.body) : undefined) as BodyRead<C>,
      });
      return { status: contract.status ?? 200, ...given } as RouteAnswer;
    },
  });

/** An empty value is like none; of a name that is given twice, the first counts. */
function readQuery(query: URLSearchParams, schema: z.ZodObject): unknown {
  const names = [...new Set(query.keys())];
  return read(
    Object.fromEntries(
      names.flatMap((name) => {
        const value = query.get(name);
        return value ? [[name, value]] : [];
      }),
    ),
    schema,
    'The query',
  );
}

function readBody(body: Uint8Array, schema: z.ZodType): unknown {
  if (body.length === 0) {
    const none = schema.safeParse(undefined);
    if (none.success) return none.data;
  }
  let given: unknown;
  try {
    given = parseJson(body);
  } catch {
    throw fail('input.invalid', 'The body is not JSON.');
  }
  return read(given, schema, 'The body');
}

function read(given: unknown, schema: z.ZodType, whole: string): unknown {
  const found = schema.safeParse(given);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  throw fail('input.invalid', `${issue?.path.join('.') || whole}: ${issue?.message ?? 'it is not valid'}`);
}
