import { AppError } from '#kit/app-error';
import type { CommandResult, Files, WebClient } from '#spec/ports';

const MOST_BYTES = 400_000;
const MOST_ENTRIES = 300;
const FETCH_MS = 10_000;
const GIT_MS = 30_000;

/** Runs a command line in the workspace, where every command of the conversation runs. */
type RunInWorkspace = (command: string, signal: AbortSignal) => Promise<CommandResult>;

/** Reads what `@` references name: files and folders of the workspace, its git changes, pages of the web. */
export function localReferences(files: Files, web: Pick<WebClient, 'fetch'>, run: RunInWorkspace) {
  return {
    file: (path: string): Promise<string | undefined> =>
      unlessRefused(async () => {
        const stat = await files.stat(path);
        if (stat?.kind !== 'file' || stat.size > MOST_BYTES) return undefined;
        const bytes = await files.read(path);
        return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
      }),
    folder: (path: string): Promise<string | undefined> =>
      unlessRefused(async () => {
        const stat = await files.stat(path || '.');
        if (stat?.kind !== 'folder') return undefined;
        const prefix = path.replace(/\/+$/, '');
        const names = await files.find(
          prefix && prefix !== '.' ? `${prefix}/**` : '**',
          MOST_ENTRIES,
          AbortSignal.timeout(FETCH_MS),
        );
        return names.join('\n');
      }),
    diff: (staged: boolean): Promise<string | undefined> => gitDiff(run, staged),
    url: (address: string, signal: AbortSignal): Promise<string | undefined> =>
      fetchPage(web, address, signal),
  };
}

/** What may not be read is not there, for a reference. */
async function unlessRefused(read: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined;
    throw thrown;
  }
}

/** A repository names programs of its own, such as filters: what it runs has to run where the workspace's programs do. */
function gitDiff(run: RunInWorkspace, staged: boolean): Promise<string | undefined> {
  const plain = 'git -c core.fsmonitor=false diff --no-color --no-ext-diff --no-textconv';
  return unlessRefused(async () => {
    const command = `${plain} ${staged ? '--staged' : 'HEAD'} -- 2>/dev/null`;
    const { code, stopped, output } = await run(command, AbortSignal.timeout(GIT_MS));
    return code === 0 && stopped === undefined ? output : undefined;
  });
}

async function fetchPage(
  web: Pick<WebClient, 'fetch'>,
  address: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return unlessRefused(async () => {
    const { status, headers, body } = await web.fetch(
      {
        url: address,
        headers: { accept: 'text/*, application/json' },
        maxBytes: MOST_BYTES,
        timeoutMs: FETCH_MS,
      },
      signal,
    );
    const type = headers['content-type'] ?? '';
    if (status !== 200 || !/^text\/|json|xml/.test(type)) return undefined;
    const text = new TextDecoder().decode(body);
    return /html/.test(type) ? plainText(text) : text;
  });
}

function plainText(html: string): string {
  return html
    .replaceAll(/<(script|style|noscript)[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<(br|\/p|\/div|\/li|\/h\d|\/tr)[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&nbsp;/g, ' ')
    .replaceAll(/&lt;/g, '<')
    .replaceAll(/&gt;/g, '>')
    .replaceAll(/&amp;/g, '&')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim();
}
