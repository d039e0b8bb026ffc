import { chineseServiceIn, plainServicesIn, servicesIn } from '#kit/service-names';
import type { Slots as MachineSlots } from './machine-readings.ts';

/** What a message names, found by its form. */
export interface Slots extends MachineSlots {
  /** An id of an incident. */
  readonly incident?: string;
}

const URL_FORM = /https?:\/\/[^\s"'`,，。]+/i;
const INCIDENT = /(?<![\w-])inc[-_][\w-]*\d[\w-]*/i;
const ADDRESS = /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\w.])/;
/** A name with a dot and letters at its end; a file of a known kind is none. */
const DOMAIN =
  /(?<![\w@/.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+(?!(?:ya?ml|json|md|log|txt|sh|py|ts|js|conf|env|db|service)(?![\w-]))[a-z]{2,}(?::\d{1,5})?(?![\w-])/i;
/** A name of the network without a dot, told by the port behind it. */
const HOST_PORT = /(?<![\w.@/:-])[a-z][a-z0-9-]*:\d{2,5}(?![\w.])/i;
const PATH = /(?<![\w:/.~])~?\/(?:[\w.@+-]+\/?)*[\w.@+-]*(?![\w/])/;
/** A file by its name alone. */
const FILE =
  /(?<![\w@:/.-])(?:[\w@+-]+\/)*[\w@+-][\w.@+-]*\.(?:log|txt|csv|tsv|json|ndjson|py|ts|js|go|conf|gz|out|err)(?!\w)/i;
const PORT =
  /(?:\bports?\b|端口)\D{0,8}(\d{1,5})(?!\d)|(?<!\d)(\d{1,5})\s*(?:号)?(?:端口|\bport\b)|(?<![\d.])([1-9]\d{3,4})(?![\d.:-])/i;
const PID = /(?:\bpid\b|\bprocess\b|进程)\D{0,4}(\d{2,7})|(?<!\d)(\d{2,7})\s*(?:号)?进程/i;
const COUNT =
  /(?:last|top|first|latest|前|最近|最后|最大的?|最高的?|最多的?)\s*(\d{1,4})(?![\d.]|\s*(?:[kmgt]i?b?\b|%))|(?<![\d.])(\d{1,4})\s*(?:lines?\b|行|条|(?:biggest|largest|heaviest|busiest|worst|most)\b)/i;
const NUMBER_WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const FIGURES = '零一二三四五六七八九十';
/** Numbers in words, where a count may stand. */
const SPELLED =
  /(?<=(?:last|top|first|latest)\s+|(?:前|最近|最后|最大的?|最高的?|最多的?)\s*)(?:one|two|three|four|five|six|seven|eight|nine|ten|[一二两三四五六七八九十])(?![a-z]|点)|\b(?:two|three|four|five|six|seven|eight|nine|ten)(?=\s+(?:biggest|largest|heaviest|busiest|lines))/gi;
const withFigures = (said: string): string =>
  said.replaceAll(SPELLED, (word) =>
    String(
      /[a-z]/i.test(word)
        ? NUMBER_WORDS.indexOf(word.toLowerCase()) + 1
        : FIGURES.indexOf(word === '两' ? '二' : word),
    ),
  );
const SIZE = /(?<![\w.])(\d{1,7}(?:\.\d+)?)\s*(?:个\s*)?([mgt])(?:i?b|bytes?)?(?![a-z0-9])/i;
const MEGABYTES: Readonly<Record<string, number>> = { m: 1, g: 1_024, t: 1_024 * 1_024 };
/** Places that people name without a path. */
const PLACES: readonly (readonly [RegExp, string])[] = [
  [
    /根(?:分区|目录|盘|文件系统)|系统盘|\broot (?:partition|file ?system|fs|volume|disk|dir(?:ectory)?)\b|(?<=\s)\/(?=\s|$)/i,
    '/',
  ],
  [/\bhome (?:partition|file ?system|volume)\b|home ?分区/i, '/home'],
];
/** A program that is called one. */
const PROGRAM =
  /(?<![\w.@/-])(?<name>[a-z][\w.+-]*?)(?:\.service)?\s*(?:的)?\s*(?:(?:worker|child|server)\s*)?(?:process(?:es)?\b(?!\s+id)|procs?\b|instances?\b|workers?\b|进程|实例)|(?<of>[a-z][\w.+-]*)\s*(?:有|开了|起了|跑了)(?:几|多少)个?\s*(?:worker|子)?\s*(?:进程|实例|processes)/gi;
const NO_PROGRAM = new Set(
  `a an the this that these those any all some every each many few several other others another which what whose my our
your of and or in on top worst biggest largest heaviest busiest running zombie defunct orphan stuck dead new old single one two three same system kernel user
background child parent main host hosts machine server mem memory cpu io disk hungry greedy heavy is are count number db database service pod container
worker workers child more most much per hung idle sleeping rogue suspicious unknown long`.split(/\s+/),
);
/** A machine that is called by a kind and a number. */
const MACHINE =
  /(?<![\w.@/:-])(?:(?:k8s|prod|staging|dev|test)-)?(?:(?:node|host|server|srv|vm|box|web|app|db|bastion|worker|master|runner|gw|ip|ecs|i)-(?:\w+-)*\w*\d\w*|(?:node|host|server|vm|web|app|db)\d+)(?![\w:.-])/i;
/** Whether something can be reached over the network is asked of its name. */
const REACHED =
  /\b(?:reach(?:able|es)?|ping|connect|telnet|nc|curl|ports?)\b|连(?:得|不)?[上通到]|通不通|能通|端口/i;
const SEVERITY = /(?<![\w.])(?:p|sev-?)[0-4](?![\w.])/gi;
const NUMBER = /(?<!(?:code|exit|status|signal|errno|码|信号)[\s:=#]*)(?<![\w.])\d+(?:[.:]\d+)*(?![\w.])/gi;
const FORMS: readonly (readonly [RegExp, string])[] = [
  [URL_FORM, 'xurl'],
  [INCIDENT, 'xincident'],
  [ADDRESS, 'xhost'],
  [DOMAIN, 'xhost'],
  [PATH, 'xpath'],
  [FILE, 'xpath'],
];

/** Commands of the chat, which are no paths. */
const SLASHED =
  /(?<![\w/.~:-])\/(?=(?:new|resume|fork|undo|retry|rollback|approve|deny|help|model|rules|memory|skills?|compress|title|export|import|sessions?|tools|status|usage|cost|clear|quit|exit|verbose|thinking|background|personality)(?![\w/-]))/gi;

/** A message with what it names replaced by what kind of thing that is: `is xservice slow?`. */
export function withoutNames(said: string, known: readonly string[] = []): string {
  let text = said.normalize('NFKC').replaceAll(SLASHED, ' ');
  for (const [form, name] of FORMS) text = text.replaceAll(new RegExp(form.source, 'gi'), ` ${name} `);
  for (const service of [...plainServicesIn(text), ...(known.length ? servicesIn(text, known) : [])])
    text = text.replaceAll(service, ' xservice ');
  const chinese = chineseServiceIn(text);
  if (chinese) text = text.replaceAll(chinese, ' xservice ');
  // A code says what is meant, also of three figures without a word before it; other numbers only count.
  return text
    .replaceAll(SEVERITY, ' xgrade ')
    .replaceAll(NUMBER, (digits) => (digits.length === 3 ? digits : ' xnumber '));
}

const number = (found: RegExpExecArray | null): number | undefined => {
  const digits = found?.slice(1).find((each) => each !== undefined);
  return digits === undefined ? undefined : Number(digits);
};

const programIn = (said: string): string | undefined =>
  [...said.matchAll(PROGRAM)]
    .map(({ groups }) => (groups?.['name'] ?? groups?.['of'])?.toLowerCase() ?? '')
    .find((name) => !NO_PROGRAM.has(name));

/** Whether processes of one program are spoken of. */
export const namesProgram = (said: string): boolean => programIn(said) !== undefined;

/** `weight` tells how rare a word is among phrasings: the rarest Latin word is the name of a program. */
export function slotsIn(said: string, weight: (word: string) => number): Slots {
  const url = URL_FORM.exec(said)?.[0];
  const named = url
    ? new URL(url).host
    : (DOMAIN.exec(said)?.[0] ??
      ADDRESS.exec(said)?.[0] ??
      HOST_PORT.exec(said)?.[0] ??
      (REACHED.test(said) ? MACHINE.exec(said)?.[0] : undefined));
  const [host, behind] = named?.split(':') ?? [];
  const plain = [URL_FORM, DOMAIN, ADDRESS, PATH].reduce(
    (text, form) => text.replaceAll(new RegExp(form.source, 'gi'), ' '),
    said,
  );
  const path =
    (PATH.exec(said.replace(URL_FORM, ' ')) ?? FILE.exec(said))?.[0] ??
    PLACES.find(([words]) => words.test(said))?.[1];
  const port = behind ? Number(behind) : number(PORT.exec(plain));
  const pid = number(PID.exec(plain));
  const count = number(COUNT.exec(withFigures(plain)));
  const [, size, scale = ''] = SIZE.exec(plain) ?? [];
  const megabytes = size && Math.round(Number(size) * (MEGABYTES[scale.toLowerCase()] ?? 1));
  const program = programIn(plain);
  const elsewhere =
    host === undefined && plainServicesIn(plain).length === 0 ? MACHINE.exec(plain)?.[0] : undefined;
  const incident = INCIDENT.exec(said)?.[0];
  const unit = unitIn(plain, weight);
  return {
    ...(url ? { url } : {}),
    ...(host ? { host } : {}),
    ...(path ? { path } : {}),
    ...(port !== undefined && port <= 65_535 ? { port } : {}),
    ...(pid === undefined ? {} : { pid }),
    ...(count === undefined ? {} : { count }),
    ...(megabytes ? { megabytes } : {}),
    ...(program ? { program } : {}),
    ...(elsewhere ? { elsewhere } : {}),
    ...(incident ? { incident } : {}),
    ...(unit ? { unit } : {}),
  };
}

const WORD = /(?<![\w.@/-])[a-z][a-z0-9_@.-]*[a-z0-9](?![\w-])/gi;

function unitIn(text: string, weight: (word: string) => number): string | undefined {
  const words = [...text.matchAll(WORD)].map(([word]) => word.toLowerCase());
  const [rarest] = words
    .map((word) => ({ word, weight: weight(word) }))
    .toSorted((one, other) => other.weight - one.weight);
  return rarest?.word;
}
