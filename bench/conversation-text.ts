/** Generated conversation in English and Chinese whose words are as unevenly spread as those of real text. */
export interface TextSource {
  /** About 310 bytes, one in four Chinese. */
  message(): string;
  /** Consecutive words of an earlier English message, as somebody would type them. */
  question(words: number): string;
  /** Consecutive two-character words of an earlier Chinese message. */
  chineseWords(words: number): string;
  /** UTF-8 bytes of all messages so far. */
  bytes(): number;
}

const ENGLISH_WORDS = 40_000;
const CHINESE_WORDS = 20_000;
const KEPT = 5_000;

const FREQUENT =
  `the of and to a in is that it was for on are as with they be at this have from or one had by but not
what all were we when your can said there use an each which she do how their if will up other about out many then them
these so some her would make like him into time has look two more go see no way could people my than first been who its
now find down did get come made may part`.split(/\s+/);

const OPERATIONS =
  `service payment latency deploy rollback timeout database connection pool memory cluster pod node
error request alert metric trace queue cache gateway release version config replica shard backup restart checkout order
inventory certificate token disk network proxy kernel incident dashboard`.split(/\s+/);

const CHINESE_FREQUENT =
  `我们 可以 一个 没有 这个 什么 现在 问题 时候 已经 因为 所以 如果 需要 进行 系统 服务 支付 回滚 延迟 超时
连接 数据 错误 告警 部署 版本 重启 节点 集群`.split(/\s+/);

/** The same seed gives the same text. */
export function conversationText(seed: number): TextSource {
  const random = randomNumbers(seed);
  const english = [...FREQUENT, ...OPERATIONS];
  while (english.length < ENGLISH_WORDS) english.push(inventedWord(random));
  const chinese = [...CHINESE_FREQUENT];
  while (chinese.length < CHINESE_WORDS) chinese.push(character(random) + character(random));
  const pickEnglish = zipf(english, random);
  const pickChinese = zipf(chinese, random);
  const kept = { english: [] as string[][], chinese: [] as string[][] };
  let bytes = 0;

  const words = (pick: () => string, count: number) => Array.from({ length: count }, pick);
  const keep = (list: string[][], message: string[]) => {
    if (list.length < KEPT) list.push(message);
    else list[Math.floor(random() * KEPT)] = message;
  };
  const pieceOf = (list: readonly string[][], count: number): string[] => {
    const message = list[Math.floor(random() * list.length)] ?? [];
    const from = Math.floor(random() * (message.length - count));
    return message.slice(from, from + count);
  };

  return {
    message: () => {
      const isChinese = random() < 0.25;
      const count = Math.round((isChinese ? 48 : 52) * (0.4 + 1.2 * random()));
      const drawn = words(isChinese ? pickChinese : pickEnglish, count);
      keep(isChinese ? kept.chinese : kept.english, drawn);
      const text = isChinese ? sentences(drawn, '', ',', '。') : sentences(drawn, ' ', ', ', '. ');
      bytes += Buffer.byteLength(text);
      return text;
    },
    question: (count) => `${pieceOf(kept.english, count).join(' ')}?`,
    chineseWords: (count) => pieceOf(kept.chinese, count).join(''),
    bytes: () => bytes,
  };
}

function sentences(words: readonly string[], space: string, comma: string, stop: string): string {
  return words.map((word, at) => word + (at % 13 === 12 ? stop : at % 7 === 6 ? comma : space)).join('');
}

/** Draws words so that the n-th is about n times rarer than the first. */
function zipf(words: readonly string[], random: () => number): () => string {
  const sums: number[] = [];
  words.reduce((sum, _, at) => {
    const next = sum + 1 / (at + 2.7);
    sums.push(next);
    return next;
  }, 0);
  const total = sums.at(-1) ?? 1;
  return () => {
    const wanted = random() * total;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] as string;
  };
}

function inventedWord(random: () => number): string {
  const pick = (letters: string) => letters[Math.floor(random() * letters.length)] as string;
  const syllables = 2 + Math.floor(random() * 3);
  return (
    Array.from({ length: syllables }, () => pick('bcdfghklmnprstvw') + pick('aeiou')).join('') + pick('nrstl')
  );
}

/** One of the three thousand characters after the first. */
const character = (random: () => number): string =>
  String.fromCodePoint(0x4e00 + Math.floor(random() ** 2 * 3_000));

function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
