import type { Settings } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { queries } from '../../domains/api/queries.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { useMay, useSession } from '../../domains/session/session.tsx';
import { Preferences } from '../../shell/preferences.tsx';
import { shellText } from '../../shell/text.ts';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Interfaces } from './interfaces.tsx';
import { People } from './people.tsx';
import { settingsText } from './text.ts';
import './settings.css';

const AGAIN_MS = 15_000;

/** What is connected, what is missing and how to set it; how the server does; who may sign in. */
export default function SettingsPage() {
  const text = useText(settingsText);
  const query = useQuery({ ...queries.settings(), refetchInterval: AGAIN_MS });
  const owner = useMay('admin');
  return (
    <Page title={text.title}>
      <Loaded query={query}>
        {(settings) => (
          <>
            <div className="settings-top">
              <About settings={settings} />
              <Server server={settings.server} />
            </div>
            <Interfaces interfaces={settings.interfaces} />
            {owner ? <People /> : null}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ settings: { version, profile } }: { readonly settings: Settings }) {
  const text = useText(settingsText);
  const shell = useText(shellText);
  const { user, role } = useSession();
  return (
    <Section title={text.about}>
      <Facts
        items={[
          [text.version, version],
          [text.profile, profile],
          [text.session, shell.signedIn(user, shell.roles[role])],
          [text.zone, Intl.DateTimeFormat().resolvedOptions().timeZone],
          [text.here, <Preferences key="here" />],
        ]}
      />
    </Section>
  );
}

function Server({ server }: Pick<Settings, 'server'>) {
  const text = useText(settingsText);
  const formats = useFormats();
  return (
    <Section title={text.server}>
      <Facts
        items={[
          [
            text.started,
            <span key="started">
              <Time at={server.startedAt} />{' '}
              <span className="muted">
                (<Time at={server.startedAt} ago />)
              </span>
            </span>,
          ],
          [text.memory, formats.quantity(server.memory, 'bytes')],
          [text.listeners, formats.number(server.listeners)],
          [text.process, `pid ${server.pid}`],
          [text.runtime, `Node ${server.node.replace(/^v/, '')}, ${server.system}`],
        ]}
      />
    </Section>
  );
}
