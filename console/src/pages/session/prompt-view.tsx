import type { PromptTool, ShownPrompt } from '#spec/api';
import { useState } from 'react';
import { useFormats, useText } from '../../domains/language/language.tsx';
import type { Turn } from '../../domains/sessions/arrange-turns.ts';
import { Json } from '../../ui/json.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/page.tsx';
import { LongText } from './long-text.tsx';
import { sessionText } from './text.ts';
import { TokenBar } from './token-bar.tsx';

const COLORS = 6;

interface Stretch {
  readonly key: string;
  readonly name: string;
  readonly tokens: number;
  readonly text?: string;
  readonly breakpoint: boolean;
  readonly color: number;
}

/** What is sent before every message: its parts by tokens, where the caches may begin anew, and what vendors counted. */
export function PromptView({
  prompt,
  turns,
}: {
  readonly prompt: ShownPrompt;
  readonly turns: readonly Turn[];
}) {
  const { prompt: text } = useText(sessionText);
  const formats = useFormats();
  const stretches = stretchesOf(prompt);
  const calls = turns.flatMap(({ steps }) => steps.flatMap(({ spent }) => (spent ? [spent] : [])));
  const [first] = calls;
  const last = calls.at(-1);
  return (
    <div className="stack-16">
      <Section
        title={text.title}
        actions={<span className="muted">{text.total(formats.number(prompt.tokens))}</span>}
      >
        <div className="stack-16">
          <p className="muted">{text.why}</p>
          <Stack stretches={stretches} total={prompt.tokens} />
          <p className="muted">
            {stretches.some(({ breakpoint }) => breakpoint) ? text.breakpoints : text.noBreakpoints}
          </p>
          <Segments stretches={stretches} total={prompt.tokens} />
          {first && last ? (
            <div className="prompt-calls">
              <div className="stack">
                <h3>{text.firstCall}</h3>
                <TokenBar usage={first.usage} />
              </div>
              <div className="stack">
                <h3>{text.lastCall}</h3>
                <TokenBar usage={last.usage} />
              </div>
            </div>
          ) : (
            <p className="muted">{text.noCall}</p>
          )}
        </div>
      </Section>
      <Tools tools={prompt.tools.list} />
    </div>
  );
}

function stretchesOf({ tools, blocks }: ShownPrompt): readonly Stretch[] {
  const sum = tools.list.reduce((total, { tokens }) => total + tokens, 0);
  const parts = [
    ...(tools.list.length
      ? [{ key: 'tools', name: 'tools', tokens: sum, breakpoint: tools.breakpoint }]
      : []),
    ...blocks.flatMap(({ segments, breakpoint }, block) =>
      segments.map((segment, index) => ({
        ...segment,
        key: `${block} ${index}`,
        breakpoint: breakpoint && index === segments.length - 1,
      })),
    ),
  ];
  return parts.map((part, index) => ({ ...part, color: (index % COLORS) + 1 }));
}

function useSegmentName(): (name: string) => string {
  const { names } = useText(sessionText).prompt;
  const known: Readonly<Record<string, string>> = names;
  return (name) => known[name] ?? name;
}

function Stack({ stretches, total }: { readonly stretches: readonly Stretch[]; readonly total: number }) {
  const nameOf = useSegmentName();
  const formats = useFormats();
  const { prompt: text } = useText(sessionText);
  return (
    <div className="stacked prompt-stack" aria-hidden="true">
      {stretches.map(({ key, name, tokens, color, breakpoint }) => (
        <i
          key={key}
          className={breakpoint ? 'breakpoint' : undefined}
          title={`${nameOf(name)}: ${text.total(formats.number(tokens))}`}
          style={{ width: `${(tokens / Math.max(1, total)) * 100}%`, background: `var(--series-${color})` }}
        />
      ))}
    </div>
  );
}

function Segments({ stretches, total }: { readonly stretches: readonly Stretch[]; readonly total: number }) {
  const { prompt: text } = useText(sessionText);
  const nameOf = useSegmentName();
  const formats = useFormats();
  return (
    <ol className="segments">
      {stretches.map(({ key, name, tokens, text: words, breakpoint, color }) => (
        <li key={key} className={breakpoint ? 'breakpoint' : undefined}>
          <span className="row">
            <i style={{ background: `var(--series-${color})` }} aria-hidden="true" />
            {nameOf(name)}
          </span>
          <span className="num">{formats.number(tokens)}</span>
          <span className="num muted">
            {formats.percent(Math.round((tokens / Math.max(1, total)) * 1000) / 1000)}
          </span>
          {words === undefined ? (
            <span />
          ) : (
            <details className="fold">
              <summary aria-label={`${text.show}: ${nameOf(name)}`}>{text.show}</summary>
              <LongText text={words} />
            </details>
          )}
          {breakpoint ? <span className="break-label muted">{text.breakpoint}</span> : null}
        </li>
      ))}
    </ol>
  );
}

function Tools({ tools }: { readonly tools: readonly PromptTool[] }) {
  const { prompt: text } = useText(sessionText);
  const formats = useFormats();
  const largest = Math.max(1, ...tools.map(({ tokens }) => tokens));
  return (
    <Section title={text.tools} count={tools.length}>
      <ul className="tool-list">
        {tools
          .toSorted((one, other) => other.tokens - one.tokens)
          .map((tool) => (
            <li key={tool.name}>
              <code className="ellipsis" title={tool.description}>
                {tool.name}
              </code>
              <Meter value={tool.tokens} most={largest} tone="info" />
              <span className="num">{formats.number(tool.tokens)}</span>
              <Schema tool={tool} label={`${text.schema}: ${tool.name}`} />
            </li>
          ))}
      </ul>
    </Section>
  );
}

function Schema({ tool, label }: { readonly tool: PromptTool; readonly label: string }) {
  const { prompt: text } = useText(sessionText);
  const [open, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={label}>{text.schema}</summary>
      {open ? (
        <>
          <p className="said wrap">{tool.description}</p>
          <Json value={tool.input} />
        </>
      ) : null}
    </details>
  );
}
