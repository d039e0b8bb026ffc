import { isIP } from 'node:net';
import { columns, named, sizeOf } from './figures.ts';
import { defineTopic, report, spare, type Taken } from './topic.ts';

/** What listens: from `ss`, which names the program, else from the kernel, which does not. */
function listeners(ss: Taken | undefined, kernel: Taken | undefined) {
  const fromSs = (ss?.lines ?? [])
    .map(columns)
    .filter((row) => /^(?:tcp|udp)$/.test(row[0] ?? '') && row.length >= 6);
  if (ss && !ss.failed && (fromSs.length > 0 || ss.lines.length === 0))
    return fromSs.map((row) => ({
      kind: row[0] ?? '',
      at: row[4] ?? '',
      program: /\(\("([^"]+)",pid=(\d+)/.exec(row.slice(6).join(' '))?.slice(1, 3).join(' ') ?? '',
    }));
  if (!kernel || kernel.failed) return undefined;
  if (kernel.lines.length > 0 && !kernel.lines.some((line) => / LISTEN /.test(line))) return undefined;
  return kernel.lines
    .map(columns)
    .filter((row) => row[1] === 'LISTEN')
    .map((row) => ({ kind: 'tcp', at: row[2] ?? '', program: '' }));
}
const portOf = (at: string): number => Number(at.replace(/^.*:/, ''));
const listenerLine = ({ kind, at, program }: { kind: string; at: string; program: string }): string =>
  `${kind}  ${at}  ${program}`.trimEnd();
/** Only root sees whose a socket is. */
const unnamed = (found: readonly { program: string }[]): boolean =>
  found.some(({ program }) => program === '');

