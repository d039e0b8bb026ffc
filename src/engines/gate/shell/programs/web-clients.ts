import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import { hostOf, isLocalHost } from '../addresses.ts';
import { type Call, forEach, type ProgramTable } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import { fileInData, type Grammar, known, type Words } from '../grammar.ts';
import { OUTPUT_FROM_NETWORK } from './rules.ts';

const CURL: Grammar = {
  flags: `-0|--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 -1|--tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 -4|--ipv4 -6|--ipv6
    -a|--append --compressed --compressed-ssh -f|--fail --fail-early --fail-with-body --basic --digest --ntlm --negotiate --anyauth -g|--globoff -G|--get
    -h|--help -i|--include|--show-headers -I|--head -j|--junk-session-cookies -J|--remote-header-name -k|--insecure -l|--list-only -L|--location
    --location-trusted -M|--manual -n|--netrc --netrc-optional -N|--no-buffer --no-keepalive --no-progress-meter --no-sessionid -O|--remote-name
    --remote-name-all --create-dirs --remove-on-error -p|--proxytunnel --path-as-is --raw --retry-connrefused --retry-all-errors -R|--remote-time
    -s|--silent -S|--show-error -#|--progress-bar --ssl --ssl-reqd --ssl-no-revoke --styled-output --no-styled-output --suppress-connect-headers
    --tcp-fastopen --tcp-nodelay --tr-encoding -v|--verbose -V|--version -Z|--parallel --parallel-immediate --post301 --post302 --post303 -q|--disable
    --xattr --no-clobber --ca-native --cert-status --disallow-username-in-url --haproxy-protocol --skip-existing --trace-time --trace-ids`,
  text: `-A|--user-agent -b|--cookie -C|--continue-at -e|--referer -m|--max-time --connect-timeout -r|--range -u|--user -U|--proxy-user -X|--request
    -y|--speed-time -Y|--speed-limit -z|--time-cond --url --retry --retry-delay --retry-max-time --limit-rate --ciphers --tls13-ciphers --tls-max --curves
    --oauth2-bearer --aws-sigv4 --max-redirs --max-filesize --proto --proto-redir --proto-default --rate --noproxy --expect100-timeout --keepalive-time
    --parallel-max --happy-eyeballs-timeout-ms --local-port --dns-interface --interface --request-target --service-name --login-options --pinnedpubkey
    --hostpubmd5 --dns-ipv4-addr -H|--header -w|--write-out -d|--data|--data-ascii --data-raw --data-binary --data-urlencode --json -F|--form
    --form-string -T|--upload-file --url-query --output-dir -o|--output -D|--dump-header -c|--cookie-jar --trace --trace-ascii --stderr --etag-save --hsts
    --alt-svc`,
  reads: '--cacert --capath --etag-compare -E|--cert --key --crlfile --netrc-file --proxy-cacert',
  asksWith: `-K|--config --engine --libcurl -x|--proxy --preproxy --socks4 --socks4a --socks5 --socks5-hostname --resolve --connect-to --doh-url --dns-servers
    -Q|--quote -P|--ftp-port -t|--telnet-option --mail-from --mail-rcpt --mail-auth --variable --expand-url --expand-data --expand-header --expand-output
    --unix-socket --abstract-unix-socket --proxy-header --ftp-account --ftp-alternative-to-user --krb --delegation --random-file --egd-file --key-type --cert-type --pass`,
};

const BODIES = ['-d', '--data-binary', '--data-urlencode', '--json', '-F', '-T', '--url-query'] as const;
const curl = known(CURL, (call, words) => {
  const urls = [...words.operands, ...words.values('--url')];
  const method = words.value('-X')?.text.toUpperCase();
  const raw = words.values('--data-raw', '--form-string');
  const bodies = words.values(...BODIES);
  const asQuery = words.has('-G') && !words.has('-F', '-T');
  const reading =
    (bodies.length + raw.length === 0 || asQuery) &&
    (method === undefined || /^(?:GET|HEAD|OPTIONS)$/.test(method));
  call.outward({ sends: bodies.length + raw.length > 0 });
  sendFiles(call, words);
  const local = urls.length > 0 && urls.every((url) => isLocalHost(hostOf(url.text) ?? ''));
  const drastic = /_(?:all|delete_by_query|shutdown)\b|\/admin\//.test(
    urls.map(({ text }) => text).join(' '),
  );
  if (!reading && (!local || method === 'DELETE' || drastic)) {
    call.level(3);
    call.ask(
      method === 'DELETE'
        ? tell('deletes something', '会删除内容')
        : tell('sends something to another machine', '会向另一台机器发送内容'),
    );
  }
  if (
    /docker|containerd|podman|crio|hermes/.test(
      words
        .values('--unix-socket', '--abstract-unix-socket')
        .map(({ text }) => text)
        .join(' '),
    )
  )
    call.deny(
      tell('drives the container daemon, and with it the machine', '会操纵容器守护进程,从而操纵整台机器'),
    );
  for (const url of urls) judgeUrl(call, url);
  sendsOutput(call, words.values('-A', '-b', '-e', '-H', '-u', '--url').concat(urls));
  return writeAnswers(call, words, urls);
});

