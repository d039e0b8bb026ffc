import type { FoundSecret } from './find-secrets.ts';
import { isSecretValue } from './secret-value.ts';

/** How programs are handed a password as an argument: which programs, and what stands right before it. */
const HANDED: readonly (readonly [programs: string, before: string])[] = [
  ['mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump', String.raw`-p(?=[^\s=-])`],
  ['sshpass', String.raw`-p\s{0,4}`],
  ['redis-cli|keydb-cli|valkey-cli', String.raw`(?:-a|--pass)[\s=]{1,4}`],
  [
    'docker|podman|nerdctl|buildah|skopeo|helm|az|oc|crane|cf|ibmcloud',
    String.raw`login\b[^\n|;&]{0,120}?\s-p\s{1,4}`,
  ],
  [
    'curl|wget|http|https|xh',
    String.raw`(?:-[A-Za-z]{0,6}u|--(?:proxy-)?user|-a|--auth)[\s=]{0,4}["']?[^\s:"']{1,60}:`,
  ],
  ['mongo|mongosh|mongodump|mongorestore|cqlsh|clickhouse-client|influx|vertica', String.raw`-p\s{1,4}`],
  ['sqlcmd|bcp|isql|ipmitool|tsql', String.raw`-P\s{0,4}`],
  ['ldapsearch|ldapmodify|ldapadd|ldapwhoami', String.raw`-w\s{1,4}`],
  ['smbclient|rpcclient|net', String.raw`-U\s{0,4}["']?[^\s%"']{1,60}%`],
  [
    'openssl|keytool|gpg',
    String.raw`(?:-pass(?:in|out)?\s{1,4}(?:pass:)?|-k\s{1,4}|-(?:store|key)pass\s{1,4}|--passphrase[\s=]{1,4})`,
  ],
  ['snmpwalk|snmpget|snmpset|snmpbulkwalk', String.raw`-(?:c|A|X)\s{1,4}`],
  ['rabbitmqctl', String.raw`(?:add_user|change_password)\s{1,4}[^\s]{1,60}\s{1,4}`],
  ['htpasswd', String.raw`-[A-Za-z]{0,6}b[A-Za-z]{0,6}\s{1,4}[^\s]{1,120}\s{1,4}[^\s]{1,60}\s{1,4}`],
];
const PROGRAMS = new Map(
  HANDED.flatMap(([programs, before]) => {
    const pattern = new RegExp(String.raw`(?<=\s)${before}(\\{0,3}["'])?`, 'g');
    return programs.split('|').map((program) => [program, pattern] as const);
  }),
);
const PROGRAM = new RegExp(String.raw`\b(?:${[...PROGRAMS.keys()].join('|')})(?=\s)`, 'g');
/** A command ends here. */
const END = /[\n|;&]/g;
const LONGEST = 1_000;
const VALUE = /[^\s"'\\]{3,200}/y;
const QUOTED = /[^"'\\\n]{3,200}/y;

/** Lines whose last word, or last half, is a password: `.netrc`, what `chpasswd` is fed, `AUTH` of Redis. */
const LINES: readonly (readonly [word: string, line: RegExp])[] = [
  ['login', /\blogin\s{1,8}[^\s]{1,80}\s{1,8}password\s{1,8}([^\s"'\\]{3,100})/g],
  [
    'chpasswd',
    /(?<=[\s"'])[\w.-]{1,40}:([^\s"'\\|]{3,100})(?=["']?\s{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd)/g,
  ],
  [
    'AUTH',
    /(?:^|["'\n>]\s{0,2})AUTH[ \t]{1,4}(?:[\w-]{1,40}[ \t]{1,4})?(?=[^\s]{0,99}\d)([^\s"'\\]{6,100})(?=["']?\s{0,2}(?:$|\n|["']))/g,
  ],
];

function findInLines(text: string, found: FoundSecret[]): void {
  for (const [word, line] of LINES) {
    if (!text.includes(word)) continue;
    for (const match of text.matchAll(line)) {
      const value = match[1] ?? '';
      const end = match.index + match[0].length;
      if (isSecretValue({ strength: 'password', how: 'sign', quoted: true, value, prose: false }))
        found.push({ start: end - value.length, end, kind: 'password' });
    }
  }
}

/** Each command is looked through once for each program that is named in it. */
export function findHanded(text: string, found: FoundSecret[]): void {
  findInLines(text, found);
  if (!text.includes(' -') && !text.includes('rabbitmqctl')) return;
  const done = new Map<string, number>();
  for (const { 0: program, index } of text.matchAll(PROGRAM)) {
    if (index < (done.get(program) ?? 0)) continue;
    const from = index + program.length;
    END.lastIndex = from;
    const end = Math.min(END.exec(text)?.index ?? text.length, from + LONGEST);
    done.set(program, end);
    const pattern = PROGRAMS.get(program);
    const command = text.slice(from, end);
    for (const match of pattern ? command.matchAll(pattern) : []) {
      const start = from + match.index + match[0].length;
      const value = match[1] === undefined ? VALUE : QUOTED;
      value.lastIndex = start;
      const [word = ''] = value.exec(text) ?? [];
      const given = { strength: 'password', how: 'sign', quoted: true, value: word, prose: false } as const;
      if (!/^[A-Z_]+$/.test(word) && isSecretValue(given))
        found.push({ start, end: start + word.length, kind: 'password' });
    }
  }
}
