import { z } from 'zod';
import { AppError } from '#kit/app-error';
import { defineTool, type ToolContext, type ToolResult, type WebAnswer } from '#spec/ports';
import { connectionFacts } from './connection-facts.ts';
import { answer, count, refusal } from '../text/answer.ts';
import { decodeText } from '../web/extract/decode-text.ts';
import { hostOf } from '../services/host-of.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_HOPS = 6;
const DAY_MS = 86_400_000;
const FEW_DAYS = 14;

const input = z.strictObject({
  url: z.string().min(1).max(4_000),
  method: z.enum(['GET', 'HEAD']).default('GET'),
  expect_status: z.int().min(100).max(599).optional().describe('default: any below 400'),
  expect_text: z.string().min(1).max(500).optional().describe('has to stand in the body'),
  timeout_seconds: z.int().min(1).max(60).default(15),
});
type Input = z.infer<typeof input>;

interface Hop {
  readonly url: string;
  readonly status: number;
  readonly ms: number;
}

export const tool = defineTool<Input>({
  name: 'http_check',
  toolset: 'ops',
  description:
    'Check a web endpoint: status, time, redirects, days left on the TLS certificate, expected status or text.',
  input,
  deferred: true,
  level: 0,
  effect: () => 0,
  footprint: () => ({}),
  deed: ({ url }) => ({ sendsTo: [hostOf(url)], brings: ['untrusted'] }),
  run: check,
});

async function check(wanted: Input, context: ToolContext): Promise<ToolResult> {
  const hops: Hop[] = [];
  try {
    const last = await walk(wanted, hops, context);
    return last
      ? verdict(wanted, hops, last)
      : refusal(`${wanted.url} redirects more than ${MOST_HOPS - 1} times.`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint } = error.record;
    if (code === 'tool.refused') return refusal(hint ? `${message}\n${hint}` : message);
    // That it cannot be reached is what the check was for: a finding, no failure of the tool.
    const text = [`DOWN: ${message}`, ...hops.map(hopLine)].join('\n');
    return answer(text, `down: ${message}`.slice(0, 160), { up: false, ok: false, problem: message, hops });
  }
}

/** Follows the redirects one by one, so that each can be shown. */
async function walk(wanted: Input, hops: Hop[], context: ToolContext): Promise<WebAnswer | undefined> {
  let url = wanted.url;
  while (hops.length < MOST_HOPS) {
    const found = await context.web.fetch(
      {
        url,
        method: wanted.method,
        maxBytes: MOST_BYTES,
        timeoutMs: wanted.timeout_seconds * 1000,
        redirects: 0,
      },
      context.signal,
    );
    hops.push({ url: found.url, status: found.status, ms: Math.round(found.ms) });
    const next =
      found.status >= 300 && found.status < 400 ? URL.parse(found.headers.location ?? '', found.url) : null;
    if (!found.headers.location || !next) return found;
    url = next.href;
  }
  return undefined;
}

function verdict(wanted: Input, hops: readonly Hop[], last: WebAnswer): ToolResult {
  const { text } = decodeText(last.body, last.headers['content-type'] ?? '');
  const problems: string[] = [];
  const statusFits =
    wanted.expect_status === undefined ? last.status < 400 : last.status === wanted.expect_status;
  if (!statusFits) problems.push(`status ${last.status}, expected ${wanted.expect_status ?? 'below 400'}`);
  if (wanted.expect_text !== undefined && !text.includes(wanted.expect_text))
    problems.push('the expected text is not there');
  const facts = connectionFacts(last);
  const daysLeft = facts?.tls ? Math.floor((Date.parse(facts.tls.validTo) - Date.now()) / DAY_MS) : undefined;
  if (daysLeft !== undefined && daysLeft < FEW_DAYS)
    problems.push(`the certificate ends in ${count(daysLeft, 'day')}`);
  const ms = hops.reduce((sum, hop) => sum + hop.ms, 0);
  const lines = [
    problems.length > 0 ? `NOT OK: ${problems.join('; ')}` : `OK: status ${last.status} in ${ms} ms`,
    ...hops.map(hopLine),
    `${last.headers['content-type'] ?? 'no type'}, ${count(last.body.length, 'byte')}${last.cut ? ' or more' : ''}`,
    ...(facts
      ? [
          `address ${facts.address}, DNS ${Math.round(facts.dnsMs)} ms, connection ${Math.round(facts.connectMs)} ms`,
        ]
      : []),
    ...(facts?.tls
      ? [
          `${facts.tls.protocol}, certificate of ${facts.tls.subject} by ${facts.tls.issuer}, ${daysLeft} days left (${facts.tls.validTo})`,
        ]
      : []),
  ];
  const data = {
    up: true,
    ok: problems.length === 0,
    status: last.status,
    ms,
    hops,
    problems,
    daysLeft,
    connection: facts,
  };
  return answer(lines.join('\n'), (lines[0] ?? '').slice(0, 160), data);
}

const hopLine = ({ url, status, ms }: Hop): string => `${status} ${url} (${ms} ms)`;