/** Every option whose value may name a file that goes along. */
function sendFiles(call: Call, words: Words): void {
  for (const body of words.values('-d', '--data-binary', '--data-urlencode', '--json', '-F', '--url-query'))
    sendFile(call, body, fileInData(body.text.replace(/;(?:type|filename|headers|encoder)=.*$/s, '')));
  for (const body of words.values('-H', '-w', '-b')) sendFile(call, body, /^@(.+)$/s.exec(body.text)?.[1]);
  for (const body of words.values('-T')) sendFile(call, body, body.text);
  sendUnknown(call, words);
  // Without an equals sign the name of a cookie file.
  for (const jar of words.values('-b')) if (!/[=@]/.test(jar.text) && jar.text !== '') call.reads(jar);
}

/** An option that is not known may be a short form of one that sends a file. */
function sendUnknown(call: Call, { unknown, operands }: Words): void {
  for (const option of unknown) sendFile(call, option, /=@?(.+)$/s.exec(option.text)?.[1]);
  for (const operand of operands) sendFile(call, operand, /^@(.+)$/s.exec(operand.text)?.[1]);
}

function sendFile(call: Call, body: Arg, path: string | undefined): void {
  if (path === undefined || path === '-' || path === '.') return;
  call.outward({ sends: true });
  call.reads({ ...body, text: path });
  call.ask(tell(`sends the file ${path.slice(0, 80)}`, `会发送文件 ${path.slice(0, 80)}`));
}

/** What a command printed becomes part of a request. */
function sendsOutput(call: Call, values: readonly Arg[]): void {
  const printed = values.some(
    (arg) => arg.feed !== undefined && arg.feed.commands.some(([name = '']) => READS_FILES.has(name)),
  );
  if (printed)
    call.ask(
      tell(
        'puts what a command read into a request to another machine',
        '会把命令读到的内容放进发往另一台机器的请求',
      ),
    );
}
const READS_FILES = new Set(
  'cat head tail base64 xxd od hexdump grep rg sed awk tar gzip sort cut tr jq yq git find ls env printenv strings openssl python python3 node perl ruby php'.split(
    ' ',
  ),
);

function judgeUrl(call: Call, url: Arg): void {
  const file = /^file:\/\/[^/]*(\/.*)$/i.exec(url.text);
  if (file?.[1]) call.reads({ ...url, text: file[1] });
  if (/^(?:gopher|dict|ldaps?|smbs?|tftp|telnet|scp|sftp|smtps?|imaps?|pop3s?|rtsp|mqtt):/i.test(url.text))
    call.ask(tell('speaks a protocol that can do more than fetch', '使用的协议不止能取内容'));
  const host = hostOf(url.text) ?? '';
  if (/^xn--|\.xn--|[^\x20-\x7e]/.test(host))
    call.ask(tell('names a host in letters that can be mistaken', '主机名使用了易混淆的字母'));
}

