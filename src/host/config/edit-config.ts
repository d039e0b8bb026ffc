import { atomicWrite, readText, withFileLock } from '#adapters/store';
import type { Home } from '../home.ts';
import {
  type ConfigTexts,
  type Edit,
  type Edited,
  type EditOptions,
  setInTexts,
  unsetInTexts,
  type UnsetOptions,
} from '#config';

/** Sets a key of this home, and nothing unless the whole result is valid. */
export const setConfigValue = (
  home: Home,
  key: string,
  typed: string,
  options: EditOptions,
): Promise<Edited> => rewrite(home, (texts) => setInTexts(texts, key, typed, options));

/** Takes a key out of the configuration of this home, so that its default applies. */
export const unsetConfigValue = (home: Home, key: string, options: UnsetOptions): Promise<Edited> =>
  rewrite(home, (texts) => unsetInTexts(texts, key, options));

/** Saves what differs; `.env` first, as config.yaml refers to it. */
async function rewrite(home: Home, change: (texts: ConfigTexts) => Edit): Promise<Edited> {
  const file = home.file('config.yaml');
  const envFile = home.file('.env');
  return withFileLock(file, async () => {
    const texts = { file, text: (await readText(file)) ?? '', envText: (await readText(envFile)) ?? '' };
    const { text, envText, edited } = change(texts);
    if (envText !== texts.envText) await atomicWrite(envFile, envText, { mode: 0o600 });
    if (text !== texts.text) await atomicWrite(file, text);
    return edited;
  });
}

const STARTER = `# Settings of Hermes. \`hermes config list\` shows every key with its meaning.
# Keys and tokens belong in .env; refer to them here as \${NAME}.

# language: auto
# llm:
#   provider: openai
#   model: gpt-5
#   fallback:
#     - provider: anthropic
`;

/** The path of config.yaml, with a commented starter put there when there is none yet. */
export async function prepareConfigFile(home: Home): Promise<string> {
  const path = home.file('config.yaml');
  if ((await readText(path)) === undefined) await atomicWrite(path, STARTER);
  return path;
}
