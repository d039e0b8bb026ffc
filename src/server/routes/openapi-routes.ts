import { z } from 'zod';
import { API, type Contract } from '#spec/api';
import type { Route } from '#spec/ports';
import { implement } from '../implement.ts';

/** The description of these routes, at an address of its own. It names no secret, but asks for a token all the same. */
export const openapiRoutes = (routes: readonly (Route | Contract)[], version: string): Route[] => [
  implement(API.server.openapi, async () => ({ body: printOpenapi(routes.filter(isContract), version) })),
];

const isContract = (route: Route | Contract): route is Contract => route.summary !== undefined;

/** OpenAPI 3.1. */
function printOpenapi(contracts: readonly Contract[], version: string) {
  const paths: Record<string, Record<string, object>> = {};
  for (const contract of contracts) {
    const path = contract.path.replace(/:([^/]+)/g, '{$1}');
    (paths[path] ??= {})[contract.method.toLowerCase()] = describe(contract);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Hermes', version },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'hermes_session_<port>',
          description: 'Set by POST /api/session. Everything but GET also sends x-csrf-token.',
        },
      },
      schemas: { Problem: PROBLEM },
    },
  };
}

const LEAST: Readonly<Record<Contract['access'], string>> = {
  public: 'Asks for nothing.',
  signed: 'Checks a signature.',
  read: 'For viewers and up.',
  write: 'For operators and up.',
  approve: 'For approvers and up.',
  admin: 'For admins.',
};

function describe(contract: Contract): object {
  const { path, access, summary, query, status = 200 } = contract;
  const asks = access !== 'public' && access !== 'signed';
  const content = answered(contract);
  return {
    summary,
    description: LEAST[access],
    security: asks ? [{ token: [] }, { session: [] }] : [],
    parameters: [...pathParameters(path), ...(query ? queryParameters(query) : [])],
    ...requestBody(contract),
    responses: {
      [String(status)]: { description: 'Done.', ...(content ? { content } : {}) },
      '4XX': {
        description: 'Refused.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

const pathParameters = (path: string): object[] =>
  [...path.matchAll(/:([^/]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters(query: z.ZodObject): object[] {
  const { properties = {}, required = [] } = jsonSchema(query, 'input');
  return Object.entries(properties).map(([name, described]) => {
    const { description, ...schema } = typeof described === 'object' ? described : {};
    return {
      name,
      in: 'query',
      required: required.includes(name),
      schema,
      ...(description ? { description } : {}),
    };
  });
}

function requestBody({ body, takes }: Contract): object {
  if (!body && !takes) return {};
  const schema = body ? jsonSchema(body, 'input') : {};
  const required = !body?.safeParse(undefined).success;
  const types = takes ?? ['application/json'];
  return { requestBody: { required, content: Object.fromEntries(types.map((type) => [type, { schema }])) } };
}

function answered({ answer, files = [], events }: Contract): object | undefined {
  const text = { schema: { type: 'string' } };
  const content = {
    ...(answer ? { 'application/json': { schema: jsonSchema(answer, 'output') } } : {}),
    ...Object.fromEntries(files.map((type) => [type, text])),
    ...(events ? { 'text/event-stream': { ...text, 'x-events': eventSchemas(events) } } : {}),
  };
  return Object.keys(content).length ? content : undefined;
}

/** OpenAPI has no word for what events tell. */
const eventSchemas = (events: NonNullable<Contract['events']>): object =>
  Object.fromEntries(Object.entries(events).map(([name, schema]) => [name, jsonSchema(schema, 'output')]));

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return described;
}

/** RFC 9457. */
const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    hint: { type: 'string' },
    instance: { type: 'string' },
  },
};
