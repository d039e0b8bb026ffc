import { tellLearning } from '#engines/learning';
import type { MemoryView } from '#engines/memory';
import type { SlashResult } from '#engines/session';
import type { Language } from '#kit/language';
import type { Dependencies } from '../dependencies.ts';

type Needs = Pick<Dependencies, 'skills'>;

const WORDS = {
  en: {
    experiences: (count: number) => (count === 1 ? '1 task remembered' : `${count} tasks remembered`),
    coming: (task: string, missing: number) => `- “${task}”: ${missing} more like it make a skill`,
    uses: (uses: number, rate: string) => `${uses} uses, ${rate} went well`,
    edits: 'Last edits:',
    nothing: 'Nothing changed.',
  },
  zh: {
    experiences: (count: number) => `已记录 ${count} 个任务`,
    coming: (task: string, missing: number) => `- “${task}”:再有 ${missing} 次相似任务就会成为技能`,
    uses: (uses: number, rate: string) => `使用 ${uses} 次,成功 ${rate}`,
    edits: '最近的修改:',
    nothing: '没有变化。',
  },
};
const SHOWN = 8;

/**
 * `/learn`: what was learned, or a look at how skills do, now. Tasks are in the words of whoever set them, and of
 * everybody in this home: only who sits at this machine reads them.
 */
export async function learnCommand(
  deps: Needs,
  { cwd, view }: { readonly cwd: string; readonly view: MemoryView },
  args: string,
  language: Language,
  signal: AbortSignal,
): Promise<SlashResult> {
  const { learning } = await deps.skills(cwd);
  const words = WORDS[language];
  if (args.trim() === 'reflect') {
    const events = await learning.reflect(signal);
    return { text: events.map((event) => `- ${tellLearning(event, language)}`).join('\n') || words.nothing };
  }
  const { experiences, kinds, skills, ledger } = await learning.status();
  const atHome = view.audience.source === 'cli' && !view.shared;
  const coming = atHome ? kinds.filter(({ missing }) => missing > 0).slice(0, SHOWN) : [];
  const lines = [
    words.experiences(experiences),
    ...coming.map(({ example, missing }) => words.coming(example.slice(0, 60), missing)),
    ...skills.map(
      ({ name, version, total, demoted }) =>
        `- \`${name}\` ${version} ${words.uses(total.uses, percent(total.successes, total.uses))}${demoted ? ' ✗' : ''}`,
    ),
    ...(ledger.length ? ['', words.edits] : []),
    ...ledger.slice(0, SHOWN).map(({ id, action, skill, why }) => `- \`${id}\` ${action} ${skill}: ${why}`),
  ];
  return { text: lines.join('\n') };
}

const percent = (part: number, whole: number): string =>
  whole ? `${Math.round((part / whole) * 100)} %` : '–';
