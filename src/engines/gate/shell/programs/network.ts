import { tell } from '#kit/text';
import { type Arg, literal } from '../arg.ts';
import { type Call, forEach, type ProgramTable } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import { type Grammar, known, type Rule } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads } from '../verbs.ts';
import { asks, OUTPUT_FROM_NETWORK } from './rules.ts';

/** Settings of a connection that neither run a program nor lead elsewhere. */
const SSH_SETTING =
  /^(?:StrictHostKeyChecking|ConnectTimeout|BatchMode|ServerAlive\w+|LogLevel|Port|User|IdentitiesOnly|Compression|PasswordAuthentication|PreferredAuthentications|ConnectionAttempts|RequestTTY|AddressFamily|TCPKeepAlive)\s*[=\s]|^UserKnownHostsFile\s*[=\s]\s*(?:\/dev\/null|\.?[\w./-]+)$/i;
const ssh = known(
  {
    flags: '-4 -6 -a -C -g -k -n -q -s -T -t -tt -v -vv -vvv -V -x -y -X -Y',
    text: '-b -c -e -l -m -o -p -B -Q',
    reads: '-i',
    asks: '-A -f -G -K -M -N',
    asksWith: '-D -E -F -I -J -L -O -R -S -W -w -P',
    stopsEarly: true,
  },
  (call, words) => {
    call.outward({ sends: call.stdin.secret });
    for (const option of words.values('-o'))
      if (!option.literal || !SSH_SETTING.test(option.text))
        call.ask(
          tell(`uses the option ${option.text.slice(0, 40)}`, `会使用选项 ${option.text.slice(0, 40)}`),
        );
    const [host, ...command] = words.operands;
    if (host && /^-|[;|&$`]/.test(host.text))
      call.ask(tell('names a host that hides an option', '主机名中藏有选项'));
    if (command.length === 0) {
      if (!words.has('-V', '-Q'))
        call.ask(tell('opens a shell on another machine', '会在另一台机器上打开 shell'));
      return OUTPUT_FROM_NETWORK;
    }
    const told = command.every((arg) => arg.literal);
    call.runsScript(
      { ...literal(command.map(({ text }) => text).join(' ')), literal: told },
      { elsewhere: true },
    );
    call.level(2);
    return { ...OUTPUT_FROM_NETWORK };
  },
);

const copiesAcross = known(
  {
    flags: '-3 -4 -6 -A -B -C -O -p -q -r -R -s -T -v -a',
    text: '-c -l -o -P -X -b',
    reads: '-i',
    asksWith: '-D -F -J -S -e -f --config --password-command',
  },
  (call, words) => {
    call.outward({ sends: true });
    for (const operand of words.operands) if (!/^[^/]*:/.test(operand.text)) call.reads(operand);
    call.level(3);
    call.ask(tell('copies files to or from another machine', '会与另一台机器互相复制文件'));
    return OPAQUE;
  },
);

/** Tools that open raw connections. */
const rawConnection = (call: Call): Feed => {
  const words = call.args.map(({ text }) => text);
  call.outward({ sends: true });
  for (const arg of call.args) {
    const file = /^(?:FILE|OPEN|GOPEN|CREATE):([^,]+)/i.exec(arg.text)?.[1];
    if (file !== undefined) call.reads({ ...arg, text: file });
  }
  const listens = words.some((word) => /^-[a-z]*l/.test(word) || word.startsWith('--listen'));
  const shell =
    words.some(
      (word) =>
        /^-[a-z]*[ec]$|^--(?:exec|sh-exec|lua-exec)/.test(word) || /(?:^|,)(?:exec|system):/i.test(word),
    ) || call.stdin.commands.some(([program]) => /^(?:ba|da|z|k|a)?sh$/.test(program ?? ''));
  const probes =
    call.args.every((arg) => arg.literal && /^(?:-[zvunw46]+|\d+(?:-\d+)?|\w[\w.-]*)$/.test(arg.text)) &&
    words.some((word) => /^-[zvunw46]*z/.test(word));
  if (shell) call.deny(tell('gives another machine a shell here', '会把本机的 shell 交给另一台机器'));
  else if (!probes || /^(?:socat|telnet|websocat)$/.test(call.name) || listens)
    call.ask(
      listens
        ? tell('waits for connections from other machines', '会等待其他机器连接')
        : tell('opens a raw connection to another machine', '会与另一台机器建立裸连接'),
    );
  return OUTPUT_FROM_NETWORK;
};

/** Questions about names and routes. What is asked leaves the machine. */
const asksNames: Rule = (call) => {
  call.outward({ sends: true });
  // A variable by itself is a name; one with something around it may carry anything.
  const carries = ({ literal: fixed, plain, feed, text }: Arg): boolean =>
    feed !== undefined || (!fixed && !plain && !/^\$\{?\w+\}?$/.test(text));
  if (call.args.some(carries))
    call.ask(
      tell(
        'puts what cannot be told beforehand into a question to other machines',
        '会把无法事先得知的内容放进对其他机器的查询',
      ),
    );
  return OUTPUT_FROM_NETWORK;
};
const DIG: Grammar = {
  flags: '-4 -6 -i -m -r -u -v -h -a -C -d -l -n -s -T -V -w',
  text: '-b -c -p -q -t -x -W -R -N -type -query -class -timeout -retry -port',
  reads: '-k',
  asksWith: '-f -y -F',
  operands: ['text'],
};
const PING: Grammar = {
  flags:
    '-4 -6 -a -A -b -B -D -h -L -n -O -q -r -R -U -v -V -T -e -z --report --report-wide --no-dns --tcp --udp --show-ips --json --csv --raw --split -j -C -x -d -F -U',
  text: '-c --count -i --interval -I -l -m -M -p -Q -s -S -t -T -w -W --report-cycles -f --first-ttl --max-ttl -q -N -g -P --port --psize',
  operands: ['text'],
};

const TLS: Grammar = {
  style: 'word',
  flags:
    '-text -noout -subject -issuer -dates -startdate -enddate -serial -fingerprint -pubkey -modulus -email -ocsp_uri -purpose -hash -subject_hash -issuer_hash -alias -x509_strict -verify -verify_return_error -showcerts -quiet -brief -status -crlf -ign_eof -no_ign_eof -tls1_2 -tls1_3 -no_tls1 -no_tls1_1 -prexit -msg -state -v -a -hex -base64 -sha1 -sha224 -sha256 -sha384 -sha512 -md5 -binary -r -c -s -tls1 -no_ticket -e -p -f -d -b -help -crl_check -partial_chain -trusted_first -new -batch -utf8 -multi -elapsed -verify_quiet -no-CAfile -no-CApath',
  text: '-connect -servername -starttls -ext -checkend -checkhost -checkip -checkemail -nameopt -certopt -inform -outform -alpn -nextprotoneg -ciphers -ciphersuites -verify_hostname -verify_depth -time -subj -days -newkey -pkeyopt -set_serial -bits -seconds -bytes -purpose -attime -host -port -name -groups -sigalgs -curves -strparse -offset -length -i',
  reads: '-in -CAfile -CApath -untrusted -CRLfile -trusted -cert_chain -oid',
  writes: '-out -sigfile',
  asks: '-nodes -noenc -genparams -reconnect -www -WWW',
  asksWith:
    '-engine -provider -provider-path -config -key -keyout -cert -passin -passout -pass -rand -writerand -propquery -extfile -CA -CAkey -CAserial -signkey -force_pubkey -k -kfile -K -iv -sess_out -sess_in -keylogfile -proxy -psk -cert_key -sign -signature -prverify -mac -macopt -hmac',
};
const openssl = byVerb(
  { style: 'word', flags: '-help' },
  {
    ...each(
      'x509,crl,verify,asn1parse,ocsp',
      reads({ ...TLS, operands: ['reads'] }, () => OPAQUE),
    ),
    req: reads(TLS, (call) => {
      if (call.args.some(({ text }) => /^-{1,2}(?:new|newkey|x509)$/.test(text)))
        call.ask(tell('makes a key or a certificate', '会生成密钥或证书'));
      return OPAQUE;
    }),
    ...each('version,ciphers,list,help,errstr,speed,prime', reads({ ...TLS, operands: ['text'] })),
    ...each('dgst,sha1,sha224,sha256,sha384,sha512,md5', reads({ ...TLS, operands: ['reads'] })),
    ...each(
      'enc,base64',
      reads({ ...TLS, flags: `${TLS.flags} -A` }, (call, words) => {
        for (const file of words.values('-in')) call.reads(file);
        return words.has('-d') ? { ...OPAQUE, decoded: true, network: call.stdin.network } : undefined;
      }),
    ),
    rand: reads(TLS),
    ...each(
      's_client,s_time',
      reads(TLS, (call) => {
        call.outward({ sends: true });
        // What it is given goes out, unless that is nothing.
        if (call.stdin.opaque || call.stdin.secret || (call.stdin.text ?? '').trim().length > 2)
          call.ask(tell('sends its input to another machine', '会把输入发往另一台机器'));
        return OUTPUT_FROM_NETWORK;
      }),
    ),
    ...each(
      'genrsa,genpkey,rsa,pkey,ec,dsa,pkcs8,pkcs12,s_server,ca,cms,smime,engine,gendsa,ecparam,dhparam,rehash,passwd,storeutl,ts,pkeyutl,rsautl,srp',
      needsAgreement(tell('handles keys, or opens connections', '会处理密钥或建立连接'), {
        ...TLS,
        operands: ['reads'],
      }),
    ),
  },
);

const sshKeygen = known(
  {
    flags: '-l -H -B -L -y -e -q -v -h',
    text: '-E -F -m -f',
    asks: '-A -c -i -k -K -Q -u -U',
    asksWith: '-D -M -w -R -r -s -I -n -O -P -N -C -t -b -V -W -Y -Z -a -z',
  },
  (call, words) => {
    const looks = words.has('-l', '-F', '-H', '-B', '-L', '-y', '-e');
    if (!looks || words.has('-H')) {
      call.level(3);
      call.ask(tell('makes or changes keys', '会生成或改动密钥'));
    }
    for (const file of words.values('-f'))
      if (words.has('-y', '-e') || !/\.pub$|known_hosts$|^-$/.test(file.text)) call.reads(file);
    return OPAQUE;
  },
);

const looksAtNetwork = (flags: string, text = ''): ReturnType<typeof known> =>
  known({ flags, text, operands: ['text'] });
/** The objects of `ip`, each with the verbs that look. */
const IP_OBJECTS =
  'addr,address,a,link,l,route,r,rule,neigh,neighbour,n,netns,maddress,tunnel,xfrm state,xfrm policy,-6 route';
const ip = byVerb(
  {
    flags:
      '-4 -6 -s -stats -statistics -d -details -o -oneline -br -brief -c -color -j -json -p -pretty -h -human -r -resolve -t -N',
    text: '-f -family',
    asksWith: '-b -batch -n -netns',
    asks: '-force -a -all',
  },
  each(
    IP_OBJECTS.split(',')
      .flatMap((name) => [name, ...['show', 'list', 'ls', 'get', 'sh'].map((verb) => `${name} ${verb}`)])
      .join(','),
    reads({ operands: ['text'] }, (call, words) => {
      if (
        words.operands.some(
          ({ text }) =>
            !/^(?:dev|up|type|scope|table|from|to|via|proto|root|match|exact|permanent|nud|reachable|stale|[\w.:/-]*\d[\w.:/-]*|lo|all|main|local|default|global|link|[a-z]+\d+|docker\d*|br-\w+|veth\w+)$/.test(
              text,
            ),
        ) ||
        words.operands.some(({ text }) =>
          /^(?:add|del|delete|set|flush|change|replace|append|exec|attach|down)$/.test(text),
        )
      )
        call.ask(tell('changes the network', '会改动网络'));
      return OPAQUE;
    }),
  ),
);

const PROBE = known(PING, asksNames);

export const network: ProgramTable = {
  ssh,
  ...forEach('scp sftp ftp lftp tftp rcp smbclient rclone', copiesAcross),
  ...forEach('nc ncat netcat socat telnet websocat', rawConnection),
  ...forEach('dig host nslookup whois drill', known(DIG, asksNames)),
  resolvectl: byVerb(
    { flags: '-4 -6 --no-pager --legend --cname', text: '-i|--interface -p|--protocol -t|--type -c|--class' },
    each('query,status,statistics,dns,domain,service', reads({ operands: ['text'] }, asksNames)),
  ),
  ...forEach('ping ping6 traceroute traceroute6 tracepath mtr', (call) => {
    if (call.name.startsWith('ping') && call.args.some(({ text }) => /^-[a-zA-Z]*f/.test(text)))
      call.ask(tell('floods another machine', '会向另一台机器发起洪泛'));
    return PROBE(call);
  }),
  openssl,
  'ssh-keygen': sshKeygen,
  'ssh-keyscan': known(
    { flags: '-4 -6 -c -D -H -v -q', text: '-O -p -T -t', reads: '-f', operands: ['text'] },
    (call) => {
      call.outward();
      return OUTPUT_FROM_NETWORK;
    },
  ),
  ss: looksAtNetwork(
    '-a|--all -t|--tcp -u|--udp -l|--listening -n|--numeric -p|--processes -e|--extended -m|--memory -i|--info -s|--summary -o|--options -r|--resolve -H|--no-header -O|--oneline -4|--ipv4 -6|--ipv6 -x|--unix -w|--raw -d|--dccp -S|--sctp -0|--packet -z|--contexts -Z|--context -b|--bpf --tipc --vsock -T|--threads --cgroup -E|--events -Q|--no-queues --help -V|--version',
    '-f|--family -A|--query|--socket',
  ),
  netstat: looksAtNetwork(
    '-a|--all -t|--tcp -u|--udp -l|--listening -n|--numeric -p|--program -e|--extend -r|--route -i|--interfaces -s|--statistics -c|--continuous -o|--timers -v|--verbose -w|--raw -x|--unix -4 -6 -g|--groups -W|--wide -F -C --inet --inet6',
  ),
  lsof: known({
    flags: '-n -P -b -C -h -l -N -o -O -R -t -U -v -V -X -a -i -w -S -T',
    text: '-p -u -c -g -d -s -L -F -r +r -f',
    glued: '-i -s -S -T -F +D +d +L -r',
    asksWith: '-A -D -k -m -e +m',
    operands: ['text'],
    style: 'gnu',
  }),
  ifconfig: looksAtNetwork('-a -s -v'),
  ...forEach(
    'arp route',
    known({ flags: '-a -n -e -v -F -C -ee -4 -6 --inet --inet6', text: '-i', operands: ['none'] }),
  ),
  iwconfig: known({ operands: ['none'] }),
  ip,
  ...forEach(
    'iptables ip6tables nft ufw firewall-cmd tc nmcli brctl wg wg-quick openvpn ipvsadm',
    asks(tell('changes the network', '会改动网络')),
  ),
  ...forEach(
    'tcpdump tshark wireshark nmap masscan',
    asks(tell('listens to or searches the network', '会监听或扫描网络')),
  ),
  ...forEach('aria2c axel youtube-dl yt-dlp', asks(tell('fetches files', '会取来文件'))),
  ...forEach('lynx w3m links elinks GET lwp-request lwp-download fetch', (call) => {
    call.outward({ sends: true });
    call.ask(tell('fetches a page with a program that can do more', '用一个能做更多事的程序取页面'));
    return OUTPUT_FROM_NETWORK;
  }),
  ...forEach('mail mailx sendmail mutt swaks msmtp', (call) => {
    call.outward({ sends: true });
    call.ask(tell('sends mail', '会发送邮件'));
    return OPAQUE;
  }),
};
