/** About how many tokens a text has, erring on the high side: CJK near one each, the rest near 3.5 characters. */
export function estimateTokens(text: string): number {
  const wide = text.match(/[⺀-鿿가-힯豈-﫿＀-￯]/g)?.length ?? 0;
  return Math.ceil(wide * 1.1 + (text.length - wide) / 3.5);
}