export const ports = defineTopic({
  title: ['Listening ports', '监听端口'],
  example: ['which ports are listening?', '本机开了哪些端口?'],
  calls: () => [spare(report('listeners', { top: 300 })), spare(report('sockets', { top: 300 }))],
  tell([ss, kernel], say) {
    const found = listeners(ss, kernel);
    if (!found) return undefined;
    if (found.length === 0)
      return { sentence: say('Nothing listens on any port here.', '这里没有任何监听的端口。') };
    const all = [...new Set(found.map(({ at }) => portOf(at)))].toSorted((a, b) => a - b);
    const open = found.filter(({ at }) => !/^(?:127\.|\[::1\]|\[::ffff:127\.)/.test(at));
    return {
      sentence: say(
        `${found.length} sockets listen, on ports ${named(all.map(String), say, 20) || 'none'}; ${open.length} of them on more than loopback.`,
        `有 ${found.length} 个监听套接字，端口：${named(all.map(String), say, 20) || '无'}；其中 ${open.length} 个不限于本机回环。`,
      ),
      lines: [...open, ...found.filter((one) => !open.includes(one))].map(listenerLine),
      notes: [
        found.length > 0 &&
          unnamed(found) &&
          say('Programs of other users are named only to root.', '其他用户的程序名只有 root 能看到。'),
      ],
    };
  },
});

export const port = defineTopic({
  needs: ['port'],
  title: ['Who holds a port', '谁占用了端口'],
  example: ['what is using port 8080?', '8080 端口被谁占用了?'],
  calls: ({ port: at }) => [
    spare(report('listeners', { port: at })),
    spare(report('sockets', { top: 2_000 })),
    spare(report('connections', { port: at, top: 500 })),
  ],
  tell([ss, kernel, open], say, { port: at = 0 }) {
    const found = listeners(ss, kernel)?.filter((one) => portOf(one.at) === at);
    if (!found) return undefined;
    const connections = open && !open.failed ? open.lines.length : undefined;
    const names = [...new Set(found.map(({ program }) => program).filter(Boolean))].map((program) =>
      program.replace(/^(.+) (\d+)$/, '$1 (pid $2)'),
    );
    const clients =
      connections === undefined ? '' : say(`; ${connections} connections`, `；当前连接 ${connections} 个`);
    const held =
      names.length > 0
        ? named(names, say)
        : say('a program that only root may see', '一个只有 root 能看到的程序');
    return {
      sentence:
        found.length > 0
          ? say(
              `Port ${at} is held by ${held}${clients}.`,
              `端口 ${at} 由${names.length > 0 ? ' ' : ''}${held} 占用${clients}。`,
            )
          : say(`Nothing listens on port ${at} here.`, `这里没有程序监听端口 ${at}。`),
      lines: found.map(listenerLine),
    };
  },
});

export const connections = defineTopic({
  title: ['Connections', '网络连接'],
  example: ['how many connections are open?', '现在有多少连接?'],
  calls: () => [report('connection_counts')],
  tell([taken], say) {
    const rows = (taken?.lines ?? [])
      .map(columns)
      .filter((row) => row.length === 3 && /^(?:state|remote|port)$/.test(row[0] ?? ''));
    const states = rows.filter(([kind]) => kind === 'state');
    if (states.length === 0) return undefined;
    const of = (name: string) => Number(states.find((row) => row[2] === name)?.[1] ?? 0);
    const [wait, closing] = [of('TIME_WAIT'), of('CLOSE_WAIT')];
    const peer = rows.find(([kind]) => kind === 'remote');
    return {
      sentence: say(
        `${of('ESTABLISHED')} TCP connections are established, ${wait} in TIME_WAIT, ${closing} in CLOSE_WAIT${peer ? `; most with ${peer[2]} (${peer[1]})` : ''}.`,
        `已建立的 TCP 连接 ${of('ESTABLISHED')} 个，TIME_WAIT ${wait} 个，CLOSE_WAIT ${closing} 个${peer ? `；最多的对端是 ${peer[2]}（${peer[1]} 个）` : ''}。`,
      ),
      lines: rows.map(([kind, many, name]) => `${String(many).padStart(6)}  ${kind} ${name}`),
    };
  },
});

export const addresses = defineTopic({
  title: ['IP addresses', 'IP 地址'],
  example: ['what is the IP of this machine?', '这台机器的 IP 是多少?'],
  calls: () => [spare(report('addresses')), spare(report('host_addresses'))],
  tell([brief, plain], say) {
    const rows = (brief?.lines ?? []).map(columns).filter((row) => row.length >= 2);
    const found = rows
      .filter(([name]) => name !== 'lo')
      .flatMap(([name, , ...all]) =>
        all
          .filter((one) => /^[\da-f.:]+\/\d+$/i.test(one) && !/^fe80/i.test(one))
          .map((one) => `${one.replace(/\/\d+$/, '')} (${name?.replace(/@.*$/, '')})`),
      );
    const bare = columns(plain?.lines[0] ?? '').filter((one) => isIP(one) > 0);
    const list = found.length > 0 ? found : bare;
    if (list.length === 0 && !rows.some(([, state = '']) => /^(?:UP|DOWN|UNKNOWN)$/.test(state)))
      return undefined;
    return {
      sentence:
        list.length > 0
          ? say(`Addresses of this machine: ${named(list, say, 10)}.`, `本机地址：${named(list, say, 10)}。`)
          : say('No address besides loopback is set up.', '除回环外没有配置地址。'),
      lines: brief?.lines ?? [],
    };
  },
});

export const routes = defineTopic({
  title: ['Routes', '路由'],
  example: ['what is the default gateway?', '默认网关是什么?'],
  calls: () => [report('routes')],
  tell([taken], say) {
    const rows = (taken?.lines ?? []).filter((line) => /\bdev \S+/.test(line));
    if (rows.length === 0) return undefined;
    const [, via, device] = /^default (?:via (\S+) )?.*?dev (\S+)/m.exec(rows.join('\n')) ?? [];
    return {
      sentence: device
        ? say(
            `The default route goes ${via ? `via ${via} ` : ''}over ${device}; ${rows.length} routes in all.`,
            `默认路由${via ? `经 ${via} ` : ''}走 ${device}；共 ${rows.length} 条路由。`,
          )
        : say(
            `There is no default route among ${rows.length} routes.`,
            `${rows.length} 条路由中没有默认路由。`,
          ),
      lines: rows,
    };
  },
});

export const dnsConfig = defineTopic({
  title: ['DNS configuration', 'DNS 配置'],
  example: ['which DNS servers does this machine use?', '本机用的是哪个 DNS?'],
  calls: () => [report('resolver'), spare(report('hosts_file'))],
  tell([resolver, hosts], say) {
    if (!resolver || resolver.failed) return undefined;
    const rows = resolver.lines.filter((line) => !/^\s*[#;]/.test(line));
    const servers = rows.flatMap((line) => /^\s*nameserver\s+(\S+)/.exec(line)?.[1] ?? []);
    if (!/^\s*(?:nameserver|search|domain|options|[#;])/m.test(resolver.text)) return undefined;
    const search = /^\s*search\s+(.+)$/m.exec(rows.join('\n'))?.[1];
    return {
      sentence:
        servers.length > 0
          ? say(
              `Names are asked of ${named(servers, say)}${search ? `, searching ${search}` : ''}.`,
              `DNS 服务器：${named(servers, say)}${search ? `；搜索域：${search}` : ''}。`,
            )
          : say('/etc/resolv.conf names no server.', '/etc/resolv.conf 里没有配置服务器。'),
      lines: [
        ...rows,
        ...(hosts?.lines ?? []).filter((line) => !/^\s*#/.test(line)).map((line) => `hosts: ${line}`),
      ],
      notes: [
        servers.includes('127.0.0.53') &&
          say(
            '127.0.0.53 is systemd-resolved: it asks others in turn.',
            '127.0.0.53 是 systemd-resolved，它再转问上游。',
          ),
      ],
    };
  },
  runbook: 'dns-failure',
});

export const interfaces = defineTopic({
  title: ['Network interfaces', '网卡'],
  example: ['are there packet drops or errors on the network card?', '网卡有没有丢包?'],
  calls: () => [report('interfaces')],
  tell([taken], say) {
    const rows = (taken?.lines ?? []).flatMap((line) => {
      const [, name, rest] = /^\s*([\w.@-]+):\s*(.+)$/.exec(line) ?? [];
      const numbers = columns(rest ?? '').map(Number);
      return name === undefined || numbers.length < 16 || numbers.some(Number.isNaN)
        ? []
        : [{ name, numbers }];
    });
    if (rows.length === 0) return undefined;
    const at = (numbers: readonly number[], index: number) => numbers[index] ?? 0;
    const bad = rows.filter(
      ({ numbers }) => at(numbers, 2) + at(numbers, 3) + at(numbers, 10) + at(numbers, 11) > 0,
    );
    const list = named(
      bad.map(({ name, numbers }) =>
        say(
          `${name} (${at(numbers, 2) + at(numbers, 10)} errors, ${at(numbers, 3) + at(numbers, 11)} drops)`,
          `${name}（错误 ${at(numbers, 2) + at(numbers, 10)}，丢包 ${at(numbers, 3) + at(numbers, 11)}）`,
        ),
      ),
      say,
    );
    return {
      sentence:
        bad.length > 0
          ? say(
              `Of ${rows.length} interfaces these count errors or drops since boot: ${list}.`,
              `${rows.length} 个网卡中，启动以来有错误或丢包的：${list}。`,
            )
          : say(
              `None of the ${rows.length} interfaces counts an error or a drop since boot.`,
              `${rows.length} 个网卡自启动以来都没有错误和丢包计数。`,
            ),
      lines: rows.map(
        ({ name, numbers }) =>
          `${name}: received ${sizeOf(at(numbers, 0) / 1024)} (${at(numbers, 2)} errors, ${at(numbers, 3)} drops), sent ${sizeOf(at(numbers, 8) / 1024)} (${at(numbers, 10)} errors, ${at(numbers, 11)} drops)`,
      ),
    };
  },
});

export const firewall = defineTopic({
  title: ['Firewall', '防火墙'],
  example: ['is the firewall on?', '防火墙开着吗?'],
  calls: () => [
    spare(report('packet_filter', { top: 1_000 })),
    spare(report('ip_tables', { top: 1_000 })),
    spare({ name: 'service_status', input: { services: ['ufw', 'firewalld', 'nftables'] } }),
  ],
  tell([nft, tables, units], say) {
    const active = (units?.lines ?? [])
      .filter((line) => /: active /.test(line))
      .map((line) => line.replace(/:.*$/, ''));
    const seen = [nft, tables].filter((taken) => taken && !taken.failed);
    const policies = (tables?.lines ?? []).filter((line) => line.startsWith('-P '));
    const rules = (tables?.lines ?? []).filter((line) => line.startsWith('-A ')).length;
    const chains = (nft?.lines ?? []).filter((line) => /^\s*chain /.test(line)).length;
    const hasTables = nft?.lines.some((line) => line.startsWith('table ')) ?? false;
    if (policies.length === 0 && !hasTables && active.length === 0)
      return nft && !nft.failed && nft.lines.length === 0
        ? { sentence: say('nftables lists no rule here.', 'nftables 没有列出任何规则。') }
        : undefined;
    const shut = policies.filter((line) => /DROP|REJECT/.test(line)).map((line) => columns(line)[1] ?? '');
    const running =
      active.length > 0 ? say(`; active: ${active.join(', ')}`, `；已启用：${active.join('、')}`) : '';
    return {
      sentence:
        seen.length > 0
          ? say(
              `Firewall: ${rules} rules of iptables, ${chains} chains of nftables; chains that drop by default: ${named(shut, say) || 'none'}${running}.`,
              `防火墙：iptables ${rules} 条规则，nftables ${chains} 条链；默认拒绝的链：${named(shut, say) || '无'}${running}。`,
            )
          : say(`Its rules are read only by root${running}.`, `规则只有 root 能读取${running}。`),
      lines: [...(tables?.lines ?? []), ...(nft?.lines ?? [])],
      notes: [
        say(
          'A firewall of the cloud or of the network does not show here.',
          '云厂商或网络侧的防火墙在这里看不到。',
        ),
      ],
    };
  },
});
