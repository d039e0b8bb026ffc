import { z } from 'zod';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { jsonOrText } from './loose.ts';
import { answer } from '../text/answer.ts';
import { asResult } from '../services/as-result.ts';
import { decodeText } from '../web/extract/decode-text.ts';
import { hostOf } from '../services/host-of.ts';

const MOST_BYTES = 2 * 1024 * 1024;

const input = z.strictObject({
  url: z.string().min(1).max(4_000),
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().max(1_000_000).optional(),
  json: z.unknown().optional().describe('sent as JSON'),
  expected_status: z
    .union([z.int(), z.array(z.int())])
    .optional()
    .describe('anything else is a failure'),
  timeout: z.number().positive().max(120).default(30).describe('seconds'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'http_request',
  toolset: 'actions',
  description:
    'Ask an HTTP API and give back status, headers, text and JSON. To check an endpoint use http_check.',
  input,
  deferred: true,
  effect: ({ method }) => (method === 'GET' || method === 'HEAD' ? 0 : method === 'DELETE' ? 3 : 2),
  footprint: ({ method }) => (method === 'GET' || method === 'HEAD' ? {} : undefined),
  deed: ({ url }) => ({ sendsTo: [hostOf(url)], brings: ['untrusted'] }),
  run: (asked, context) => asResult(() => request(asked, context)),
});

async function request(asked: Input, { web, signal }: ToolContext): Promise<ToolResult> {
  const { url, method, headers, json, expected_status: wanted, timeout } = asked;
  const body = json === undefined ? asked.body : JSON.stringify(json);
  const type: Record<string, string> = json === undefined ? {} : { 'content-type': 'application/json' };
  const found = await web.fetch(
    {
      url,
      method,
      headers: { ...type, ...headers },
      ...(body === undefined ? {} : { body }),
      maxBytes: MOST_BYTES,
      timeoutMs: timeout * 1_000,
    },
    signal,
  );
  const { text } = decodeText(found.body, found.headers['content-type'] ?? '');
  const value =
    /json/.test(found.headers['content-type'] ?? '') || /^\s*[[{]/.test(text) ? jsonOrText(text) : undefined;
  const ok = wanted === undefined ? found.status < 400 : [wanted].flat().includes(found.status);
  const ms = Math.round(found.ms);
  const summary = `${found.status} in ${ms} ms`;
  const data = {
    status: found.status,
    ok,
    ms,
    url: found.url,
    headers: found.headers,
    body: text,
    ...(typeof value === 'object' ? { json: value } : {}),
    cut: found.cut,
  };
  const shown = redact(dropHidden(text)).slice(0, 8_000);
  return { ...answer(`${summary}\n${shown}`, summary, data), ...(ok ? {} : { isError: true }) };
}
