import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { queries } from '../domains/api/queries.ts';
import { type Command, useAllCommands } from '../domains/keys/commands.tsx';
import { useText } from '../domains/language/language.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { rankCommands } from './rank-commands.ts';
import { shellText } from './text.ts';

const MOST = 40;

/** Goes anywhere and does anything, by a few letters of its name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const text = useText(shellText);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const id = useId();
  const all = useAllCommands();
  const incidents = useIncidentCommands(typed);
  const found = rankCommands([...all.filter(({ hidden }) => !hidden), ...incidents], typed).slice(0, MOST);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const move = (by: number) => {
    const next = (at + by + found.length) % Math.max(1, found.length);
    setAt(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  return (
    <Dialog title={text.palette} onClose={onClose}>
      <input
        className="input"
        role="combobox"
        aria-label={text.palettePlaceholder}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
        placeholder={text.palettePlaceholder}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter') run(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <ul className="palette" role="listbox" id={id} aria-label={text.palette}>
        {found.map((command, index) => (
          <li
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseEnter={() => setAt(index)}
            onClick={() => run(command)}
          >
            <span className="ellipsis">{command.label}</span>
            <span className="muted nowrap">
              {command.keys ? <kbd className="kbd">{command.keys}</kbd> : command.group}
            </span>
          </li>
        ))}
      </ul>
      {found.length ? null : <p className="muted">{text.nothing}</p>}
    </Dialog>
  );
}

function useIncidentCommands(typed: string): readonly Command[] {
  const shell = useText(shellText);
  const navigate = useNavigate();
  const text = useDeferredValue(typed.trim());
  const { data } = useQuery(queries.incidents({ limit: 10, ...(text ? { text } : {}) }));
  return (data ?? []).map(({ id, title, severity }) => ({
    id: `incident ${id}`,
    label: `${severity} ${title}`,
    group: shell.incidents,
    run: () => void navigate(`/incidents/${encodeURIComponent(id)}`),
  }));
}
