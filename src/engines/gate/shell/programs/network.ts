import { type Arg, literal, readOptions } from '../arg.ts';
import { hostOf, isLocalHost } from '../addresses.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { asks, careful, OUTPUT_FROM_NETWORK } from './rules.ts';

const CURL =
  'AbcCdDeEFHKmoPQrtTuUwxXyYzZ --user-agent --cookie --cookie-jar --continue-at --data --data-raw --data-binary --data-urlencode --data-ascii --json --dump-header --referer --cert --form --form-string --header --config --max-time --output --output-dir --range --upload-file --user --proxy-user --write-out --proxy --preproxy --request --time-cond --url --url-query --resolve --connect-to --connect-timeout --cacert --capath --key --retry --retry-delay --retry-max-time --limit-rate --unix-socket --abstract-unix-socket --interface --dns-servers --netrc-file --engine --trace --trace-ascii --stderr --hsts --etag-save --etag-compare --ciphers --oauth2-bearer --aws-sigv4 --mail-from --mail-rcpt --max-redirs --max-filesize --libcurl --alt-svc --socks5 --socks5-hostname --socks4 --doh-url --proto --proto-redir --proto-default --rate --variable --expand-data --noproxy --quote --form-escape --post301';

const curl: Program = (call) => {
  const options = readOptions(call.args, CURL);
  const urls = [...options.operands, ...options.values('--url')];
  const method = options.values('-X', '--request').at(-1)?.text.toUpperCase();
  const bodies = options.values(
    '-d',
    '--data',
    '--data-raw',
    '--data-binary',
    '--data-urlencode',
    '--data-ascii',
    '--json',
    '-F',
    '--form',
    '--form-string',
    '-T',
    '--upload-file',
    '--url-query',
    '--variable',
  );
  const asQuery = options.has('-G', '--get') && !options.has('-F', '--form', '-T', '--upload-file');
  const reading =
    (bodies.length === 0 || asQuery) && (method === undefined || /^(?:GET|HEAD|OPTIONS)$/.test(method));
  call.outward({ sends: bodies.length > 0 });
  for (const header of options.values('-H', '--header')) {
    if (!header.text.startsWith('@')) continue;
    call.outward({ sends: true });
    readUpload(call, header, false);
  }
  for (const body of bodies) readUpload(call, body, options.values('-T', '--upload-file').includes(body));
  const local = urls.length > 0 && urls.every((url) => isLocalHost(hostOf(url.text) ?? ''));
  if (
    !reading &&
    (!local ||
      method === 'DELETE' ||
      /_(?:all|delete_by_query|shutdown)\b|\/admin\//.test(urls.map(({ text }) => text).join(' ')))
  ) {
    call.level(3);
    call.ask(method === 'DELETE' ? 'deletes something' : 'sends something to another machine');
  }
  if (options.has('--unix-socket', '--abstract-unix-socket')) {
    const socket = options.values('--unix-socket', '--abstract-unix-socket')[0]?.text ?? '';
    if (/docker|containerd|podman|crio|hermes/.test(socket))
      call.deny('drives the container daemon, and with it the machine');
    else call.ask('talks to a daemon of this machine');
  }
  if (options.has('-K', '--config', '--engine', '--libcurl', '-q', '--disable'))
    if (!options.flags.has('-q') || options.has('-K', '--config')) call.ask('takes settings from a file');
  if (
    options.has(
      '-x',
      '--proxy',
      '--preproxy',
      '--socks5',
      '--socks5-hostname',
      '--socks4',
      '--resolve',
      '--connect-to',
      '--doh-url',
      '--dns-servers',
    )
  )
    call.ask('goes through another machine than the one it names');
  for (const url of urls) judgeUrl(call, url);
  writeAnswer(
    call,
    options.values(
      '-o',
      '--output',
      '-D',
      '--dump-header',
      '-c',
      '--cookie-jar',
      '--trace',
      '--trace-ascii',
      '--stderr',
      '--etag-save',
      '--hsts',
      '--alt-svc',
    ),
    options.values('--output-dir')[0],
  );
  if (options.has('-O', '--remote-name', '--remote-name-all'))
    for (const url of urls) call.writes(fileOf(url), 'create');
  const toFile = options
    .values('-o', '--output')
    .some(({ text }) => !/^(?:-|\/dev\/(?:stdout|fd\/1))$/.test(text));
  return toFile || options.has('-O', '--remote-name') ? OPAQUE : OUTPUT_FROM_NETWORK;
};

/** `@file` and `name=@file` send a file. */
function readUpload(call: Call, body: Arg, whole: boolean): void {
  const at = /(?:^|=)[@<](.+?)(?:;.*)?$/.exec(body.text)?.[1];
  const path = whole ? body.text : at;
  if (path === undefined || path === '-' || path === '.') return;
  call.reads({ ...body, text: path });
  call.ask(`sends the file ${path.slice(0, 80)}`);
}

function judgeUrl(call: Call, url: Arg): void {
  const file = /^file:\/\/[^/]*(\/.*)$/i.exec(url.text);
  if (file?.[1]) call.reads({ ...url, text: file[1] });
  if (/^(?:gopher|dict|ldaps?|smbs?|tftp|telnet|scp|sftp|smtps?|imaps?|pop3s?|rtsp|mqtt):/i.test(url.text))
    call.ask('speaks a protocol that can do more than fetch');
  const host = hostOf(url.text) ?? '';
  if (/^xn--|\.xn--|[^\x20-\x7e]/.test(host)) call.ask('names a host in letters that can be mistaken');
}

function writeAnswer(call: Call, targets: readonly Arg[], folder: Arg | undefined): void {
  for (const target of targets) {
    if (target.text === '-' || target.text.startsWith('%')) continue;
    call.writes(folder ? { ...target, text: `${folder.text}/${target.text}` } : target, 'create');
  }
}

/** The name under which an address is stored when no other is given. */
const fileOf = (url: Arg): Arg => ({
  ...url,
  text:
    url.text
      .replace(/[?#].*$/, '')
      .replace(/^[a-z]+:\/\/[^/]*$/i, '')
      .replace(/^.*\//, '') || 'index.html',
});

const wget: Program = (call) => {
  const options = readOptions(
    call.args,
    'oaOiPtTwQUlARDXYeB --output-document --output-file --append-output --input-file --directory-prefix --post-data --post-file --body-data --body-file --method --header --user-agent --execute --use-askpass --config --load-cookies --save-cookies --user --password --tries --timeout --ca-certificate --private-key --warc-file --rejected-log',
  );
  const posts = options.values('--post-data', '--post-file', '--body-data', '--body-file');
  call.outward({ sends: posts.length > 0 });
  for (const file of options.values('--post-file', '--body-file')) call.reads(file);
  if (posts.length > 0 || options.has('--method')) call.ask('sends something to another machine');
  if (options.has('-e', '--execute', '--use-askpass', '--config', '-i', '--input-file'))
    call.ask('takes settings or addresses from elsewhere');
  for (const url of options.operands) judgeUrl(call, url);
  const documents = options.values('-O', '--output-document');
  for (const file of [
    ...options.values(
      '-o',
      '--output-file',
      '-a',
      '--append-output',
      '--save-cookies',
      '--warc-file',
      '--rejected-log',
    ),
  ])
    if (file.text !== '-') call.writes(file, 'create');
  for (const file of documents) if (file.text !== '-') call.writes(file, 'create');
  const folder = options.values('-P', '--directory-prefix')[0];
  if (options.flags.has('--spider')) return OPAQUE;
  if (documents.length === 0)
    for (const url of options.operands)
      call.writes(
        folder ? { ...fileOf(url), text: `${folder.text}/${fileOf(url).text}` } : fileOf(url),
        'create',
      );
  // `-qO-` is read as the value of `-O`.
  return documents.some(({ text }) => /^(?:-|\/dev\/(?:stdout|fd\/1))$/.test(text))
    ? OUTPUT_FROM_NETWORK
    : OPAQUE;
};

const SSH = 'bcDEeFIiJLlmOopQRSWwB';
const ssh: Program = (call) => {
  careful(call);
  const options = readOptions(call.args, SSH, true);
  call.outward({ sends: call.stdin !== undefined && call.stdin.secret });
  for (const option of options.values('-o')) {
    if (
      !/^(?:StrictHostKeyChecking|ConnectTimeout|BatchMode|ServerAlive\w+|UserKnownHostsFile|LogLevel|Port|User|IdentitiesOnly|Compression|PasswordAuthentication|PreferredAuthentications|ConnectionAttempts)\s*[=\s]/i.test(
        option.text,
      )
    )
      call.ask(`uses the option ${option.text.slice(0, 40)}`);
  }
  if (options.has('-F', '-E', '-S', '-L', '-R', '-D', '-w', '-W', '-O', '-I', '-A', '-J', '-N', '-f'))
    call.ask('opens a way between machines, or takes settings from elsewhere');
  const [host, ...command] = options.operands;
  if (host && /^-|[;|&$`]/.test(host.text)) call.ask('names a host that hides an option');
  if (command.length === 0) {
    if (!options.has('-V', '-G', '-Q')) call.ask('opens a shell on another machine');
    return OUTPUT_FROM_NETWORK;
  }
  const script = command.map(({ text }) => text).join(' ');
  const known = command.every((arg) => arg.literal);
  call.runsScript({ ...literal(script), literal: known }, { elsewhere: true });
  call.level(2);
  return { ...OUTPUT_FROM_NETWORK };
};

const copiesAcross: Program = (call) => {
  careful(call);
  const options = readOptions(call.args, 'cDFiJloPSX');
  call.outward({ sends: true });
  for (const operand of options.operands) if (!/^[^/]*:/.test(operand.text)) call.reads(operand);
  call.level(3);
  call.ask('copies files to or from another machine');
  return OPAQUE;
};

/** Tools that open raw connections. */
const rawConnection: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  call.outward({ sends: true });
  const listens = words.some((word) => /^-[a-z]*l/.test(word) || word.startsWith('--listen'));
  if (
    words.some(
      (word) => /^-[a-z]*[ec]$|^--(?:exec|sh-exec|lua-exec)/.test(word) || /^(?:exec|system):/i.test(word),
    )
  )
    call.deny('gives another machine a shell here');
  else if (call.stdin.commands.some(([program]) => /^(?:ba|da|z|k|a)?sh$/.test(program ?? '')))
    call.deny('gives another machine a shell here');
  else if (words.some((word) => /^-[a-z]*z/.test(word)) && !listens) return OPAQUE;
  else
    call.ask(
      listens ? 'waits for connections from other machines' : 'opens a raw connection to another machine',
    );
  return OUTPUT_FROM_NETWORK;
};

/** Questions about names and routes. What is asked leaves the machine. */
const asksNames: Program = (call) => {
  call.outward({ sends: true });
  if (call.args.some((arg) => arg.feed !== undefined))
    call.ask('puts what a command printed into a question to other machines');
  const options = readOptions(call.args, 'fkcbptyF --filename');
  for (const file of options.values('-F', '--filename')) call.reads(file);
  if (/^(?:dig|host)$/.test(call.name)) for (const file of options.values('-f', '-k')) call.reads(file);
  if (call.name === 'ping' && options.has('-f')) call.ask('floods another machine');
  return OUTPUT_FROM_NETWORK;
};

const openssl: Program = (call) => {
  const [sub, ...rest] = call.args;
  const options = readOptions(rest, '', false);
  const words = rest.map(({ text }) => text);
  const after = (name: string): Arg | undefined => rest[words.indexOf(name) + 1];
  if (words.includes('-out')) {
    const out = after('-out');
    if (out) call.writes(out, 'change');
  }
  if (words.includes('-in')) {
    const input = after('-in');
    if (input && !/^(?:x509|req|crl|verify)$/.test(sub?.text ?? '')) call.reads(input);
  }
  if (words.some((word) => /^-(?:engine|provider|provider-path|config)$/.test(word)))
    call.ask('loads a library');
  if (sub?.text === 's_client') {
    call.outward({ sends: true });
    return OUTPUT_FROM_NETWORK;
  }
  if (
    !/^(?:x509|req|verify|version|dgst|enc|base64|rand|crl|ciphers|prime|sha\d*|md5|asn1parse|s_time|help|list|speed)$/.test(
      sub?.text ?? '',
    )
  )
    call.ask('handles keys, or opens connections');
  const decodes = options.flags.has('-d') || words.includes('-d');
  return decodes ? { ...OPAQUE, decoded: true, network: call.stdin.network } : undefined;
};

const sshKeygen: Program = (call) => {
  const options = readOptions(call.args, 'fFEIOnPNCtbRrsVwWYDMg');
  const reads = options.has('-l', '-F', '-H', '-B', '-L', '-y', '-e');
  if (options.flags.has('-D') || options.has('-D', '-w', '-K', '-M')) call.ask('loads a library');
  if (!reads) {
    call.level(3);
    call.ask('makes or changes keys');
  } else if (
    options.has('-y', '-e') ||
    !options.values('-f').every(({ text }) => /\.pub$|known_hosts$|^-$/.test(text))
  )
    for (const file of options.values('-f')) call.reads(file);
  return OPAQUE;
};

export const network: ProgramTable = {
  curl,
  ...forEach('http https xh httpie curlie', (call) => {
    call.outward({ sends: true });
    const words = call.args.map(({ text }) => text);
    if (
      words.some((word) => /^(?:POST|PUT|PATCH|DELETE)$/i.test(word) || /^[\w.[\]-]+(?::?=@?|@)/.test(word))
    )
      call.ask('sends something to another machine');
    return OUTPUT_FROM_NETWORK;
  }),
  wget,
  ssh,
  ...forEach('scp sftp ftp lftp tftp rcp smbclient rclone', copiesAcross),
  ...forEach('nc ncat netcat socat telnet websocat', rawConnection),
  ...forEach('dig host nslookup ping ping6 traceroute tracepath mtr whois drill resolvectl', asksNames),
  openssl,
  'ssh-keygen': sshKeygen,
  'ssh-keyscan': (call) => {
    for (const file of readOptions(call.args, 'fptT').values('-f')) call.reads(file);
    call.outward();
    return OUTPUT_FROM_NETWORK;
  },
  ...forEach('ss netstat ifconfig arp lsof route iwconfig', (call) => {
    const changes =
      /^(?:ifconfig|route|arp)$/.test(call.name) &&
      call.args.filter(({ text }) => !text.startsWith('-')).length > (call.name === 'ifconfig' ? 1 : 0);
    if (
      changes ||
      (call.name === 'ss' &&
        call.args.some(({ text }) => /^-[a-zA-Z]*[KFD]|^--(?:kill|filter|diag)/.test(text)))
    )
      call.ask('changes the network');
    return OPAQUE;
  }),
  ip: (call) => {
    const words = call.args.map(({ text }) => text);
    if (
      words.some(
        (word) =>
          /^(?:add|del|delete|set|flush|change|replace|append|exec|attach|up|down|-b|-batch|--batch|-force)$/.test(
            word,
          ) || word.startsWith('-b'),
      )
    )
      call.ask('changes the network');
    return OPAQUE;
  },
  ...forEach(
    'iptables ip6tables nft ufw firewall-cmd tc nmcli brctl wg wg-quick openvpn ipvsadm',
    asks('changes the network'),
  ),
  ...forEach('tcpdump tshark wireshark nmap masscan', asks('listens to or searches the network')),
  ...forEach('aria2c axel youtube-dl yt-dlp', asks('fetches files')),
  ...forEach('lynx w3m links elinks GET lwp-request lwp-download fetch', (call) => {
    call.outward({ sends: true });
    call.ask('fetches a page with a program that can do more');
    return OUTPUT_FROM_NETWORK;
  }),
  ...forEach('mail mailx sendmail mutt swaks msmtp', (call) => {
    call.outward({ sends: true });
    call.ask('sends mail');
    return OPAQUE;
  }),
};
