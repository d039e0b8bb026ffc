import { atomicWrite, readText } from '#adapters/store';
import type { Home } from '../home.ts';

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
