import { tell } from '#kit/text';
import { z } from 'zod';
import { AppError } from '#kit/app-error';
import type { Language } from '#kit/language';
import { defineTool, type ToolContext, type ToolResult } from '#spec/ports';
import { connectionWords } from './connection-words.ts';
import { Backend } from './containers.ts';
import { HostName, Port } from '../endpoint.ts';
import { placed } from '../placed.ts';
import { complaintOf, runLine } from '../run-line.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer, refusal } from '../../text/answer.ts';

const DAY_MS = 86_400_000;
const TIME_S = 8;

const input = z.strictObject({
  host: HostName,
  port: Port.default(443),
  server_name: HostName.optional(),
  starttls: z
    .enum(['smtp', 'imap', 'pop3', 'ftp', 'postgres', 'mysql', 'ldap'])
    .optional()
    .describe('runs openssl where commands run'),
  warn_days: z.int().min(0).max(365).default(14),
  backend: Backend.describe('from there, with openssl; default: from where web requests are made'),
});
type Input = z.infer<typeof input>;

/** The client here begins with TLS; what begins in another protocol is left to openssl. */
const isHere = ({ backend, starttls }: Input): boolean => backend === undefined && starttls === undefined;

export const tool = defineTool<Input>({
  name: 'certificate_check',
  toolset: 'actions',
  description:
    'How long the TLS certificate of a host and port is still good (any protocol; for web pages use http_check).',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  deed: (asked) => ({
    ...(isHere(asked)
      ? { sendsTo: [asked.host] }
      : {
          command: {
            text: lineOf(asked),
            input: '',
            ...(asked.backend === undefined ? {} : { backend: asked.backend }),
          },
        }),
    brings: ['untrusted'],
  }),
  run: (asked, context) => (isHere(asked) ? here(asked, context) : there(asked, context)),
});

async function here(asked: Input, { web, signal, language = 'en' }: ToolContext): Promise<ToolResult> {
  const { host, port, server_name: name } = asked;
  try {
    const server = { host, port, ...(name === undefined ? {} : { name }) };
    const { subject, issuer, validTo, distrust } = await web.certificate(server, TIME_S * 1_000, signal);
    const why = distrust && connectionWords(distrust, `${host}:${port}`, language);
    return told(asked, { subject, issuer, end: validTo.getTime(), verified: !distrust, why }, language);
  } catch (error) {
    if (!(error instanceof AppError) || signal.aborted) throw error;
    return refusal(connectionWords(error.record, `${host}:${port}`, language));
  }
}

const lineOf = ({ host, port, server_name, starttls }: Input): string =>
  `${commandLine([
    'timeout',
    '15',
    'openssl',
    's_client',
    '-connect',
    `${host}:${port}`,
    '-servername',
    server_name ?? host,
    ...(starttls === undefined ? [] : ['-starttls', starttls]),
  ])} | openssl x509 -noout -enddate -subject -issuer`;

async function there(asked: Input, context: ToolContext): Promise<ToolResult> {
  const language = context.language ?? 'en';
  const { host, port, backend } = asked;
  const ended = await runLine(lineOf(asked), { timeoutS: 20, input: '', backend }, context);
  const { stdout, stderr, stopped, code, place } = ended;
  if (stopped !== undefined || code !== 0)
    return refusal(`certificate_check failed${place ? ` ${place}` : ''}.\n${complaintOf(ended)}`);
  const field = (name: string) => new RegExp(`^${name}=\\s*(.+)$`, 'm').exec(stdout)?.[1]?.trim() ?? '';
  const end = Date.parse(field('notAfter'));
  if (Number.isNaN(end))
    return refusal(
      `${tell(`${host}:${port} showed no certificate.`, `${host}:${port} 没有给出证书。`)[language]}\n${stderr.trim().slice(-300)}`,
    );
  const verified =
    /Verify return code: 0|verify return:1/i.test(`${stdout}${stderr}`) && !/verify error/i.test(stderr);
  const facts = { subject: field('subject'), issuer: field('issuer'), end, verified };
  return placed(told(asked, facts, language), place);
}

interface Facts {
  readonly subject: string;
  readonly issuer: string;
  readonly end: number;
  readonly verified: boolean;
  readonly why?: string | undefined;
}

function told(
  { host, port, warn_days }: Input,
  { subject, issuer, end, verified, why }: Facts,
  language: Language,
): ToolResult {
  const days = Math.floor((end - Date.now()) / DAY_MS);
  const head =
    days < 0
      ? tell(
          `The certificate of ${host}:${port} ended ${-days} days ago.`,
          `${host}:${port} 的证书已过期 ${-days} 天。`,
        )
      : tell(
          `The certificate of ${host}:${port} is good for ${days} more days.`,
          `${host}:${port} 的证书还有 ${days} 天到期。`,
        );
  const until = new Date(end).toISOString();
  const facts = [`subject=${subject}`, `issuer=${issuer}`, `notAfter=${until}`, `trusted=${verified}`];
  const text = [head[language], ...facts, ...(why ? [why] : [])].join('\n');
  return answer(text, days < 0 ? `ended ${-days} days ago` : `${days} days left`, {
    host,
    port,
    days_left: days,
    not_after: until,
    subject,
    issuer,
    verified,
    ok: days >= warn_days,
    expired: days < 0,
  });
}
