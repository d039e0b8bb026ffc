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
const COUNT = /(?:last|top|first|前|最近|最后)\s*(\d{1,4})(?!\d)|(?<!\d)(\d{1,4})\s*(?:lines?|行|条)/i;
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

/** `weight` tells how rare a word is among phrasings: the rarest Latin word is the name of a program. */
export function slotsIn(said: string, weight: (word: string) => number): Slots {
  const url = URL_FORM.exec(said)?.[0];
  const named = url
    ? new URL(url).host
    : (DOMAIN.exec(said)?.[0] ?? ADDRESS.exec(said)?.[0] ?? HOST_PORT.exec(said)?.[0]);
  const [host, behind] = named?.split(':') ?? [];
  const plain = [URL_FORM, DOMAIN, ADDRESS, PATH].reduce(
    (text, form) => text.replaceAll(new RegExp(form.source, 'gi'), ' '),
    said,
  );
  const path = (PATH.exec(said.replace(URL_FORM, ' ')) ?? FILE.exec(said))?.[0];
  const port = behind ? Number(behind) : number(PORT.exec(plain));
  const pid = number(PID.exec(plain));
  const count = number(COUNT.exec(plain));
  const incident = INCIDENT.exec(said)?.[0];
  const unit = unitIn(plain, weight);
  return {
    ...(url ? { url } : {}),
    ...(host ? { host } : {}),
    ...(path ? { path } : {}),
    ...(port !== undefined && port <= 65_535 ? { port } : {}),
    ...(pid === undefined ? {} : { pid }),
    ...(count === undefined ? {} : { count }),
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
