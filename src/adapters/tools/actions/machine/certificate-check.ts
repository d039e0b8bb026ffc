import { z } from 'zod';
import { Backend } from './containers.ts';
import { defineCommandAction } from '../define-command-action.ts';
import { HostName, Port } from '../endpoint.ts';
import { say } from '../said.ts';
import { commandLine } from '../../running/command-line.ts';
import { answer, refusal } from '../../text/answer.ts';

const DAY_MS = 86_400_000;

export const tool = defineCommandAction({
  name: 'certificate_check',
  description:
    'How long the TLS certificate of a host and port is still good (any protocol; for web pages use http_check).',
  input: z.strictObject({
    host: HostName,
    port: Port.default(443),
    server_name: HostName.optional(),
    starttls: z.enum(['smtp', 'imap', 'pop3', 'ftp', 'postgres', 'mysql', 'ldap']).optional(),
    warn_days: z.int().min(0).max(365).default(14),
    backend: Backend,
  }),
  level: 0,
  timeoutS: 20,
  brings: ['untrusted'],
  typed: '',
  line: ({ host, port, server_name, starttls }) =>
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
    ])} | openssl x509 -noout -enddate -subject -issuer`,
  read({ stdout, stderr }, { host, port, warn_days }, language) {
    const field = (name: string) => new RegExp(`^${name}=\\s*(.+)$`, 'm').exec(stdout)?.[1]?.trim() ?? '';
    const end = Date.parse(field('notAfter'));
    if (Number.isNaN(end))
      return refusal(
        `${say(`${host}:${port} showed no certificate.`, `${host}:${port} 没有给出证书。`)[language]}\n${stderr.trim().slice(-300)}`,
      );
    const days = Math.floor((end - Date.now()) / DAY_MS);
    const verified =
      /Verify return code: 0|verify return:1/i.test(`${stdout}${stderr}`) && !/verify error/i.test(stderr);
    const text = say(
      `The certificate of ${host}:${port} is good for ${days} more days.`,
      `${host}:${port} 的证书还有 ${days} 天到期。`,
    )[language];
    return answer(text, `${days} days left`, {
      host,
      port,
      days_left: days,
      not_after: new Date(end).toISOString(),
      subject: field('subject'),
      issuer: field('issuer'),
      verified,
      ok: days >= warn_days,
      expired: days < 0,
    });
  },
});
