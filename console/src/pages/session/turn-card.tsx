import type { ShownMessage } from '#spec/api';
import { useFormats, useText } from '../../domains/language/language.tsx';
import type { Turn, TurnStatus } from '../../domains/sessions/arrange-turns.ts';
import { shownCost } from '../../domains/sessions/cost.ts';
import { shownMs } from '../../domains/sessions/shown-ms.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Tone } from '../../ui/classes.ts';
import { Time } from '../../ui/time.tsx';
import { LongText } from './long-text.tsx';
import { sessionText } from './text.ts';
import { Bars, Waterfall } from './waterfall.tsx';

const TONES: Readonly<Record<Exclude<TurnStatus, 'between'>, Tone>> = {
  done: 'ok',
  failed: 'bad',
  aborted: 'warn',
  running: 'info',
  unended: 'warn',
};

interface TurnCardProps {
  readonly turn: Turn;
  /** How long the longest of the turns took. */
  readonly longest: number;
  readonly said: ShownMessage | undefined;
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly chosen: string | undefined;
  readonly onChoose: (step: string) => void;
}

/** A turn: one line of what it took, beside the others; opened, its waterfall. */
export function TurnCard(props: TurnCardProps) {
  const { turn, open, onToggle } = props;
  const { turns: text } = useText(sessionText);
  const formats = useFormats();
  const ms = turn.end - turn.start;
  return (
    <li className="turn">
      <div className="turn-head">
        <h3>
          <button type="button" aria-expanded={open} onClick={onToggle}>
            <span className="turn-number">{turn.number ? text.turn(turn.number) : text.between}</span>
            <span className="ellipsis">{turn.text.split('\n', 1)[0]}</span>
          </button>
        </h3>
        <span className="row">
          {turn.undone ? <Badge>{text.undone}</Badge> : null}
          {turn.status === 'between' ? null : (
            <Badge tone={TONES[turn.status]}>{text.status[turn.status]}</Badge>
          )}
          {turn.status === 'between' ? null : <span className="turn-ms">{shownMs(ms, formats)}</span>}
        </span>
      </div>
      <div className="turn-strip" aria-hidden="true">
        <Bars steps={turn.steps} from={turn.start} span={props.longest} />
      </div>
      <TurnNumbers turn={turn} />
      {turn.error ? <p className="tone-bad wrap">{turn.error.message}</p> : null}
      {open ? <Opened {...props} /> : null}
    </li>
  );
}

function TurnNumbers({ turn }: { readonly turn: Turn }) {
  const { turns: text } = useText(sessionText);
  const formats = useFormats();
  const { input, cacheRead, cacheWrite, output } = turn.usage;
  const read = input + cacheRead + cacheWrite;
  const calls = turn.steps.filter(({ kind }) => kind === 'model').length;
  const tools = turn.steps.filter(({ kind }) => kind === 'tool').length;
  return (
    <p className="turn-numbers muted">
      <Time at={turn.start} />
      {turn.status === 'between' ? null : (
        <>
          <span>{text.calls(calls)}</span>
          <span>{text.tools(tools)}</span>
          <span>{text.tokens(formats.number(read), formats.number(output))}</span>
          {read ? (
            <span>{text.cached(formats.percent(Math.round((cacheRead / read) * 100) / 100))}</span>
          ) : null}
          {turn.cost === undefined ? null : <span>{shownCost(turn.cost)}</span>}
        </>
      )}
    </p>
  );
}

function Opened({ turn, said, chosen, onChoose }: TurnCardProps) {
  const { turns: text } = useText(sessionText);
  const formats = useFormats();
  return (
    <div className="stack">
      {turn.text.includes('\n') ? <p className="said wrap">{turn.text}</p> : null}
      {said?.parts.map((part, index) =>
        part.type === 'memory' ? (
          // Parts have no name but their place.
          <details key={index} className="fold">
            <summary>{text.memory(formats.number(part.tokens))}</summary>
            <p className="muted">{text.memoryWhy}</p>
            <LongText text={part.text} />
          </details>
        ) : null,
      )}
      <Waterfall turn={turn} label={text.steps} chosen={chosen} onChoose={onChoose} />
    </div>
  );
}
