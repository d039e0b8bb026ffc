import type { HiddenReason, RunState, SkillRow } from '#spec/api';
import { useFormats, useText } from '../language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { skillWords } from './text.ts';
import { RUN_TONE } from './tones.ts';
import './skills.css';

/** How the last uses ended, one tick each: a low one failed. What it comes to stands beside it. */
export function Outcomes({ recent, uses, successes }: Pick<SkillRow, 'recent' | 'uses' | 'successes'>) {
  const words = useText(skillWords);
  const formats = useFormats();
  if (!uses) return <span className="muted">–</span>;
  const good = recent.filter(Boolean).length;
  return (
    <span className="outcomes">
      <span
        className="ticks"
        role="img"
        aria-label={words.outcomes(good, recent.length)}
        title={words.outcomes(good, recent.length)}
      >
        {recent.map((ok, index) => (
          // A use has no name of its own: its place is the key.
          <i key={index} className={ok ? 'ok' : 'bad'} />
        ))}
      </span>
      <span className="num">{formats.percent(successes / uses)}</span>
    </span>
  );
}

export function RunMark({ state }: { readonly state: RunState }) {
  const words = useText(skillWords);
  return <Badge tone={RUN_TONE[state]}>{words.run[state]}</Badge>;
}

/** Everything that is out of the ordinary about how a skill stands. */
export function SkillMarks({ skill }: { readonly skill: SkillRow }) {
  const words = useText(skillWords);
  const { hidden, demoted, pinned, stale, installed } = skill;
  const told = useHiddenWords();
  return (
    <>
      {hidden.length ? <Badge title={hidden.map(told).join('; ')}>{words.mark.hidden}</Badge> : null}
      {demoted ? (
        <Badge tone="warn" title={demoted.why}>
          {words.mark.demoted}
        </Badge>
      ) : null}
      {stale ? <Badge>{words.mark.stale}</Badge> : null}
      {pinned ? <Badge>{words.mark.pinned}</Badge> : null}
      {installed && installed.state !== 'intact' ? (
        <Badge tone="warn">{words.installed[installed.state]}</Badge>
      ) : null}
      {installed && installed.verdict !== 'safe' ? (
        <Badge tone={installed.verdict === 'dangerous' ? 'bad' : 'warn'}>
          {words.verdict[installed.verdict]}
        </Badge>
      ) : null}
    </>
  );
}

/** Why a skill is not offered, in words. */
export function useHiddenWords(): (reason: HiddenReason) => string {
  const words = useText(skillWords);
  return (reason) => {
    const names =
      'missing' in reason
        ? reason.missing
        : 'wanted' in reason
          ? reason.wanted
          : 'there' in reason
            ? reason.there
            : [];
    return [words.hidden[reason.kind], names.join(', ')].filter(Boolean).join(' ');
  };
}

export const skillAddress = (name: string): string => `/skills/${encodeURIComponent(name)}`;
