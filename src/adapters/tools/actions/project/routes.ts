import { kindOf } from '../source-file.ts';

export interface Route {
  readonly method: string;
  /** As OpenAPI writes it: `/users/{id}`. */
  readonly path: string;
  readonly file: string;
  readonly line: number;
  readonly handler: string;
  readonly summary: string;
}

const METHODS = 'get|post|put|patch|delete|head|options';
/** `app.get('/x', …)`: Express, Hono, Fastify, Koa routers. */
const JS_CALL = new RegExp(
  `\\b\\w*(?:app|router|route|api|server|fastify|hono)\\w*\\s*\\.\\s*(${METHODS})\\s*\\(\\s*(['"\`])(/[^'"\`]*|)\\2\\s*,?\\s*(?:\\w+\\s*,\\s*)*(\\w*)`,
  'gi',
);
/** `@app.get("/x")` of FastAPI, `@app.route("/x", methods=["POST"])` of Flask, with the function below. */
const PY_CALL = new RegExp(
  `^\\s*@\\w+(?:\\.\\w+)*\\.(${METHODS}|route|api_route)\\(\\s*(?:path\\s*=\\s*)?(['"])([^'"\\n]*)\\2([^\\n]*)\\)[ \\t]*\\n(?:[ \\t]*@[^\\n]*\\n)*[ \\t]*(?:async\\s+)?def\\s+(\\w+)`,
  'gmi',
);
/** What stands below the head of a function, where that is a docstring. */
const DOC = /^\s*\([^)]*\)\s*(?:->[^:\n]*)?:\s*(?:"""|''')([^\n"']*)/;
/** `r.GET("/x", …)` of gin and echo, `mux.HandleFunc("GET /x", …)` of the library. */
const GO_CALL =
  /\b\w+\.(GET|POST|PUT|PATCH|DELETE|HandleFunc|Handle)\(\s*"(?:(GET|POST|PUT|PATCH|DELETE) )?(\/[^"]*)"\s*,\s*([\w.]*)/g;
/** `@GetMapping("/x")` of Spring. */
const JAVA_CALL =
  /@(Get|Post|Put|Patch|Delete)Mapping\(\s*(?:value\s*=\s*|path\s*=\s*)?"([^"]*)"[^)]*\)\s*(?:\n\s*@[^\n]*)*\n[^\n]*?(\w+)\s*\(/g;

/** The routes that a source declares. */
export function routesIn(file: string, text: string): Route[] {
  const lineAt = (index: number) => text.slice(0, index).split('\n').length;
  const made = (method: string, path: string, index: number, handler = '', summary = ''): Route => ({
    method: method.toLowerCase(),
    path: openPath(path),
    file,
    line: lineAt(index),
    handler,
    summary: summary.trim().slice(0, 200),
  });
  switch (kindOf(file)) {
    case 'ts':
    case 'js':
      return [...text.matchAll(JS_CALL)].map((found) =>
        made(found[1] ?? '', found[3] || '/', found.index, found[4]),
      );
    case 'py':
      return [...text.matchAll(PY_CALL)].flatMap((found) => {
        const [whole, verb = '', , path = '', rest = '', handler = ''] = found;
        const end = found.index + whole.length;
        const doc = DOC.exec(text.slice(end, end + 2_000))?.[1] ?? '';
        const listed = /methods\s*=\s*[[(]([^\])]*)/.exec(rest)?.[1];
        const methods = /route/i.test(verb)
          ? [...(listed ?? '"GET"').matchAll(/['"](\w+)['"]/g)].map(([, name = '']) => name)
          : [verb];
        return methods.map((method) => made(method, path || '/', found.index, handler, doc));
      });
    case 'go':
      return [...text.matchAll(GO_CALL)].map((found) => {
        const verb = found[1]?.startsWith('Handle') ? (found[2] ?? 'get') : (found[1] ?? '');
        return made(verb, found[3] ?? '/', found.index, found[4]);
      });
    case 'java':
      return [...text.matchAll(JAVA_CALL)].map((found) =>
        made(found[1] ?? '', found[2] || '/', found.index, found[3]),
      );
    default:
      return [];
  }
}

/** `/:id`, `/<int:id>`, `/*rest` become `/{id}`. */
const openPath = (path: string): string =>
  `/${path.replace(/^\//, '')}`
    .replace(/<(?:\w+:)?(\w+)>/g, '{$1}')
    .replace(/\{(\w+):[^}]*\}/g, '{$1}')
    .replace(/[:*](\w+)(?:\{[^}]*\})?\??/g, '{$1}');

/** A skeleton of an OpenAPI document: what the code says, and nothing that it does not. */
export function openApi(routes: readonly Route[], title: string, version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, file, line, handler, summary } of routes) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const operation = {
      operationId:
        handler ||
        `${method}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
      ...(summary ? { summary } : {}),
      ...(names.length > 0
        ? {
            parameters: names.map((name) => ({
              name,
              in: 'path',
              required: true,
              schema: { type: 'string' },
            })),
          }
        : {}),
      ...(/^(?:post|put|patch)$/.test(method)
        ? { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } }
        : {}),
      responses: { '200': { description: 'OK' } },
      'x-source': `${file}:${line}`,
    };
    paths[path] = { ...paths[path], [method]: paths[path]?.[method] ?? operation };
  }
  return { openapi: '3.1.0', info: { title, version }, paths };
}
