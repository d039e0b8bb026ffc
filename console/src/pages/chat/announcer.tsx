import type { ChatSnapshot } from '#spec/api';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../domains/language/language.tsx';
import { chatText } from './text.ts';

const MOST = 2_000;

/** Tells a screen reader what is complete: an answer when it has ended, a question when it is asked. */
export function Announcer({ state }: { readonly state: ChatSnapshot | undefined }) {
  const text = useText(chatText);
  const [told, setTold] = useState('');
  const running = state?.status.running !== undefined;
  const before = useRef(running);
  const question = state?.questions[0];
  useEffect(() => {
    const ended = before.current && !running;
    before.current = running;
    if (!ended) return;
    const answer = state?.items.findLast(
      ({ kind }) => kind === 'text' || kind === 'error' || kind === 'user',
    );
    if (answer?.kind === 'text') setTold(text.answered(answer.text.slice(0, MOST)));
    if (answer?.kind === 'error') setTold(text.answered(answer.error.message));
  }, [running, state, text]);
  useEffect(() => {
    if (question)
      setTold(text.asking(question.approval ? text.mayItDo(question.approval.tool) : question.text));
  }, [question?.id]);
  return (
    <div className="chat-hidden" aria-live="polite">
      {told}
    </div>
  );
}
