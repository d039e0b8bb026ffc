import type { Language } from '#kit/language';

/** What a message names, found by form. */
export interface Slots {
  /** `nginx`, `sshd`, `postgresql`. */
  readonly unit?: string;
  readonly port?: number;
  readonly pid?: number;
  readonly path?: string;
  /** `example.com`, from a url too. */
  readonly host?: string;
  readonly url?: string;
  readonly count?: number;
  /** A size that is named, in MiB. */
  readonly megabytes?: number;
  /** A program that is named as one: `java processes`, `nginx 进程`. */
  readonly program?: string;
  /** Another machine that is named: what is read here says nothing of it. */
  readonly elsewhere?: string;
}

interface Call {
  readonly name: string;
  readonly input: object;
}

/** Something that can be asked about this machine. */
export interface MachineTopic {
  /** Which slots must be there; without one the operator asks back with `example`. */
  readonly needs?: readonly (keyof Slots)[];
  readonly title: Readonly<Record<Language, string>>;
  /** A full sentence that works. */
  readonly example: Readonly<Record<Language, string>>;
  /** Tools to call, in order. */
  calls(slots: Slots): readonly Call[];
  /** First a plain sentence with the figures, then the lines; what failed is said as not measured. */
  show(
    results: readonly { readonly text: string; readonly failed: boolean }[],
    slots: Slots,
    language: Language,
  ): string;
  /** A runbook that fits, if any. */
  readonly runbook?: string;
}

/** What one call gave. */
export interface Taken {
  readonly failed: boolean;
  /** Without blank lines and without remarks of the tool; none where it failed. */
  readonly lines: readonly string[];
  readonly text: string;
}

export type Say = (en: string, zh: string) => string;

/** What a topic has to say about its readings. */
interface Told {
  readonly sentence: string;
  readonly lines?: readonly string[];
  readonly notes?: readonly (string | false | undefined)[];
}

interface Draft extends Pick<MachineTopic, 'needs' | 'runbook'> {
  readonly title: readonly [en: string, zh: string];
  readonly example: readonly [en: string, zh: string];
  /** A spare one is a second way to the same figures: where it fails alone, nothing is missing. */
  readonly calls: (slots: Slots) => readonly (Call & { readonly spare?: true })[];
  /** Nothing where the readings do not hold what was asked for: then it was not measured. */
  readonly tell: (taken: readonly Taken[], say: Say, slots: Slots) => Told | undefined;
}

const MOST_LINES = 15;
const MOST_WIDTH = 160;
const NOTHING: Taken = { failed: true, lines: [], text: '' };
const PLACE = /^\[taken (.+)\]$/m;

export function defineTopic({ title, example, calls, tell, needs, runbook }: Draft): MachineTopic {
  return {
    ...(needs ? { needs } : {}),
    ...(runbook === undefined ? {} : { runbook }),
    title: { en: title[0], zh: title[1] },
    example: { en: example[0], zh: example[1] },
    calls: (slots) => calls(slots).map(({ name, input }) => ({ name, input })),
    show(results, slots, language) {
      const say: Say = (en, zh) => ({ en, zh })[language];
      const asked = calls(slots);
      const taken = asked.map((_, at) => takenOf(results[at]));
      const told = tell(taken, say, slots);
      const missing = asked.flatMap((call, at) =>
        taken[at]?.failed && !(told && call.spare) ? [whyNot(call, results[at]?.text ?? '', say)] : [],
      );
      const name = say(title[0], title[1]);
      const silent = say('the readings hold nothing that can be read', '读数里没有可用的内容');
      const why = missing.join(say('; ', '；')) || silent;
      const head = told?.sentence ?? say(`${name}: not measured (${why}).`, `${name}：未能测量（${why}）。`);
      const notes = (told?.notes ?? []).filter((note) => note !== false && note !== undefined);
      const failures = told && missing.length > 0 ? [say(`Not measured: ${why}.`, `未能测量：${why}。`)] : [];
      const place = results.map(({ text }) => PLACE.exec(text)?.[1]).find(Boolean);
      const where = place === undefined ? [] : [say(`Taken ${place}.`, `取自${placeWords(place)}。`)];
      return [head, ...fenced(told?.lines ?? [], say), [...notes, ...failures, ...where].join('\n')]
        .filter(Boolean)
        .join('\n\n');
    },
  };
}

/** A call of `machine_report`. */
export const report = (read: string, more: object = {}) => ({
  name: 'machine_report',
  input: { read, ...more },
});
export const spare = (call: Call) => ({ ...call, spare: true as const });

function takenOf(result: { readonly text: string; readonly failed: boolean } | undefined): Taken {
  if (!result || result.failed) return { ...NOTHING, text: result?.text ?? '' };
  const text = result.text.replace(new RegExp(PLACE, 'gm'), '').replace(/^Nothing \(\w+\)\.$/m, '');
  return { failed: false, text, lines: text.split('\n').filter((line) => line.trim() !== '') };
}

function fenced(lines: readonly string[], say: Say): string[] {
  if (lines.length === 0) return [];
  const shown = lines
    .slice(0, MOST_LINES)
    .map((line) =>
      (line.length > MOST_WIDTH ? `${line.slice(0, MOST_WIDTH)}…` : line).replaceAll('```', "'''"),
    );
  const more = lines.length - shown.length;
  const rest = more > 0 ? [say(`… and ${more} more`, `… 另有 ${more} 行`)] : [];
  return [['```', ...shown, ...rest, '```'].join('\n')];
}

const placeWords = (place: string): string =>
  place
    .replace(/^on this machine, which is itself a container \((.+)\)$/, '本机（自身是容器：$1）')
    .replace(/^on this machine$/, '本机')
    .replace(/^on ssh host (.+)$/, ' ssh 主机 $1')
    .replace(/^in the (.+)$/, ' $1');

/** Why a reading failed, in few words. */
function whyNot({ name, input }: Call, text: string, say: Say): string {
  const what = 'read' in input ? String(input.read) : name;
  const program = /^(\S+): not installed/m.exec(text)?.[1];
  if (program) return say(`${program} is not installed here`, `这里没有安装 ${program}`);
  if (/not been booted with systemd|Failed to connect to bus/i.test(text))
    return say(`${what}: systemd does not run here`, `${what}：这里没有运行 systemd`);
  if (/No journal files were/i.test(text))
    return say('there is no journal here that may be read', '这里没有可读的 systemd 日志');
  if (/permission denied|not permitted|must be root|need to be root|are you root/i.test(text))
    return say(
      `${what} needs root, which Hermes is not here`,
      `${what} 需要 root 权限，而这里的 Hermes 没有`,
    );
  const said = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\[|failed.*\.$|could not be measured/.test(line));
  return `${what}: ${(said[0] ?? text.split('\n')[0] ?? '').trim().slice(0, 160) || say('no answer', '没有结果')}`;
}
