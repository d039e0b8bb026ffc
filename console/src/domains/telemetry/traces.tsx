import { useMemo, useState } from 'react';
import type { SpanRecord } from '#spec/data';
import { useFormats, useText } from '../language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { type ArrangedTrace, arrangeTraces, type PlacedSpan } from './arrange-trace.ts';
import { telemetryText } from './text.ts';
import './telemetry.css';

const MOST_SPANS = 60;

/** Traces as waterfalls: who waited for whom, and what failed. */
export function Traces({ spans, most }: { readonly spans: readonly SpanRecord[]; readonly most: number }) {
  const text = useText(telemetryText);
  const traces = useMemo(() => arrangeTraces(spans), [spans]);
  const [shown, setShown] = useState(most);
  return (
    <div className="stack">
      {traces.slice(0, shown).map((trace, index) => (
        <Trace key={trace.id} trace={trace} open={index === 0} />
      ))}
      {traces.length > shown ? (
        <div>
          <Button small look="plain" onClick={() => setShown(shown + 50)}>
            {text.more(traces.length - shown)}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function Trace({ trace, open }: { readonly trace: ArrangedTrace; readonly open: boolean }) {
  const text = useText(telemetryText);
  const formats = useFormats();
  const [first] = trace.spans;
  return (
    <details className="trace" open={open}>
      <summary>
        <span className="row">
          <strong className="wrap">
            {first?.span.service} {first?.span.operation}
          </strong>
          {trace.failed ? <Badge tone="bad">{text.failed}</Badge> : null}
          <span>{formats.quantity(trace.durationMs, 'ms')}</span>
          <span className="muted">
            {text.spans(trace.spans.length)} · <Time at={trace.start * 1000} />
          </span>
        </span>
      </summary>
      <div className="waterfall">
        {trace.spans.slice(0, MOST_SPANS).map((placed) => (
          <SpanRow key={placed.span.spanId} placed={placed} trace={trace} />
        ))}
        <code className="muted wrap">
          {text.trace} {trace.id}
        </code>
      </div>
    </details>
  );
}

function SpanRow({
  placed: { span, depth },
  trace,
}: {
  readonly placed: PlacedSpan;
  readonly trace: ArrangedTrace;
}) {
  const text = useText(telemetryText);
  const formats = useFormats();
  const whole = Math.max(trace.durationMs, 0.001);
  const left = (((span.start - trace.start) * 1000) / whole) * 100;
  const width = Math.max(0.5, (span.durationMs / whole) * 100);
  return (
    <div className="span-row">
      <span
        className="ellipsis"
        style={{ paddingLeft: Math.min(depth, 8) * 12 }}
        title={`${span.service} ${span.operation}`}
      >
        <span className="muted">{span.service}</span> {span.operation}
      </span>
      <span className="span-track" aria-hidden="true">
        <span
          className={span.error ? 'span-bar bad' : 'span-bar'}
          style={{ left: `${Math.min(99.5, left)}%`, width: `${Math.min(100 - left, width)}%` }}
        />
      </span>
      <span className="num">
        {span.error ? <span className="tone-bad">{text.failed} </span> : null}
        {formats.quantity(span.durationMs, 'ms')}
      </span>
    </div>
  );
}
