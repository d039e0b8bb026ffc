import type { OperatorPlan } from '#spec/ports';
import type { Language } from '#kit/language';
import { operatorWords } from './operator-words.ts';

const POLITE = /^(?:(?:please|pls|hermes|hey|ok|can you|could you|请你?|麻烦你?|帮(?:我|忙))[\s,,]*)*/i;
/** What is to be gone, after the verb and what kind of thing it is. */
const WISHES: readonly RegExp[] = [
  /^(?:forget|unlearn)\b\s*(?:everything|all|anything|whatever|what|that|the (?:thing|note|fact)s?)?\s*(?:(?:that )?(?:i|we) (?:ever )?(?:told|said|mentioned|wrote)(?: to)?(?: you)?|you know|you remember(?:ed)?|(?:is|was) remembered)?\s*(?:about|of|on|that)?\s+(?<what>\S.*)$/is,
  /^(?:delete|remove|erase|clear|drop|wipe)\b\s+(?:(?:the|all|any|your|my|our|every)\s+)*(?:memor(?:y|ies)|notes?|entr(?:y|ies)|facts?|everything you (?:know|remember)|what (?:you (?:know|remember)|(?:i|we) (?:told|said)(?: to)?(?: you)?))\s*(?:about|of|on|for|that|with)?\s+(?<what>\S.*)$/is,
  /^(?:忘了|忘掉|忘记|别再?记着?|不要再?记着?)(?:我|我们)?(?:之前|以前|刚才|上次)?(?:跟你|对你|和你)?(?:说过?的|告诉过?你的|讲过?的)?(?:所有|全部)?(?:关于|有关)?(?<what>.+?)(?:的?(?:事情?|记忆|内容|一切|信息|笔记))?$/s,
  /^(?:把|将)?(?:删除|删掉?|清除|清掉|清空|移除|抹掉|去掉)(?:所有|全部)?(?:你)?(?:关于|有关|对)?(?<what>.+?)的?(?:所有|全部|相关)?(?:记忆|笔记|记录的内容)(?:吧|掉)?$/s,
  /^(?:把|将)(?:所有|全部)?(?:关于|有关)?(?<what>.+?)的?(?:记忆|笔记)(?:都|全部|统统)?(?:删|清|忘|移除|抹)(?:掉|除|了|空)?/s,
];
const EDGES = /^[\s"“”'`::,,]+|[\s"“”'`。.!!,,]+$/g;
const MOST_SHOWN = 10;

/** What somebody wants forgotten; undefined where nobody wants that. */
export function forgetWish(said: string): string | undefined {
  const text = said
    .trim()
    .replace(POLITE, '')
    .replace(/[??]\s*$/, '');
  for (const wish of WISHES) {
    const what = wish.exec(text)?.groups?.['what']?.replaceAll(EDGES, '');
    if (what && what.length <= 200) return what;
  }
  return undefined;
}

/** Shows what would go and how: what people told is never removed on a guess of what they meant. */
export function forgetPlan(what: string, language: Language): OperatorPlan {
  const words = operatorWords(language);
  return {
    calls: [{ name: 'memory_search', input: { query: what, limit: MOST_SHOWN } }],
    show: ([found]) => {
      if (!found || found.failed) return found?.text ?? '';
      return /^- /m.test(found.text)
        ? [words.wouldForget(what), found.text, '', words.forgetWith].join('\n')
        : [words.nothingToForget(what), words.searchWith, words.forgetWith].join('\n');
    },
  };
}
