import type { FoundEntry, ScoreShare } from '#spec/api';
import { useText } from '../../domains/language/language.tsx';
import { SCORE_SHARES } from '../../domains/memory/memory-api.ts';
import { Meter } from '../../ui/meter.tsx';
import { memoryText } from './text.ts';

const COLORS: Readonly<Record<ScoreShare, string>> = {
  terms: 'series-1',
  vectors: 'series-3',
  hrr: 'series-6',
  length: 'series-5',
  group: 'series-4',
  recency: 'series-2',
  use: 'series-6',
  newest: 'series-2',
  asking: 'bad',
  doubt: 'bad',
};

type Shares = NonNullable<FoundEntry['shares']>;
/** Less is not seen with two digits. */
const LEAST = 0.005;

/** The parts of a score that are worth a word, in their order. */
const partsOf = (shares: Shares): readonly (readonly [ScoreShare, number])[] =>
  SCORE_SHARES.flatMap((share) => {
    const points = shares[share] ?? 0;
    return Math.abs(points) < LEAST ? [] : [[share, points] as const];
  });

/** What made the score of a hit, side by side; `most` is the width. What was taken off is not drawn: it is missing. */
export function ScoreBar({
  shares,
  score,
  most,
}: {
  readonly shares: Shares;
  readonly score: number;
  readonly most: number;
}) {
  const text = useText(memoryText);
  const parts = partsOf(shares);
  const gained = parts.reduce((sum, [, points]) => sum + Math.max(0, points), 0);
  // Drawn as long as the score is: what was taken off shortens all of it.
  const scale = gained > 0 && most > 0 ? score / gained / most : 0;
  const told = parts.map(([share, points]) => `${text.shares[share]} ${points.toFixed(2)}`).join(', ');
  return (
    <span className="score-bar" role="img" aria-label={told} title={told}>
      {parts
        .filter(([, points]) => points > 0)
        .map(([share, points]) => (
          <i
            key={share}
            style={{ width: `${points * scale * 100}%`, background: `var(--${COLORS[share]})` }}
          />
        ))}
    </span>
  );
}

/** The same as a list: each part with its points and what it means. */
export function ScoreParts({ shares, score }: { readonly shares: Shares; readonly score: number }) {
  const text = useText(memoryText);
  const parts = partsOf(shares);
  const most = Math.max(...parts.map(([, points]) => Math.abs(points)), LEAST);
  return (
    <ul className="score-parts">
      {parts.map(([share, points]) => (
        <li key={share} title={text.sharesWhy[share]}>
          <span>{text.shares[share]}</span>
          <Meter value={Math.abs(points)} most={most} color={`var(--${COLORS[share]})`} />
          <span className="num">{`${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(2)}`}</span>
          <span className="muted wrap">{text.sharesWhy[share]}</span>
        </li>
      ))}
      <li>
        <strong>{text.search.score}</strong>
        <span />
        <strong className="num">{score.toFixed(2)}</strong>
        <span />
      </li>
    </ul>
  );
}
