import { Menu } from '@base-ui/react/menu';
import './floating.css';

interface MenuLink {
  readonly label: string;
  readonly href: string;
  /** The name of the file that it becomes. Without one it opens beside this page. */
  readonly download?: string;
}

/** A button with a list of links behind it. */
export function LinkMenu({ label, links }: { readonly label: string; readonly links: readonly MenuLink[] }) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className="button opens">{label}</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="end">
          <Menu.Popup className="floating-box floating-list">
            {links.map(({ label: name, href, download }) => (
              <Menu.LinkItem
                key={href}
                className="floating-item"
                href={href}
                closeOnClick
                {...(download === undefined ? { target: '_blank', rel: 'noopener' } : { download })}
              >
                {name}
              </Menu.LinkItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
