import type { Digest } from '#spec/api';
import type { ReactNode } from 'react';
import { incidentWords } from '../../domains/incident/text.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { NumberLink } from './number-link.tsx';
import { digestsText } from './text.ts';

/** The time in a few numbers. */
export function Figures({ digest }: { readonly digest: Digest }) {
  const text = useText(digestsText);
  const words = useText(incidentWords);
  const formats = useFormats();
  const { opened, ended, inconclusive, approvals, notRecovered, noise } = digest;
  const all = ended.recovered.length + ended.resolved.length + ended.closed.length;
  const part = (of: string, name: string, count: number) =>
    count === 0 ? null : (
      <NumberLink key={of} of={of} count={count}>
        {`${count} ${name}`}
      </NumberLink>
    );
  return (
    <div className="digest-figures">
      <Figure title={text.opened} of="opened" count={opened.length}>
        {digest.severities.map(({ severity, incidents }) => (
          <NumberLink key={severity} of={`severity:${severity}`} count={incidents.length}>
            {`${incidents.length} ${severity}`}
          </NumberLink>
        ))}
      </Figure>
      <Figure title={text.ended} of="ended" count={all}>
        {(['recovered', 'resolved', 'closed'] as const).map((state) =>
          part(state, words.state[state], ended[state].length),
        )}
      </Figure>
      <Figure title={text.inconclusive} of="inconclusive" count={inconclusive.length} />
      <Figure title={text.failed} of="failed" count={notRecovered.length} />
      <Figure title={text.approvals} of="answered" count={approvals.granted.length + approvals.denied.length}>
        {(['granted', 'denied', 'expired'] as const).map((word) =>
          part(word, text[word], approvals[word].length),
        )}
      </Figure>
      <div className="digest-figure">
        <span className="muted">{text.alertsPerIncident}</span>
        <strong>{opened.length ? formats.number(noise.alerts / opened.length) : '–'}</strong>
        <span className="muted">{text.heard(noise.deliveries, noise.alerts)}</span>
      </div>
    </div>
  );
}

function Figure(props: {
  readonly title: string;
  readonly of: string;
  readonly count: number;
  readonly children?: ReactNode;
}) {
  const text = useText(digestsText);
  const { title, of, count, children } = props;
  return (
    <div className="digest-figure">
      <span className="muted">{title}</span>
      <strong>
        <NumberLink of={of} count={count} label={text.show(title, String(count))} />
      </strong>
      <span className="row">{children}</span>
    </div>
  );
}
