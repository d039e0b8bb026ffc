import { useText } from '../domains/language/language.tsx';
import { type DiffLine, parseDiff } from './parse-diff.ts';
import { uiText } from './text.ts';

const MARKS: Readonly<Record<DiffLine['kind'], string>> = {
  added: '+',
  removed: '−',
  same: '',
  hunk: '',
  head: '',
};

/** A unified diff. Lines that are added or removed say so with a sign, not with a colour alone. */
export function Diff({ diff, label }: { readonly diff: string; readonly label: string }) {
  const text = useText(uiText);
  if (!diff.trim()) return <p className="muted">{text.noDiff}</p>;
  return (
    <div className="diff" role="region" aria-label={label} tabIndex={0}>
      {parseDiff(diff).map((line, index) => (
        // Lines have nothing else to tell them apart: the place is the key.
        <div key={index} className={line.kind}>
          <span className="mark">{MARKS[line.kind]}</span>
          <span>{line.text}</span>
        </div>
      ))}
    </div>
  );
}
