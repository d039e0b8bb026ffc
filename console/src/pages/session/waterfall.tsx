import { useFormats, useText } from '../../domains/language/language.tsx';
import type { Step, Turn } from '../../domains/sessions/arrange-turns.ts';
import { axisTicks } from '../../domains/sessions/axis-ticks.ts';
import { shownCost } from '../../domains/sessions/cost.ts';
import { shownMs } from '../../domains/sessions/shown-ms.ts';
import { classes } from '../../ui/classes.ts';
import { sessionText } from './text.ts';

const MOST_TICKS = 5;
/** Nearer to the end there is no room for a label. */
const LAST_LABEL = 0.94;

/** The steps of a turn on a time axis, each a row that can be chosen. */
export function Waterfall(props: {
  readonly turn: Turn;
  readonly label: string;
  readonly chosen: string | undefined;
  readonly onChoose: (step: string) => void;
}) {
  const { turn, chosen, onChoose } = props;
  const { turns: text } = useText(sessionText);
  const formats = useFormats();
  const span = Math.max(1, turn.end - turn.start);
  const ticks = axisTicks(span, MOST_TICKS).filter((tick) => tick <= span);
  return (
    <div className="waterfall-steps">
      <div className="step-axis" aria-hidden="true">
        <span className="step-ticks" title={text.axis}>
          {ticks
            .filter((tick) => tick / span < LAST_LABEL)
            .map((tick) => (
              <span key={tick} style={{ left: `${(tick / span) * 100}%` }}>
                {shownMs(tick, formats)}
              </span>
            ))}
        </span>
      </div>
      <ol aria-label={props.label}>
        {turn.steps.map((step) => (
          <li key={step.key}>
            <button
              type="button"
              id={`step-${turn.key}-${step.key}`}
              className="step"
              aria-pressed={chosen === step.key}
              onClick={() => onChoose(step.key)}
            >
              <StepName step={step} />
              <span className="step-track" aria-hidden="true">
                {ticks.map((tick) => (
                  <i key={tick} className="step-line" style={{ left: `${(tick / span) * 100}%` }} />
                ))}
                <Bars steps={[step]} from={turn.start} span={span} />
              </span>
              <StepNote step={step} />
              <span className="num">{step.instant ? '' : shownMs(step.end - step.start, formats)}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Bars of steps on a span of time. A model call has two parts: until the first piece came, and after it. */
export function Bars(props: {
  readonly steps: readonly Step[];
  readonly from: number;
  readonly span: number;
}) {
  const { steps, from, span } = props;
  const place = (start: number, end: number) => {
    const left = Math.min(99.6, Math.max(0, ((start - from) / span) * 100));
    return {
      left: `${left}%`,
      width: `${Math.max(0.4, Math.min(100 - left, ((end - start) / span) * 100))}%`,
    };
  };
  return steps.map((step) => {
    const { key, kind, start, end, firstMs, state, instant } = step;
    if (instant) {
      const tone = state === 'error' ? 'bad' : kind;
      return (
        <span key={key} className={`bar-point bar-${tone}`} style={{ left: place(start, start).left }} />
      );
    }
    const names = classes('bar', step.estimated && 'bar-estimated', state === 'open' && 'bar-open');
    if (kind !== 'model' || firstMs === undefined || state === 'error')
      return (
        <span
          key={key}
          className={classes(names, `bar-${state === 'error' ? 'bad' : kind === 'model' ? 'answer' : kind}`)}
          style={place(start, end)}
        />
      );
    return [
      <span key={`${key}w`} className={classes(names, 'bar-model')} style={place(start, start + firstMs)} />,
      <span key={key} className={classes(names, 'bar-answer')} style={place(start + firstMs, end)} />,
    ];
  });
}

function StepName({ step }: { readonly step: Step }) {
  const title = useStepTitle()(step);
  const { kind: kinds } = useText(sessionText);
  return (
    <span className="step-name ellipsis" title={title}>
      <span className="muted">{kinds[step.kind]}</span> {title}
    </span>
  );
}

/** What a step is called, in words. */
export function useStepTitle(): (step: Step) => string {
  const text = useText(sessionText);
  return (step) => {
    if (step.kind === 'plan') return text.planned(step.title);
    if (step.kind === 'compaction')
      return Object.entries(text.how).find(([how]) => how === step.title)?.[1] ?? step.title;
    return step.kind === 'model' && !step.title ? text.waiting : step.title;
  };
}

/** The one thing worth knowing of a step without choosing it. */
function StepNote({ step }: { readonly step: Step }) {
  const text = useText(sessionText);
  const formats = useFormats();
  const { state, spent, approval } = step;
  const bad = state === 'error' ? 'tone-bad' : state === 'cut' ? 'tone-warn' : 'muted';
  if (spent) {
    const { input, cacheRead, cacheWrite, output } = spent.usage;
    const read = input + cacheRead + cacheWrite;
    const parts = [
      text.turns.tokens(formats.number(read), formats.number(output)),
      ...(read ? [text.turns.cached(formats.percent(Math.round((cacheRead / read) * 100) / 100))] : []),
      ...(spent.cost === undefined ? [] : [shownCost(spent.cost)]),
    ];
    return <span className="step-note muted ellipsis">{parts.join(' · ')}</span>;
  }
  const word = approval ? text.approval[approval.state] : state === 'done' ? '' : text.state[state];
  const line = [word, step.summary].filter(Boolean).join(': ');
  return (
    <span className={classes('step-note ellipsis', bad)} title={line || undefined}>
      {line}
    </span>
  );
}
