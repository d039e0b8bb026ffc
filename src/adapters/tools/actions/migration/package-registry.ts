import { z } from 'zod';
import { AppError, fail } from '#kit/app-error';
import type { ToolContext } from '#spec/ports';
import { askJson, askService } from '../../services/ask-service.ts';
import { type ChangelogEntry, parseChangelog } from './changelog.ts';
import type { Ecosystem } from './manifests.ts';
import { parseVersion } from './versions.ts';

export const REGISTRIES: Readonly<Record<Ecosystem, string>> = {
  npm: 'https://registry.npmjs.org',
  pypi: 'https://pypi.org',
  go: 'https://proxy.golang.org',
  cargo: 'https://crates.io',
};
export const GITHUB_HOSTS = ['https://raw.githubusercontent.com', 'https://api.github.com'] as const;

export interface PackageFacts {
  readonly latest: string;
  /** `owner/name` on GitHub. */
  readonly repository: string | undefined;
}

const Npm = z.object({
  version: z.string(),
  repository: z.union([z.string(), z.object({ url: z.string() })]).optional(),
});
const Pypi = z.object({
  info: z.object({
    version: z.string(),
    home_page: z.string().nullish(),
    project_urls: z.record(z.string(), z.string()).nullish(),
  }),
});
const Go = z.object({ Version: z.string() });
const Crate = z.object({
  crate: z.object({
    max_stable_version: z.string().nullish(),
    newest_version: z.string(),
    repository: z.string().nullish(),
  }),
});

/** The newest version of a package and where its source is, as its registry tells. */
export async function packageFacts(
  name: string,
  ecosystem: Ecosystem,
  context: ToolContext,
): Promise<PackageFacts> {
  const ask = <T>(path: string, schema: z.ZodType<T>) =>
    askJson({ name: `the ${ecosystem} registry`, url: `${REGISTRIES[ecosystem]}/${path}` }, schema, context);
  switch (ecosystem) {
    case 'npm': {
      const { version, repository } = await ask(`${name.replace('/', '%2f')}/latest`, Npm);
      return {
        latest: version,
        repository: githubIn(typeof repository === 'string' ? repository : repository?.url),
      };
    }
    case 'pypi': {
      const { info } = await ask(`pypi/${encodeURIComponent(name)}/json`, Pypi);
      const urls = [...Object.values(info.project_urls ?? {}), info.home_page ?? ''];
      return { latest: info.version, repository: urls.map(githubIn).find(Boolean) };
    }
    case 'go': {
      const path = name.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
      return { latest: (await ask(`${path}/@latest`, Go)).Version, repository: githubIn(name) };
    }
    case 'cargo': {
      const { crate } = await ask(`api/v1/crates/${encodeURIComponent(name)}`, Crate);
      return {
        latest: crate.max_stable_version ?? crate.newest_version,
        repository: githubIn(crate.repository ?? ''),
      };
    }
  }
}

const githubIn = (url: string | undefined): string | undefined =>
  /github(?:\.com[/:]|:)([\w.-]+\/[\w.-]+?)(?:\.git|[/#?].*)?$/.exec(url ?? '')?.[1] ??
  (/^[\w.-]+\/[\w.-]+$/.test(url ?? '') ? url : undefined);

const Releases = z.array(
  z.object({
    tag_name: z.string(),
    published_at: z.string().nullish(),
    body: z.string().nullish(),
    html_url: z.string().default(''),
    draft: z.boolean().default(false),
  }),
);
const FILES = ['CHANGELOG.md', 'CHANGES.md', 'HISTORY.md', 'CHANGES.rst'];

/** The changelog of a repository: its file, or its releases. */
export async function repositoryChangelog(
  repository: string,
  context: ToolContext,
): Promise<{ readonly source: string; readonly entries: readonly ChangelogEntry[] }> {
  const [raw, api] = GITHUB_HOSTS;
  for (const file of FILES) {
    const url = `${raw}/${repository}/HEAD/${file}`;
    const text = await pageIfAny(url, context);
    const entries = text === undefined ? [] : parseChangelog(text);
    if (entries.length > 1) return { source: url, entries };
  }
  const url = `${api}/repos/${repository}/releases?per_page=100`;
  const token = context.key('GITHUB_TOKEN');
  const headers = token ? { authorization: `Bearer ${token}` } : {};
  const releases = await askJson({ name: 'GitHub', url, headers, secret: token }, Releases, context);
  const entries = releases
    .filter(({ draft, tag_name }) => !draft && parseVersion(tag_name) !== undefined)
    .map(({ tag_name, published_at, body, html_url }) => ({
      version: tag_name.replace(/^.*?v?(?=\d)/, ''),
      date: published_at?.slice(0, 10),
      text: (body ?? '').slice(0, 20_000),
      url: html_url,
    }));
  if (entries.length === 0) throw fail('tool.failed', `${repository} has neither a changelog nor releases.`);
  return { source: url, entries };
}

async function pageIfAny(url: string, context: ToolContext): Promise<string | undefined> {
  try {
    const { body } = await askService({ name: 'GitHub', url, headers: { accept: 'text/plain' } }, context);
    return new TextDecoder().decode(body);
  } catch (error) {
    if (error instanceof AppError && /answered 404/.test(error.message)) return undefined;
    throw error;
  }
}
