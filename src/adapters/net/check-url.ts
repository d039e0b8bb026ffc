import { isIP } from 'node:net';
import { fail } from '#kit/app-error';
import { hasHidden } from '#kit/hidden-characters';
import { refusedAddress } from '#kit/public-address';

/** A place that a request may go to, as far as that can be told before its name is resolved. */
export interface Target {
  readonly url: URL;
  /** As it is resolved: no brackets. */
  readonly host: string;
  readonly port: number;
  /** Named in the configuration: its addresses may be private. */
  readonly excepted: boolean;
}

/** Names that never leave the local network. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\0-\x20\x7f-\x9f\\]/;

/** Reads a URL and refuses what may not be asked for; whoever resolves the name checks its addresses after that. */
export function checkUrl(
  text: string,
  exceptions: ReadonlySet<string>,
  ports: 'for HTTP' | 'any port' = 'for HTTP',
): Target {
  if (CONTROL.test(text) || hasHidden(text))
    throw refused('it holds control characters, blanks, backslashes or characters that cannot be seen', text);
  const url = URL.parse(text);
  if (!url) throw refused('it is not a URL', text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refused(`only http and https are fetched, not ${url.protocol.slice(0, -1)}`, text);
  if (url.username || url.password || rawAuthority(text).includes('@'))
    throw refused('it carries a user name or password', text);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const excepted = exceptions.has(`${host}:${port}`);
  checkNotation(text, url, host);
  const reason = isIP(host) ? refusedAddress(host) : excepted ? undefined : refusedName(host);
  if (reason && (!excepted || isMetadata(reason))) throw refusedPrivate(`${host} is ${reason}`, text);
  if (ports === 'for HTTP' && !excepted && badPort(port))
    throw refusedPrivate(`port ${port} does not speak HTTP`, text);
  return { url, host, port, excepted };
}

/** The exceptions of the configuration, `host:port` or whole URLs, in the form that targets are compared with. */
export function exceptionSet(entries: readonly string[]): ReadonlySet<string> {
  return new Set(
    entries.map((entry) => {
      const url = URL.parse(/^https?:\/\//i.test(entry) ? entry : `http://${entry}`);
      const host = url?.hostname.replace(/^\[(.*)\]$/, '$1');
      if (!url || !host) throw fail('config.invalid', `'${entry}' is not a host:port`);
      return `${host}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
    }),
  );
}

/** No exception reaches these: they hand out credentials of the machine. */
export const isMetadata = (reason: string): boolean => reason.includes('metadata');

export const refused = (reason: string, url: string, hint?: string) =>
  fail('tool.refused', `${shown(url)} may not be fetched: ${reason}`, hint);

/** The same for what an exception could allow. */
export const refusedPrivate = (reason: string, url: string) =>
  refused(
    reason,
    url,
    isMetadata(reason)
      ? undefined
      : 'A private service has to be named as host:port under web.allow_private in config.yaml.',
  );

/** One host, one notation: what a person reads is what is connected to. */
function checkNotation(text: string, url: URL, host: string): void {
  if (!host || host.endsWith('.')) throw refused('its host ends with a dot', text);
  const written = rawAuthority(text).replace(/:\d*$/, '').toLowerCase();
  if (isIP(host) === 4 && written !== host) throw refused(`its host is another way to write ${host}`, text);
  if (written.includes('%')) throw refused('its host is percent-encoded', text);
  if (isIP(host) === 6 && /^\[(?:::ffff:|64:ff9b:)/.test(url.hostname))
    throw refused('its host is an IPv4 address in the notation of IPv6', text);
}

function refusedName(host: string): string | undefined {
  if (LOCAL_NAMES.test(host)) return 'a name of the local network';
  return host.includes('.') ? undefined : 'a name without a domain';
}

const rawAuthority = (text: string): string => /^[a-z][a-z\d+.-]*:\/*([^/?#]*)/i.exec(text)?.[1] ?? '';

/** Without what may be a secret, and short. */
function shown(text: string): string {
  const bare = text.replace(/\/\/[^/?#]*@/, '//…@').replace(/\?.*$/s, '?…');
  return JSON.stringify(bare.length > 120 ? `${bare.slice(0, 120)}…` : bare).slice(1, -1);
}

/** The ports that browsers block (Fetch standard, "bad port"), where other protocols would take a request for theirs. */
const BROWSER_BLOCKED =
  '1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 ' +
  '137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 ' +
  '1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080';

/** Databases, queues and control planes: nothing that a public page would be served from. */
const SERVICES = '445 873 1433 1521 2375 2376 2379 2380 3306 3389 5432 5900 6379 10250 11211 27017';

const BAD = new Set([0, ...`${BROWSER_BLOCKED} ${SERVICES}`.split(' ').map(Number)]);

const badPort = (port: number): boolean => BAD.has(port);
