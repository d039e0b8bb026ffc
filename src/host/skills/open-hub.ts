import { homedir, tmpdir } from 'node:os';
import { openHubFetcher, openHubOutlet, openHubPlace } from '#adapters/hub';
import { atomicWrite, withFileLock } from '#adapters/store';
import { openSkillHub, parseSkillFile, parseSource } from '#engines/skills';
import type { HomeHub } from '#app/skills';
import type { Host } from '../open-host.ts';
import { knownSecrets } from '../secret-values.ts';
import { lazyWeb } from '../tools/lazy-web.ts';
import { toolPlace } from '../tools/tool-place.ts';

type Needs = Pick<Host, 'home' | 'loaded' | 'onClose' | 'skills'>;

/** Skills from elsewhere for this home. */
export async function openHub(host: Needs, cwd: string): Promise<HomeHub> {
  const { home, loaded } = host;
  const { registries, trusted } = loaded.config.skills;
  const git = toolPlace(loaded.env, false).program('git');
  const write = (path: string, bytes: Uint8Array | string) => atomicWrite(path, bytes);
  const { library } = await host.skills(cwd);
  const secrets = await knownSecrets(home, loaded);
  const web = lazyWeb(loaded.config.web.allow_private);
  host.onClose(web.close);
  const hub = openSkillHub({
    fetcher: openHubFetcher({ web, git: git ?? 'git', temporary: tmpdir(), env: agentEnv(loaded.env) }),
    place: openHubPlace({ skills: home.dir('skills'), lock: withFileLock, write }),
    outlet: openHubOutlet(write),
    parse: parseSkillFile,
    now: Date.now,
    registries,
    trusted,
    known: async (name) => {
      const skill = await library.find(name);
      return skill && `${skill.root}/${skill.path}`;
    },
    secrets: () => secrets,
  });
  return {
    ...hub,
    source: (written) => parseSource(written, { cwd, home: loaded.env.HOME ?? homedir() }),
  };
}

/** What reaching a repository by ssh needs of the environment. */
const agentEnv = ({ SSH_AUTH_SOCK }: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  SSH_AUTH_SOCK ? { SSH_AUTH_SOCK } : {};
