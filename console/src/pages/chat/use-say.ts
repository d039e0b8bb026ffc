import type { ChatSnapshot, SentImage } from '#spec/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { chatApi } from '../../domains/chat/chat-api.ts';
import { useLanguage } from '../../domains/language/language.tsx';

export interface Say {
  /** A message, a command, or something more for the answer that is being written. Rejects where it was refused. */
  send(text: string, images: readonly SentImage[]): Promise<void>;
  stop(): void;
  readonly busy: boolean;
  readonly error: Error | null;
}

/** `/help` is a command, a path such as `/var/log/app` is not. */
const isCommand = (line: string): boolean => /^\/[\p{L}][\p{L}\d_-]*(?:\s|$)/u.test(line);

/** Where it leads, and whether the page goes there. */
export function useSay(session: string | undefined, state: ChatSnapshot | undefined): Say {
  const { language } = useLanguage();
  const navigate = useNavigate();
  const client = useQueryClient();
  const sending = useMutation({
    mutationFn: async ({ text, images }: { text: string; images: readonly SentImage[] }) => {
      const to = session ?? (await chatApi.begin(language)).session;
      if (isCommand(text.trim()) && !state?.status.running) {
        const { go, session: other } = await chatApi.command(to, language, text.trim());
        return go ? '/chat' : `/chat/${encodeURIComponent(other ?? to)}`;
      }
      if (state?.status.running && !images.length) await chatApi.steer(to, language, text);
      else await chatApi.say(to, language, text, images);
      return `/chat/${encodeURIComponent(to)}`;
    },
    onSuccess: async (address) => {
      void client.invalidateQueries({ queryKey: ['chat', 'list'] });
      if (address !== location.pathname) await navigate(address, { replace: session === undefined });
    },
  });
  const stopping = useMutation({
    mutationFn: async () => {
      if (session !== undefined) await chatApi.stop(session, language);
    },
  });
  return {
    send: async (text, images) => {
      await sending.mutateAsync({ text, images });
    },
    stop: () => stopping.mutate(),
    busy: sending.isPending,
    error: sending.error ?? stopping.error,
  };
}
