import { z } from 'zod';
import { defineRoute, type Route } from '#spec/ports';

/** The description of these routes, at an address of its own. It names no secret, but asks for a token all the same. */
export const openapiRoutes = (routes: readonly Route[], version: string): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/openapi.json',
    access: 'read',
    handle: async () => ({ status: 200, body: describeRoutes(routes, version) }),
  }),
];

/** OpenAPI 3.1. */
function describeRoutes(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([^/]+)/g, '{$1}');
    (paths[path] ??= {})[route.method.toLowerCase()] = describe(route);
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

const LEAST: Readonly<Record<Route['access'], string>> = {
  public: 'Asks for nothing.',
  signed: 'Checks a signature.',
  read: 'For viewers and up.',
  write: 'For operators and up.',
  approve: 'For approvers and up.',
  admin: 'For admins.',
};

function describe({ path, access, about }: Route): object {
  const asks = access !== 'public' && access !== 'signed';
  return {
    ...(about ? { summary: about.summary } : {}),
    description: LEAST[access],
    ...(asks ? { security: [{ token: [] }, { session: [] }] } : { security: [] }),
    parameters: [
      ...[...path.matchAll(/:([^/]+)/g)].map(([, name]) => parameter(name ?? '', 'path', undefined)),
      ...Object.entries(about?.query ?? {}).map(([name, text]) => parameter(name, 'query', text)),
    ],
    ...(about?.body ? { requestBody: { required: true, content: json(about.body, 'input') } } : {}),
    responses: {
      '2XX': { description: 'Done.', ...(about?.answer ? { content: json(about.answer, 'output') } : {}) },
      '4XX': {
        description: 'Refused.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

const parameter = (name: string, where: 'path' | 'query', description: string | undefined): object => ({
  name,
  in: where,
  required: where === 'path',
  schema: { type: 'string' },
  ...(description ? { description } : {}),
});

function json(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return { 'application/json': { schema: described } };
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
