import { tell } from '#kit/text';
import type { Language } from '#kit/language';
import type { NotebookPlace } from './notebook-kinds.ts';
import { preview, usageOf } from './notebook-text.ts';

/** What came of an edit. Only `added`, `replaced`, `removed` and `restored` changed the file. */
export type NotebookOutcome =
  | { readonly kind: 'added' | 'replaced' | 'removed' | 'already_there' | 'empty' | 'not_found' }
  | { readonly kind: 'restored' | 'no_version' }
  | { readonly kind: 'several'; readonly previews: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'too_long'; readonly chars: number };

export interface NotebookReply {
  readonly outcome: NotebookOutcome;
  readonly notebook: NotebookPlace;
  readonly used: number;
  readonly entries: readonly string[];
  /** Entries that left the notebook for the long-term store, oldest first. */
  readonly archived: readonly string[];
}

/** Whether what was asked for is so now: also when it was so before. */
export const succeeded = ({ outcome }: NotebookReply): boolean =>
  ['added', 'replaced', 'removed', 'restored', 'already_there'].includes(outcome.kind);

/** One line about what happened; a second one when entries were archived. */
export function replyText(reply: NotebookReply, language: Language): string {
  const lines = [tell(english(reply), chinese(reply))[language]];
  const count = reply.archived.length;
  if (count) {
    const which = reply.archived.map((entry) => `"${preview(entry, 60)}"`).join(', ');
    lines.push(
      tell(
        `The notebook was full: the oldest ${count === 1 ? 'entry' : `${count} entries`} moved to the long-term memory and can still be searched: ${which}`,
        `笔记已满:最早的 ${count} 条已移入长期记忆,仍可搜索:${which}`,
      )[language],
    );
  }
  return lines.join('\n');
}

function english({ outcome, notebook: { file, limit }, used }: NotebookReply): string {
  const full = usageOf(used, limit);
  switch (outcome.kind) {
    case 'added':
      return `Added to ${file} (${full}).`;
    case 'replaced':
      return `Replaced the entry in ${file} (${full}).`;
    case 'removed':
      return `Removed the entry from ${file} (${full}).`;
    case 'restored':
      return `${file} is as it was (${full}).`;
    case 'no_version':
      return `There is no such version of ${file}; nothing changed.`;
    case 'already_there':
      return `${file} has this entry already; nothing changed.`;
    case 'empty':
      return 'There is no text to keep; nothing changed.';
    case 'not_found':
      return `No entry of ${file} contains that text; nothing changed.`;
    case 'several':
      return `Several entries of ${file} contain that text; give more of the one that is meant:\n${list(outcome.previews)}`;
    case 'refused':
      return `Not kept: ${outcome.why}.`;
    case 'too_long':
      return `Not kept: the entry has ${outcome.chars} characters, ${file} holds ${limit}. Say it shorter.`;
  }
}

function chinese({ outcome, notebook: { file, limit }, used }: NotebookReply): string {
  const full = usageOf(used, limit);
  switch (outcome.kind) {
    case 'added':
      return `已写入 ${file}(${full})。`;
    case 'replaced':
      return `已替换 ${file} 中的条目(${full})。`;
    case 'removed':
      return `已从 ${file} 删除该条目(${full})。`;
    case 'restored':
      return `${file} 已恢复原状(${full})。`;
    case 'no_version':
      return `${file} 没有这个历史版本,未作改动。`;
    case 'already_there':
      return `${file} 中已有这一条,未作改动。`;
    case 'empty':
      return '没有可写入的内容,未作改动。';
    case 'not_found':
      return `${file} 中没有包含该文字的条目,未作改动。`;
    case 'several':
      return `${file} 中有多条包含该文字,请给出更完整的原文:\n${list(outcome.previews)}`;
    case 'refused':
      return `未保存:${outcome.why}。`;
    case 'too_long':
      return `未保存:该条目有 ${outcome.chars} 个字符,${file} 最多 ${limit} 个。请写短一些。`;
  }
}

const list = (previews: readonly string[]): string => previews.map((line) => `- ${line}`).join('\n');
