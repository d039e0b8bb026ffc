import type { Language } from '#kit/language';

/** What `terminal` says of the end of a command, behind what the command printed; hints for a model may follow it. */
const END =
  /^\[(?<end>[^;\n]*); (?<seconds>[\d.]+) s; now in (?<folder>[^\n]*?)(?:; ran (?<place>[^;\n]*))?\](?<hints>(?:\n\[[^\n]*\])*)$/m;

const ENDS_ZH: readonly (readonly [RegExp, string])[] = [
  [/^exit code (\d+)$/, '退出码 $1'],
  [/^ended by (.+)$/, '被信号 $1 终止'],
  [/^stopped after (\d+) s: .*$/, '超过 $1 秒,已停止'],
  [/^stopped: it printed .*$/, '输出过多,已停止'],
  [/^stopped: it took more memory .*$/, '内存超限,已停止'],
  [/^killed$/, '已被终止'],
  [/^lost: .*$/, '执行环境已丢失'],
];

const PLACES_ZH: readonly (readonly [RegExp, string])[] = [
  [/^on this machine.*$/, '在本机'],
  [/^in the sandbox on (\S+) host (.+)$/, '在 $1 主机 $2 的沙箱里'],
  [/^in the (\S+) sandbox(.*)$/, '在 $1 沙箱里$2'],
  [/^in the (\S+) container(.*)$/, '在 $1 容器里$2'],
  [/^on (\S+) host (.+)$/, '在 $1 主机 $2 上'],
];

const inChinese = (said: string, forms: typeof ENDS_ZH): string => {
  const form = forms.find(([words]) => words.test(said));
  return form ? said.replace(...form) : said;
};

/** Whether a command ran in a sandbox of this machine. */
export const ranInSandbox = (text: string): boolean => /ran in the \w+ sandbox/.test(text);

/** What a command gave, with its end in the language of whoever asked. What the command printed stays as it is. */
export function endInLanguage(text: string, language: Language): string {
  if (language === 'en') return text;
  const { end = '', seconds = '', folder = '', place } = END.exec(text)?.groups ?? {};
  if (!end) return text;
  const where = place ? `;${inChinese(place, PLACES_ZH)}执行` : '';
  return text
    .replace(END, () => `[${inChinese(end, ENDS_ZH)};${seconds} 秒;当前目录 ${folder}${where}]`)
    .replace(/^\[no output\](?=\n)/, '[没有输出]');
}

const OWNERS: Readonly<Record<Language, string>> = {
  en: 'Owners are mapped in the sandbox: whoever is not the user of Hermes, also root, is shown there as nobody and nogroup.',
  zh: '沙箱里的属主是映射过的:除运行 Hermes 的用户外,其他用户(包括 root)都显示为 nobody、nogroup。',
};

/** That owners are shown otherwise in a sandbox, where somebody sees them. */
export const ownersText = (text: string, language: Language): string =>
  ranInSandbox(text) && /\bnobody\b[^\n]*\bnogroup\b|\b65534\s+65534\b/.test(text) ? OWNERS[language] : '';
