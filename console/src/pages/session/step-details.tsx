import type { ShownMessage } from '#spec/api';
import type { ReactNode } from 'react';
import { useFormats, useText } from '../../domains/language/language.tsx';
import type { Step, Turn } from '../../domains/sessions/arrange-turns.ts';
import { shownMs } from '../../domains/sessions/shown-ms.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Json } from '../../ui/json.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { StepContent } from './step-content.tsx';
import { sessionText } from './text.ts';
import { useStepTitle } from './waterfall.tsx';

interface ChosenProps {
  readonly session: string;
  readonly turn: Turn;
  readonly step: Step;
  readonly messages: ReadonlyMap<string, ShownMessage>;
}

/** Everything that is known of the step that was chosen. */
export function StepDetails(
  props: Omit<ChosenProps, 'turn' | 'step'> & {
    readonly turn: Turn | undefined;
    readonly step: Step | undefined;
    readonly onClose: () => void;
  },
) {
  const { turn, step } = props;
  const text = useText(sessionText);
  const title = useStepTitle();
  return (
    <div className="step-details" data-chosen={step !== undefined}>
      <Section
        title={step ? `${text.kind[step.kind]}: ${title(step)}` : text.details.title}
        actions={
          step ? (
            <Button small look="plain" aria-label={text.details.close} onClick={props.onClose}>
              ✕
            </Button>
          ) : undefined
        }
      >
        {turn && step ? (
          <Chosen key={`${turn.key} ${step.key}`} {...props} turn={turn} step={step} />
        ) : (
          <Empty title={text.details.none}>{text.details.noneWhy}</Empty>
        )}
      </Section>
    </div>
  );
}

function Chosen({ session, turn, step, messages }: ChosenProps) {
  const text = useText(sessionText);
  const formats = useFormats();
  const { details } = text;
  const ms = step.end - step.start;
  const output = step.spent?.usage.output ?? 0;
  const answering = step.firstMs === undefined ? 0 : ms - step.firstMs;
  const lines: (readonly [string, ReactNode])[] = [
    [
      details.began,
      <span key="began">
        <Time at={step.start} /> <span className="muted">(+{shownMs(step.start - turn.start, formats)})</span>
      </span>,
    ],
  ];
  if (!step.instant)
    lines.push([
      details.took,
      <span key="took">
        {shownMs(ms, formats)} {step.estimated ? <span className="muted">{details.estimated}</span> : null}
      </span>,
    ]);
  if (step.firstMs !== undefined) lines.push([details.first, shownMs(step.firstMs, formats)]);
  if (answering > 0 && output > 0)
    lines.push([details.speed, `${formats.number((output / answering) * 1_000)} ${details.perSecond}`]);
  if (step.state !== 'done' || step.kind === 'tool')
    lines.push([
      details.state,
      <Badge key="state" tone={STATE_TONES[step.state]}>
        {step.approval ? text.approval[step.approval.state] : text.state[step.state]}
      </Badge>,
    ]);
  if (step.summary) lines.push([details.summary, step.summary]);
  return (
    <div className="stack-16">
      <Facts items={lines} />
      <StepContent session={session} step={step} messages={messages} />
      {step.facts.length ? (
        <div className="stack">
          <h3>{details.raw}</h3>
          {step.facts.map((fact) => (
            <Json key={fact.seq} value={fact} />
          ))}
        </div>
      ) : null}
    </div>
  );
}

const STATE_TONES = { done: 'ok', error: 'bad', open: 'info', cut: 'warn' } as const;
