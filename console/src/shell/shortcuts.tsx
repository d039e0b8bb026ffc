import { useAllCommands } from '../domains/keys/commands.tsx';
import { useText } from '../domains/language/language.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Facts } from '../ui/page.tsx';
import { shellText } from './text.ts';

/** Which keys do what on this page. */
export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const text = useText(shellText);
  const withKeys = useAllCommands().filter(({ keys }) => keys !== undefined);
  const groups = Object.entries(Object.groupBy(withKeys, ({ group }) => group));
  return (
    <Dialog title={text.shortcuts} onClose={onClose}>
      <div className="stack-16">
        {groups.map(([group, commands = []]) => (
          <section key={group} className="stack" aria-label={group}>
            <h3>{group}</h3>
            <Facts
              items={commands.map(({ label, keys = '' }) => [label, <Keys key={label} keys={keys} />])}
            />
          </section>
        ))}
      </div>
    </Dialog>
  );
}

const Keys = ({ keys }: { readonly keys: string }) => (
  <span className="row">
    {keys.split(' ').map((key) => (
      <kbd key={key} className="kbd">
        {key.replace('mod+', 'Ctrl/⌘ ')}
      </kbd>
    ))}
  </span>
);
