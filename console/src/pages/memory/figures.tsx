import type { MemoryOverview, Notebook } from '#spec/api';
import type { MemoryKind, MemoryState } from '#spec/data';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { memoryText } from './text.ts';

const STATES: readonly MemoryState[] = ['active', 'replaced', 'forgotten'];

/** How much is remembered, how full the notebooks are, what waits, and how it is searched. */
export function Figures(props: {
  readonly overview: MemoryOverview;
  readonly notebooks: readonly Notebook[];
  readonly onKind: (kind: MemoryKind) => void;
  readonly onWaiting: () => void;
  /** Something else is looked at: where there is little room they give way. */
  readonly aside: boolean;
}) {
  const { overview, notebooks } = props;
  const text = useText(memoryText);
  const formats = useFormats();
  const ready = overview.vectors.state === 'ready';
  return (
    <div className={classes('memory-figures', props.aside && 'aside')}>
      <Kinds counts={overview.counts} onKind={props.onKind} />
      <Section title={text.figures.notebooks}>
        <ul className="fill-list">
          {notebooks.map(({ name, file, used, limit }) => (
            <li key={name}>
              <code className="ellipsis" title={file}>
                {file}
              </code>
              <Meter value={used} most={limit} tone={used > limit * 0.9 ? 'warn' : 'quiet'} />
              <span className="num">{text.notebook.chars(formats.number(used), formats.number(limit))}</span>
            </li>
          ))}
        </ul>
        <dl className="facts figure-facts">
          <dt>{text.figures.waiting}</dt>
          <dd>
            <button type="button" className="link-button" onClick={props.onWaiting}>
              {formats.number(overview.waiting)}
            </button>{' '}
            <span className="muted">
              {overview.writeApproval ? text.figures.waitingOn : text.figures.waitingOff}
            </span>
          </dd>
          <dt>{text.figures.vectors}</dt>
          <dd>
            <Badge tone={ready ? 'ok' : overview.vectors.state === 'off' ? 'quiet' : 'warn'}>
              {text.vectors[overview.vectors.state]}
            </Badge>{' '}
            {ready ? <span className="muted">{text.embedder[overview.vectors.embedder]}</span> : null}
          </dd>
        </dl>
      </Section>
    </div>
  );
}

function Kinds({
  counts,
  onKind,
}: {
  readonly counts: MemoryOverview['counts'];
  readonly onKind: (kind: MemoryKind) => void;
}) {
  const text = useText(memoryText);
  const formats = useFormats();
  const kinds = [...Map.groupBy(counts, ({ kind }) => kind)]
    .map(([kind, own]) => {
      const of = (state: MemoryState) => own.find((each) => each.state === state)?.count ?? 0;
      return { kind, of, total: STATES.reduce((sum, state) => sum + of(state), 0) };
    })
    .toSorted((one, other) => other.of('active') - one.of('active') || other.total - one.total);
  const most = Math.max(...kinds.map(({ total }) => total), 1);
  const active = kinds.reduce((sum, { of }) => sum + of('active'), 0);
  return (
    <Section
      title={text.figures.entries}
      count={formats.number(active)}
      actions={
        <span className="kind-legend muted">
          {STATES.map((state) => (
            <span key={state}>
              <i className={`state-${state}`} aria-hidden="true" /> {text.states[state]}
            </span>
          ))}
        </span>
      }
    >
      {kinds.length ? (
        <ul className="kind-list">
          {kinds.map(({ kind, of }) => {
            const told = STATES.flatMap((state) =>
              of(state) ? [`${formats.number(of(state))} ${text.states[state]}`] : [],
            ).join(', ');
            return (
              <li key={kind}>
                <button type="button" className="link-button ellipsis" onClick={() => onKind(kind)}>
                  {text.kinds[kind]}
                </button>
                <span className="kind-bar" role="img" aria-label={told} title={told}>
                  {STATES.map((state) => (
                    <i
                      key={state}
                      className={`state-${state}`}
                      style={{ width: `${(of(state) / most) * 100}%` }}
                    />
                  ))}
                </span>
                <span className="num">{formats.number(of('active'))}</span>
              </li>
            );
          })}
        </ul>
      ) : (
        <Empty title={text.figures.none}>{text.figures.noneWhy}</Empty>
      )}
    </Section>
  );
}
