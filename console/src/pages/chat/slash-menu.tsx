import type { SlashCommand } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { chatQueries } from '../../domains/chat/chat-api.ts';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { chatText } from './text.ts';

interface Menu {
  readonly shown: readonly SlashCommand[];
  readonly at: number;
  /** Whether the key was for the menu. */
  onKey(event: KeyboardEvent, write: (value: string) => void): boolean;
  complete(command: SlashCommand, write: (value: string) => void): void;
}

/** Commands that begin like what is typed, while it is one word behind a slash. */
export function useSlashMenu(value: string): Menu {
  const { language } = useLanguage();
  const word = /^\/[\p{L}\d_-]*$/u.test(value) ? value.toLowerCase() : undefined;
  const { data } = useQuery({ ...chatQueries.commands(language), enabled: word !== undefined });
  const [chosen, setChosen] = useState<{
    readonly word: string;
    readonly at: number;
    readonly closed: boolean;
  }>();
  const current = chosen?.word === word ? chosen : undefined;
  const found = word === undefined ? [] : (data ?? []).filter(({ name }) => name.startsWith(word));
  const isWhole = found.length === 1 && found[0]?.name === word;
  const shown = current?.closed || isWhole ? [] : found;
  const at = Math.min(current?.at ?? 0, Math.max(0, shown.length - 1));
  const complete: Menu['complete'] = ({ name, usage }, write) => write(usage ? `${name} ` : name);
  return {
    shown,
    at,
    complete,
    onKey: (event, write) => {
      const command = shown[at];
      if (!command || word === undefined) return false;
      const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (move) setChosen({ word, at: (at + move + shown.length) % shown.length, closed: false });
      else if (event.key === 'Escape') setChosen({ word, at, closed: true });
      // A name that is complete is sent, not completed.
      else if (event.key === 'Tab' || (event.key === 'Enter' && command.name !== word))
        complete(command, write);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}

export function SlashMenu(props: {
  readonly menu: Menu;
  readonly id: string;
  readonly onChoose: (value: string) => void;
}) {
  const { menu, id, onChoose } = props;
  const text = useText(chatText);
  return (
    <ul className="chat-menu" role="listbox" id={id} aria-label={text.commands} tabIndex={0}>
      {menu.shown.map((command, index) => (
        <li
          key={command.name}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === menu.at}
          ref={index === menu.at ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
          onMouseDown={(event) => {
            event.preventDefault();
            menu.complete(command, onChoose);
          }}
        >
          <code>{[command.name, command.usage].filter(Boolean).join(' ')}</code>
          <span className="muted ellipsis">{command.summary}</span>
        </li>
      ))}
    </ul>
  );
}
