import type { HomeReach } from '../status/index.ts';
import type { Language } from '#kit/language';
import type { Dependencies } from '../dependencies.ts';

/** What the built-in operator answers from. */
export interface OperatorHome
  extends Pick<
    Dependencies,
    | 'answering'
    | 'builtInTools'
    | 'database'
    | 'engineTools'
    | 'gate'
    | 'incidentFile'
    | 'incidents'
    | 'language'
    | 'log'
    | 'memory'
    | 'plugins'
    | 'profile'
    | 'sees'
    | 'settings'
    | 'skills'
    | 'toolPlace'
    | 'version'
  > {
  /** What only the home itself can tell, each asked when a question needs it. */
  readonly own: OwnFacts;
}

export interface OwnFacts {
  /** Where it lies, where its log is, and where a folder is that comes with Hermes. */
  readonly root: string;
  readonly logs: string;
  /** The newest lines of its log, the last one last; undefined where there is no log yet. */
  lastLogged(lines: number): Promise<readonly string[] | undefined>;
  shipped(folder: 'docs' | 'phrases'): string;
  /** The file of the configuration, and what is set in it that is not as it comes. */
  readonly settingsFile: string;
  changedSettings(): readonly { readonly path: string; readonly value: unknown }[];
  reach(): Promise<HomeReach>;
  modelsAtHand(): Promise<{ readonly keys: readonly string[]; readonly servers: readonly string[] }>;
  users(): Promise<readonly { readonly user: string; readonly role: string }[]>;
  mcpServers(): Promise<readonly { readonly server: string; readonly state: string }[]>;
  pluginStates(language: Language): Promise<readonly { readonly name: string; readonly state: string }[]>;
}
