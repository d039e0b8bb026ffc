import type { Language } from '#kit/language';
import type { ReachView } from './view-reach.ts';

const WORDS = {
  en: {
    notSetUp: 'not set up',
    waiting: 'not asked yet',
    notProbed: 'not probed',
    reached: (at: string) => `reached at ${at}`,
    failing: (since: string) => `failing since ${since}`,
    because: ' because ',
    told: ': ',
  },
  zh: {
    notSetUp: '未配置',
    waiting: '尚未探测',
    notProbed: '未探测',
    reached: (at: string) => `${at} 已连通`,
    failing: (since: string) => `自 ${since} 起失败`,
    because: ',原因:',
    told: ':',
  },
} satisfies Record<Language, unknown>;

/** Whether something can be reached, as a person reads it: in words, with the time of this place. */
export function reachSentence({ state, at, since, because }: ReachView, language: Language): string {
  const words = WORDS[language];
  const why = because?.[language];
  const told = why ? words.told + why : '';
  switch (state) {
    case 'not_set_up':
      return words.notSetUp + told;
    case 'waiting':
      return words.waiting;
    case 'not_probed':
      return words.notProbed + told;
    case 'reached':
      return words.reached(clock(at)) + (why ? ` (${why})` : '');
    case 'failing':
      return words.failing(clock(since)) + (why ? words.because + why : '');
  }
}

/** The time of day, with the day where it is another one. */
function clock(iso: string | undefined): string {
  if (iso === undefined) return '?';
  const [day, time] = new Date(iso).toLocaleString('sv').split(' ');
  return day === new Date().toLocaleDateString('sv') ? (time ?? iso) : `${day} ${time}`;
}
