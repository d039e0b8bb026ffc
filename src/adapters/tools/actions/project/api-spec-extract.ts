import { stringify } from 'yaml';
import { z } from 'zod';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { textIfAny } from '../read-text.ts';
import { openApi, type Route, routesIn } from './routes.ts';
import { isTestPath } from '../source-file.ts';
import { answer, count } from '../../text/answer.ts';

const MOST_FILES = 2_000;

const input = z.strictObject({
  paths: z.array(z.string().min(1)).max(50).default(['.']).describe('folders'),
  title: z.string().max(200).default('API'),
  version: z.string().max(50).default('0.0.0'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'api_spec_extract',
  toolset: 'actions',
  description:
    'Find the HTTP routes in the code (Express, Hono, Fastify, FastAPI, Flask, gin, Spring) and make an OpenAPI skeleton.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ paths }) => ({ reads: paths }),
  maxChars: 20_000,
  run: extract,
});

async function extract(
  { paths, title, version }: Input,
  { files, signal }: ToolContext,
): Promise<ToolResult> {
  const globs = paths.map((path) =>
    `${path.replace(/\/+$/, '')}/**/*.{ts,tsx,js,mjs,cjs,py,go,java}`.replace(/^\.\//, ''),
  );
  const names = (await Promise.all(globs.map((glob) => files.find(glob, MOST_FILES, signal)))).flat();
  const routes: Route[] = [];
  for (const name of new Set(names)) {
    signal.throwIfAborted();
    if (isTestPath(name) || name.endsWith('/')) continue;
    const text = await textIfAny(files, name, 1_000_000);
    if (text !== undefined) routes.push(...routesIn(name, text));
  }
  const spec = openApi(routes, title, version);
  const yaml = stringify(spec);
  const lines = routes.map(
    ({ method, path, file, line }) => `${method.toUpperCase()} ${path} (${file}:${line})`,
  );
  return answer(lines.join('\n') || 'No routes were found.', count(routes.length, 'route'), {
    routes,
    count: routes.length,
    spec,
    yaml,
    text: yaml,
    undocumented: routes.filter(({ summary }) => summary === '').length,
  });
}
