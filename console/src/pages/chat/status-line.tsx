import type { ChatSnapshot, ChatStatus } from '#spec/api';
import type { ChatLine } from '../../domains/chat/follow-chat.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { shownCost } from '../../domains/sessions/cost.ts';
import { Dot } from '../../ui/badge.tsx';
import { useNow } from '../../ui/time.tsx';
import { chatText } from './text.ts';

/** What answers, how full its window is, what was spent, and what goes on now. */
export function StatusLine(props: { readonly state: ChatSnapshot | undefined; readonly line: ChatLine }) {
  const text = useText(chatText);
  const { state, line } = props;
  const status = state?.status;
  return (
    <footer className="chat-status">
      {line === 'reconnecting' ? (
        <span role="status">
          <Dot tone="warn" /> {text.reconnecting}
        </span>
      ) : status?.running ? (
        <Activity running={status.running} />
      ) : status?.busy ? (
        <span>{text.activity.command}</span>
      ) : null}
      {status ? (
        <>
          <span>{status.model ?? text.operator}</span>
          <Window context={status.context} />
          <Cost cost={status.cost} />
        </>
      ) : null}
      {state?.cwd === undefined ? null : (
        <span className="mono ellipsis chat-folder" title={`${text.folder}: ${state.cwd}`}>
          {state.cwd}
        </span>
      )}
    </footer>
  );
}

function Activity({ running }: { readonly running: NonNullable<ChatStatus['running']> }) {
  const words = useText(chatText);
  const formats = useFormats();
  const now = useNow(1_000);
  const { activity, since, budget } = running;
  const what = (): string => {
    if (activity.kind === 'preparing') return words.activity.preparing(activity.name);
    if (activity.kind === 'tools') return words.activity.tools(activity.count);
    if (activity.kind === 'retrying') return words.activity.retrying(activity.who);
    return words.activity[activity.kind];
  };
  const elapsed = Math.max(0, now - since);
  return (
    <span>
      <Dot tone="info" /> {what()}
      {elapsed >= 1_000 ? ` · ${formats.duration(elapsed)}` : ''}
      {budget && budget.used > 1 ? ` · ${words.calls(budget.used, budget.limit)}` : ''}
    </span>
  );
}

function Window({ context: { used, window } }: { readonly context: ChatStatus['context'] }) {
  const text = useText(chatText);
  const formats = useFormats();
  // Nothing is known before the first request has been counted.
  if (!window || !used) return null;
  const share = Math.min(1, used / window);
  return (
    <span className="chat-window" title={`${formats.number(used)} / ${formats.number(window)}`}>
      {text.context} {formats.percent(share)}
      <meter min={0} max={1} high={0.75} value={share} aria-label={text.context} />
    </span>
  );
}

function Cost({ cost }: { readonly cost: number }) {
  const text = useText(chatText);
  if (!cost) return null;
  return (
    <span>
      {text.cost} {shownCost(cost)}
    </span>
  );
}
