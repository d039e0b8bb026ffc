import { useText } from '../domains/language/language.tsx';
import { useLiveState } from '../domains/live/live.tsx';
import { Dot } from '../ui/badge.tsx';
import { shellText } from './text.ts';

export function LiveMark() {
  const state = useLiveState();
  const text = useText(shellText);
  return (
    <span className="live" role="status" data-live={state}>
      <Dot tone={state === 'live' ? 'ok' : 'warn'} />
      {text.live[state]}
    </span>
  );
}
