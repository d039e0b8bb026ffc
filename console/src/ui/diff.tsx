import { useMemo } from 'react';
import { useText } from '../domains/language/language.tsx';
import { markWords, type WordPart } from './mark-words.ts';
import { type DiffLine, parseDiff } from './parse-diff.ts';
import { uiText } from './text.ts';

const MARKS: Readonly<Record<DiffLine['kind'], string>> = {
  added: '+',
  removed: '−',
  same: '',
  hunk: '',
  head: '',
};

/**
 * A unified diff. Lines that are added or removed say so with a sign, not with a colour alone; in a line that was changed
 * the words that differ are underlined.
 */
export function Diff({ diff, label }: { readonly diff: string; readonly label: string }) {
  const text = useText(uiText);
  const lines = useMemo(() => parseDiff(diff), [diff]);
  const words = useMemo(() => markWords(lines), [lines]);
  if (!diff.trim()) return <p className="muted">{text.noDiff}</p>;
  return (
    <div className="diff" role="region" aria-label={label} tabIndex={0}>
      {lines.map((line, index) => (
        // Lines have nothing else to tell them apart: the place is the key.
        <div key={index} className={line.kind}>
          <span className="mark">{MARKS[line.kind]}</span>
          <span>{words.get(index)?.map(word) ?? line.text}</span>
        </div>
      ))}
    </div>
  );
}

const word = ({ text, changed }: WordPart, place: number) =>
  // oxlint-disable-next-line react/no-array-index-key
  changed ? <u key={place}>{text}</u> : text;
