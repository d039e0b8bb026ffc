import { cutTerms } from './cut-terms.ts';

const ENGLISH = `a about above after again all also am an and any are aren't as at be because been before being below
between both but by can can't could couldn't did didn't do does doesn't doing don don't down during each else ever few
for from further get gets got had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers him his
how how's i i'd i'll i'm i've if in into is isn't it it's its itself just let let's ll me might more most mustn't my
no nor not now of off on once only or other ought our ours out over own please re same shan't she she's should
shouldn't so some such tell than that that's the their theirs them then there there's these they they'd they'll
they're they've this those through to too under until up us ve very was wasn't we we'd we'll we're we've were weren't
what what's when when's where where's which while who who's whom why why's will with won't would wouldn't yes you
you'd you'll you're you've your yours`;

/** Question words, particles and pronouns, as the pairs and single characters that the text is cut into. */
const CHINESE = `的 了 吗 呢 吧 啊 是 在 有 和 与 我 你 他 她 它 这 那 也 都 就 不 我们 你们 他们 她们 它们 这个 那个 这些 那些
这样 那样 什么 怎么 怎样 么样 如何 为什 为何 哪个 哪些 哪里 哪儿 谁的 几个 多少 是否 是不 不是 有没 没有 一下 一个 可以 请问 告诉
诉我 是什 么是 是谁 是哪 的是 了吗 了什 有什 有哪 叫什 么的 么时 么会 么要 呢的`;

/** Cut when they are first asked for: a start that searches nothing does not pay for them. */
let stopTerms: ReadonlySet<string> | undefined;

/** Whether a term says nothing about what is asked for. */
export function isStopTerm(term: string): boolean {
  stopTerms ??= new Set([...cutTerms(ENGLISH), ...CHINESE.split(/\s+/)]);
  return stopTerms.has(term);
}
