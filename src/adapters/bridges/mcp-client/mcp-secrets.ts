import { isRecord } from '#kit/is-record';
import { looksSecret } from '#kit/looks-secret';
import type { McpServerConfig } from './mcp-server-config.ts';

/** Shorter ones stand in ordinary words as well. */
const SHORTEST = 6;
const HARMLESS_HEADER = /^(?:accept(?:-.*)?|content-type|user-agent|cache-control|origin|referer)$/i;
const OPTION = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s;

/** Everything in these entries that must not be shown: what is named like a secret, looks like one, or signs in. */
export function mcpSecrets(servers: readonly McpServerConfig[]): string[] {
  const found = new Set(servers.flatMap(({ reach }) => secretsOf(reach)).flatMap(spellings));
  return [...found].filter((value) => value.length >= SHORTEST);
}

/** The secrets in what is kept of a sign-in: its tokens, and what the client was registered with. */
export function tokenSecrets(stored: unknown): string[] {
  if (!isRecord(stored)) return [];
  return Object.entries(stored).flatMap(([name, value]) => {
    if (isRecord(value)) return tokenSecrets(value);
    const secret = typeof value === 'string' && value.length >= SHORTEST && /token$|secret$/i.test(name);
    return secret ? spellings(value) : [];
  });
}

function secretsOf(reach: McpServerConfig['reach']): string[] {
  if (reach.kind === 'stdio')
    return [
      ...Object.entries(reach.env).flatMap(([name, value]) => named(name, value)),
      ...reach.args.flatMap((arg, i) => argumentSecrets(arg, reach.args[i + 1])),
    ];
  const { auth } = reach;
  const parts = 'clientSecret' in auth && auth.clientSecret !== undefined ? [auth.clientSecret] : [];
  return [
    ...parts,
    ...('privateKey' in auth && auth.privateKey !== undefined ? keyParts(auth.privateKey) : []),
    ...Object.entries(reach.headers).flatMap(([name, value]) =>
      HARMLESS_HEADER.test(name) ? [] : headerParts(value),
    ),
    ...addressParts(reach.url),
  ];
}

function named(name: string, value: string): string[] {
  const hidden = (looksSecret(name) && !isPath(value)) || looksRandom(value);
  return [...(hidden ? [value, ...keyParts(value)] : []), ...addressParts(value)];
}

function argumentSecrets(arg: string, next: string | undefined): string[] {
  const [, option, joined] = OPTION.exec(arg) ?? [];
  if (option === undefined || !looksSecret(option)) return looksRandom(arg) ? [arg] : addressParts(arg);
  if (joined !== undefined) return named(option, joined);
  return next === undefined || next.startsWith('-') ? [] : named(option, next);
}

const isPath = (value: string): boolean => /^(?:[/~]|\.{1,2}\/|[A-Za-z]:\\)/.test(value);

/** Long, in one piece, with letters and digits: no word, path, address or version. */
const looksRandom = (value: string): boolean =>
  /^[A-Za-z0-9_+=-]{20,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);

/** `Bearer abc` is told by its second half too. */
function headerParts(value: string): string[] {
  const [, scheme = '', token] = /^(\w+)\s+(\S+)$/.exec(value) ?? [];
  if (token === undefined) return [value];
  const pair = /^basic$/i.test(scheme) ? Buffer.from(token, 'base64').toString() : '';
  return [value, token, ...(pair.includes(':') ? [pair.slice(pair.indexOf(':') + 1)] : [])];
}

/** A key of several lines can be shown by one of them. */
const keyParts = (key: string): string[] => {
  const lines = key.split(/\r?\n|\\n/).filter((line) => line.length >= 20 && !line.startsWith('-----'));
  return [key, ...lines];
};

/** The password in an address, and what its query calls a secret. */
function addressParts(text: string): string[] {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? URL.parse(text) : null;
  if (!url) return [];
  const query = [...url.searchParams].flatMap(([name, value]) => (looksSecret(name) ? [value] : []));
  return [...(url.password ? [url.password, decodeLoosely(url.password)] : []), ...query];
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It was never encoded.
    return text;
  }
}

/** As it is, as it stands in an address, and as it stands in JSON. */
const spellings = (value: string): string[] => [
  value,
  encodeURIComponent(value.toWellFormed()),
  JSON.stringify(value).slice(1, -1),
];
