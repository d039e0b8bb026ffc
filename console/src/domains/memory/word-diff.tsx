import { diffWords } from './diff-words.ts';
import './word-diff.css';

const TAGS = { same: 'span', removed: 'del', added: 'ins' } as const;

/** One text as it was and as it becomes. What changes is struck out or underlined, not coloured alone. */
export function WordDiff({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <p className="word-diff">
      {diffWords(before, after).map(({ kind, text }, index) => {
        const Tag = TAGS[kind];
        // Pieces have nothing else to tell them apart: the place is the key.
        return <Tag key={index}>{text}</Tag>;
      })}
    </p>
  );
}
