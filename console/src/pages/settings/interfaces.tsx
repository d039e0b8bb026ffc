import type { InterfaceView } from '#spec/api';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Tone } from '../../ui/classes.ts';
import { Copy } from '../../ui/copy.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { settingsText } from './text.ts';

type State = InterfaceView['state'];
const TONE: Readonly<Record<State, Tone>> = {
  failing: 'bad',
  missing: 'warn',
  unproven: 'info',
  ready: 'ok',
  off: 'quiet',
};
/** What needs doing comes first. */
const ORDER: readonly State[] = ['failing', 'missing', 'unproven', 'ready', 'off'];

/** Everything that can be connected, part by part. */
export function Interfaces({ interfaces }: { readonly interfaces: readonly InterfaceView[] }) {
  const text = useText(settingsText);
  if (interfaces.length === 0)
    return (
      <Section title={text.interfaces}>
        <Empty title={text.none}>{text.noneWhy}</Empty>
      </Section>
    );
  const parts = Object.keys(text.parts) as (keyof typeof text.parts)[];
  return parts.map((part) => {
    const own = interfaces.filter((each) => each.part === part);
    if (own.length === 0) return null;
    return (
      <Section
        key={part}
        title={text.parts[part]}
        count={own.length}
        actions={
          <span className="row">
            <span className="muted settings-why">{text.partWhy[part]}</span>
            <Counts own={own} />
          </span>
        }
      >
        <PartList name={text.parts[part]} own={own} />
      </Section>
    );
  });
}

function Counts({ own }: { readonly own: readonly InterfaceView[] }) {
  const text = useText(settingsText);
  return ORDER.map((state) => {
    const count = own.filter((each) => each.state === state).length;
    return count === 0 ? null : (
      <Badge key={state} tone={TONE[state]}>
        {count} {text.counts[state]}
      </Badge>
    );
  });
}

/** Where more than so many are off, they are folded away. */
const MOST_OFF = 2;

function PartList({ name, own }: { readonly name: string; readonly own: readonly InterfaceView[] }) {
  const text = useText(settingsText);
  const sorted = own.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state));
  const off = sorted.filter(({ state }) => state === 'off');
  const folded = off.length > MOST_OFF;
  const shown = folded ? sorted.filter(({ state }) => state !== 'off') : sorted;
  return (
    <>
      {shown.length ? (
        <ul className="settings-list" aria-label={name}>
          {shown.map((each) => (
            <Line key={each.name} of={each} />
          ))}
        </ul>
      ) : null}
      {folded ? (
        <details className="settings-more">
          <summary>{text.offMore(off.map((each) => each.name).join(', '))}</summary>
          <ul className="settings-list" aria-label={`${name}: ${text.states.off}`}>
            {off.map((each) => (
              <Line key={each.name} of={each} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

/** One of them: what it is, how it does, and what has to be typed, ready to be copied. */
function Line({ of }: { readonly of: InterfaceView }) {
  const { name, state, what, fix, paste } = of;
  const text = useText(settingsText);
  const { language } = useLanguage();
  return (
    <li>
      <code className="wrap">{name}</code>
      <span>
        <Badge tone={TONE[state]}>{text.states[state]}</Badge>
      </span>
      <span className="wrap">
        <Reached of={of} />
        {what?.[language] ?? ''}
      </span>
      <div className="stack">
        {fix ? <span className="wrap">{fix[language]}</span> : null}
        {paste ? (
          <div className="settings-paste">
            <code className="code">{paste.text}</code>
            <Copy text={() => paste.text} />
            {paste.file === undefined || fix ? null : <span className="muted">{text.into(paste.file)}</span>}
          </div>
        ) : null}
      </div>
    </li>
  );
}

/** Since when it fails, or when it was last reached. */
function Reached({ of: { state, at, since } }: { readonly of: InterfaceView }) {
  const text = useText(settingsText);
  if (state === 'failing' && since !== undefined)
    return (
      <>
        {text.failingSince} <Time at={since} />
        {text.because}
      </>
    );
  if (state !== 'ready' || at === undefined) return null;
  return (
    <span className="muted">
      {text.reachedAt} <Time at={at} />{' '}
    </span>
  );
}
