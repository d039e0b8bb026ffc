import { isIP } from 'node:net';
import { fields, named } from './figures.ts';
import { defineTopic } from './topic.ts';

export const resolve = defineTopic({
  needs: ['host'],
  title: ['What a name resolves to', '域名解析'],
  example: ['resolve example.com', '解析一下 example.com'],
  calls: ({ host }) => [{ name: 'dns_lookup', input: { name: host } }],
  tell([taken], say, { host = '' }) {
    if (!taken || taken.failed) return undefined;
    if (/ has no \w+\.$/m.test(taken.text))
      return {
        sentence: say(
          `${host} does not resolve: the resolver knows no address of it.`,
          `${host} 无法解析：解析器没有它的地址。`,
        ),
      };
    const found = taken.lines.filter((line) => isIP(line) > 0);
    return found.length === 0
      ? undefined
      : {
          sentence: say(
            `${host} resolves to ${named(found, say, 10)}.`,
            `${host} 解析为 ${named(found, say, 10)}。`,
          ),
        };
  },
  runbook: 'dns-failure',
});

export const reach = defineTopic({
  needs: ['host'],
  title: ['Whether a host can be reached', '主机是否可达'],
  example: ['can we reach example.com on port 443?', '能连上 example.com 的 443 端口吗?'],
  calls: ({ host, port: at }) => [{ name: 'tcp_check', input: { host, port: at ?? 443 } }],
  tell([taken], say, { host = '', port: at = 443 }) {
    const [, state, why = ''] = / is (up|down|unknown)(?:: (.*)| \(.*)$/m.exec(taken?.text ?? '') ?? [];
    if (state === undefined) return undefined;
    const ms = /\((\d+) ms\)/.exec(taken?.text ?? '')?.[1];
    if (state === 'up')
      return {
        sentence: say(
          `${host} takes connections on port ${at} (${ms} ms).`,
          `${host} 的 ${at} 端口可以连接（${ms} ms）。`,
        ),
      };
    return {
      sentence:
        state === 'down'
          ? say(`${host} takes no connection on port ${at}: ${why}`, `${host} 的 ${at} 端口连不上：${why}`)
          : say(
              `Whether ${host} takes connections on port ${at} was not measured: ${why}`,
              `未能测量 ${host} 的 ${at} 端口：${why}`,
            ),
    };
  },
});

export const http = defineTopic({
  needs: ['url'],
  title: ['An HTTP address', 'HTTP 地址'],
  example: ['check https://example.com', '检查一下 https://example.com 通不通'],
  calls: ({ url }) => [{ name: 'http_check', input: { url } }],
  tell([taken], say, { url = '' }) {
    if (!taken || taken.failed) return undefined;
    const [, verdict, rest = ''] = /^(OK|NOT OK|DOWN): (.*)$/m.exec(taken.text) ?? [];
    if (verdict === undefined) return undefined;
    return {
      sentence:
        verdict === 'OK'
          ? say(`${url} answers: ${rest}.`, `${url} 正常：${rest}。`)
          : verdict === 'DOWN'
            ? say(`${url} does not answer: ${rest}`, `${url} 没有响应：${rest}`)
            : say(`${url} answers, but not as it should: ${rest}.`, `${url} 有响应但不正常：${rest}。`),
      lines: taken.lines.slice(1),
    };
  },
});

export const certificate = defineTopic({
  needs: ['host'],
  title: ['TLS certificate', 'TLS 证书'],
  example: ['when does the certificate of example.com expire?', 'example.com 的证书什么时候到期?'],
  calls: ({ host, port: at }) => [
    { name: 'certificate_check', input: { host, ...(at === undefined ? {} : { port: at }) } },
  ],
  tell([taken], say, { host = '' }) {
    const facts = fields((taken?.lines ?? []).filter((line) => /^\w+=/.test(line)));
    const end = Date.parse(facts.get('notAfter') ?? '');
    if (!taken || taken.failed || Number.isNaN(end)) return undefined;
    const days = Math.floor((end - Date.now()) / 86_400_000);
    const until = new Date(end).toISOString().slice(0, 10);
    const trusted = facts.get('trusted') === 'true';
    const verdict = trusted
      ? say('it is trusted here', '本机信任该证书')
      : say('it is NOT trusted here', '本机不信任该证书');
    return {
      sentence:
        days >= 0
          ? say(
              `The certificate of ${host} is good for ${days} more days, until ${until}; ${verdict}.`,
              `${host} 的证书还有 ${days} 天到期（${until}）；${verdict}。`,
            )
          : say(
              `The certificate of ${host} ended ${-days} days ago, on ${until}; ${verdict}.`,
              `${host} 的证书已过期 ${-days} 天（${until}）；${verdict}。`,
            ),
      lines: taken.lines.slice(1),
      notes: [days >= 0 && days < 14 && say('That is soon: renew it.', '即将到期，请尽快续期。')],
    };
  },
  runbook: 'certificate-expired',
});