const SCREEN = /^(?:-|\/dev\/(?:stdout|fd\/1))$/;
function writeAnswers(call: Call, words: Words, urls: readonly Arg[]): Feed {
  const folder = words.value('--output-dir');
  const into = (target: Arg): Arg => (folder ? { ...target, text: `${folder.text}/${target.text}` } : target);
  const outputs = words.values('-o');
  for (const target of outputs) if (!SCREEN.test(target.text)) call.writes(into(target), 'create');
  for (const target of words.values(
    '-D',
    '-c',
    '--trace',
    '--trace-ascii',
    '--stderr',
    '--etag-save',
    '--hsts',
    '--alt-svc',
  ))
    if (!/^[-%]/.test(target.text)) call.writes(target, 'create');
  const named = words.has('-O', '--remote-name-all');
  if (named) for (const url of urls) call.writes(into(fileOf(url)), 'create');
  if (words.has('-J')) call.ask(tell('lets the other machine name the file', '会让对方机器决定文件名'));
  return outputs.some(({ text }) => !SCREEN.test(text)) || named ? OPAQUE : OUTPUT_FROM_NETWORK;
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

const wget = known(
  {
    flags: `-q|--quiet -v|--verbose -nv|--no-verbose -d|--debug -c|--continue -N|--timestamping -S|--server-response --spider -nc|--no-clobber -nd|--no-directories
      -x|--force-directories -nH|--no-host-directories -r|--recursive -k|--convert-links -K|--backup-converted -p|--page-requisites -m|--mirror -np|--no-parent
      -L|--relative -H|--span-hosts --no-check-certificate --no-cache --no-cookies --no-proxy --no-dns-cache --show-progress --retry-connrefused --inet4-only|-4
      --inet6-only|-6 --content-on-error --ignore-length --no-hsts --https-only --no-if-modified-since --trust-server-names --adjust-extension|-E --random-wait --help --version`,
    text: '-t|--tries -T|--timeout --connect-timeout --read-timeout --dns-timeout -w|--wait --waitretry -Q|--quota --limit-rate -l|--level -A|--accept -R|--reject -D|--domains --exclude-domains -X|--exclude-directories -I|--include-directories --header -U|--user-agent --referer --user --password --http-user --http-password --max-redirect --restrict-file-names --cut-dirs --progress --secure-protocol --accept-regex --reject-regex --compression -O|--output-document -P|--directory-prefix',
    writes: '-o|--output-file -a|--append-output --save-cookies --warc-file --rejected-log --hsts-file',
    reads: '--ca-certificate --ca-directory --load-cookies --certificate --private-key',
    asks: '-b|--background --content-disposition --ask-password',
    asksWith:
      '-e|--execute --use-askpass --config -i|--input-file -B|--base --method --post-data --post-file --body-data --body-file --bind-address --input-metalink --use-server-timestamps --start-pos',
  },
  (call, words) => {
    call.outward({ sends: words.has('--post-data', '--post-file', '--body-data', '--body-file') });
    for (const file of words.values('--post-file', '--body-file')) call.reads(file);
    sendUnknown(call, words);
    for (const url of words.operands) judgeUrl(call, url);
    sendsOutput(call, [...words.operands, ...words.values('--header', '-U')]);
    const documents = words.values('-O');
    for (const file of documents) if (file.text !== '-') call.writes(file, 'create');
    if (words.has('--spider')) return OPAQUE;
    const folder = words.value('-P');
    if (folder) call.writes(folder, 'create');
    if (documents.length === 0)
      for (const url of words.operands)
        call.writes(
          folder ? { ...fileOf(url), text: `${folder.text}/${fileOf(url).text}` } : fileOf(url),
          'create',
        );
    return documents.some(({ text }) => SCREEN.test(text)) ? OUTPUT_FROM_NETWORK : OPAQUE;
  },
);

/** Programs that fetch from the web and send to it. */
export const webClients: ProgramTable = {
  curl,
  ...forEach(
    'http https xh httpie curlie',
    known(
      {
        flags:
          '-b|--body -h|--headers -v|--verbose -m|--meta -j|--json -F|--follow --check-status --ignore-stdin --stream -d --offline --all --https -I',
        text: '-p|--print --pretty -s|--style -a|--auth -A|--auth-type --timeout --max-redirects --verify --default-scheme --format-options --response-charset',
        asks: '-f|--form --multipart',
        asksWith: '-o|--output --session --session-read-only --proxy --cert --cert-key --raw --boundary -c',
        operands: ['text'],
      },
      (call, words) => {
        call.outward({ sends: true });
        const [first, ...rest] = words.operands;
        const isMethod = /^[A-Z]+$/.test(first?.text ?? '');
        const items = isMethod ? rest.slice(1) : rest;
        for (const item of items) {
          const file = /^[\w.[\]-]+(?:=|:=|:)?@(.+)$/.exec(item.text)?.[1];
          if (file !== undefined) call.reads({ ...item, text: file });
        }
        const sends = items.some(
          ({ text }) => /^[\w.[\]-]+(?::?=|@|=@)/.test(text) && !/^[\w.[\]-]+==/.test(text),
        );
        const piped = (call.stdin.opaque || (call.stdin.text ?? '') !== '') && !words.has('--ignore-stdin');
        if (sends || piped || (isMethod && !/^(?:GET|HEAD|OPTIONS)$/.test(first?.text ?? '')))
          call.ask(tell('sends something to another machine', '会向另一台机器发送内容'));
        return OUTPUT_FROM_NETWORK;
      },
    ),
  ),
  wget,
};
