import { isAbsolute } from 'node:path';
import { fail } from '#kit/app-error';
import type { HeadAnchor } from '#spec/ports';
import { fileAnchor } from './anchor-file.ts';
import { otlpAnchor } from './otlp-anchor.ts';
import { programAnchor, udpAnchor } from './syslog-anchor.ts';

export type AnchorKind =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'syslog' }
  | { readonly kind: 'udp'; readonly host: string; readonly port: number }
  | { readonly kind: 'otlp'; readonly url: string };

const SYSLOG_PORT = 514;

/** `syslog`, `syslog://host:port`, `http(s)://…` for OTLP, or the absolute path of a file. */
export function parseAnchor(text: string): AnchorKind {
  if (text === 'syslog') return { kind: 'syslog' };
  if (isAbsolute(text)) return { kind: 'file', path: text };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'syslog:' && url.hostname)
    return { kind: 'udp', host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) || SYSLOG_PORT };
  if (url && /^https?:$/.test(url.protocol)) {
    if (url.pathname === '/') url.pathname = '/v1/logs';
    return { kind: 'otlp', url: url.href };
  }
  throw fail(
    'config.invalid',
    `audit.anchor: '${text}' is none of syslog, syslog://host:port, an http address and an absolute path.`,
    'hermes config set audit.anchor /var/log/hermes-audit.jsonl',
  );
}

export function openAnchor(anchor: AnchorKind): HeadAnchor {
  if (anchor.kind === 'file') return fileAnchor(anchor.path);
  if (anchor.kind === 'otlp') return otlpAnchor(anchor.url);
  return anchor.kind === 'udp' ? udpAnchor(anchor) : programAnchor();
}
