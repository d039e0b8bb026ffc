import type { ChatSnapshot } from '#spec/api';
import { useCallback, useEffect, useState } from 'react';
import { Problem } from '../api/problem.ts';
import { useLanguage } from '../language/language.tsx';
import { applyChat, withEarlier } from './apply-chat.ts';
import { chatApi } from './chat-api.ts';
import { type ChatLine, followChat } from './follow-chat.ts';

interface Chat {
  /** Absent before the first word of the server. What is there stays while the server is away. */
  readonly state: ChatSnapshot | undefined;
  readonly line: ChatLine;
  readonly problem: Problem | undefined;
  loadEarlier(): Promise<void>;
}

/** Follows a conversation while the page shows it. */
export function useChat(session: string | undefined): Chat {
  const { language } = useLanguage();
  const [state, setState] = useState<ChatSnapshot>();
  const [line, setLine] = useState<ChatLine>('connecting');
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (session === undefined) return undefined;
    return followChat((after) => chatApi.events(session, language, after), {
      onEvents: (events) => setState((before) => applyChat(before, events)),
      onLine: setLine,
      onRefused: async () => {
        // A stream that is refused does not say why: a question beside it does.
        const why = await chatApi.earlier(session, language, 1).then(
          () => undefined,
          (thrown: unknown) => (thrown instanceof Problem ? thrown : undefined),
        );
        if (why === undefined || why.passing) return true;
        setProblem(why);
        setLine('refused');
        return why.status === 401;
      },
    });
  }, [session, language]);
  const first = state?.first ?? 0;
  const loadEarlier = useCallback(async () => {
    if (session === undefined || first === 0) return;
    const items = await chatApi.earlier(session, language, first);
    setState((before) => before && withEarlier(before, first, items));
  }, [session, language, first]);
  return { state, line, problem, loadEarlier };
}
