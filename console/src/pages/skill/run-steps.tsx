import type { RunView } from '#spec/api';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { skillWords } from '../../domains/skills/text.ts';
import { STEP_TONE } from '../../domains/skills/tones.ts';
import { Badge, Dot } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { type PlacedStep, placeSteps } from './place-steps.ts';
import { skillText } from './text.ts';

/** The steps as a waterfall: what each did, when, for how long, and what came of it. */
export function RunSteps(props: { readonly run: RunView; readonly now: number; readonly again: ReactNode }) {
  const { one: text } = useText(skillText);
  const { run, now } = props;
  return (
    <div className="stack">
      <h3>{text.steps}</h3>
      <ol className="run-steps">
        {placeSteps(run.steps, run, now).map((placed) => (
          <li key={placed.step.id}>
            <Step placed={placed} />
          </li>
        ))}
      </ol>
      {props.again}
    </div>
  );
}

function Step({ placed: { step, left, width, ms } }: { readonly placed: PlacedStep }) {
  const { one: text } = useText(skillText);
  const words = useText(skillWords);
  const formats = useFormats();
  const tone = STEP_TONE[step.state];
  const { input, output, failure } = step;
  const head = (
    <span className="run-step">
      <span className="run-step-name">
        <Dot tone={tone} label={words.step[step.state]} />
        <span className="ellipsis" title={`${step.name} ${step.action}`}>
          {step.id}. {step.name} <span className="muted">{step.action}</span>
        </span>
        {step.attempts > 1 ? <Badge tone="warn">{text.attempts(step.attempts)}</Badge> : null}
      </span>
      <span className="run-track" aria-hidden="true">
        {left === undefined || width === undefined ? null : (
          <span
            className={classes('run-bar', tone)}
            style={{ left: `${Math.min(99.5, left * 100)}%`, width: `${Math.max(0.5, width * 100)}%` }}
          />
        )}
      </span>
      <span className="num">
        {ms === undefined ? <span className="muted">{words.step[step.state]}</span> : formats.duration(ms)}
      </span>
      {step.summary || step.place ? (
        <span className="run-summary muted ellipsis">
          {[step.summary, step.place].filter(Boolean).join(' · ')}
        </span>
      ) : null}
    </span>
  );
  if (!input && !output && !failure) return <div className="run-line">{head}</div>;
  return (
    <details open={failure !== undefined}>
      <summary>{head}</summary>
      <div className="run-detail">
        <Part title={text.input} value={input} />
        <Part title={text.error} value={failure && `${failure.kind}: ${failure.message}`} />
        <Part title={text.advice} value={failure?.advice} />
        <Part title={text.output} value={output} />
      </div>
    </details>
  );
}

function Part({ title, value }: { readonly title: string; readonly value: string | undefined }) {
  if (!value) return null;
  return (
    <div className="stack tight">
      <span className="muted">{title}</span>
      <pre className="code run-text" tabIndex={0} aria-label={title}>
        {pretty(value)}
      </pre>
    </div>
  );
}

/** What is JSON is easier to read in lines. */
function pretty(value: string): string {
  if (!/^[[{]/.test(value)) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
