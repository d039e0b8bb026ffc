import { openAnchor, parseAnchor, readAnchorFile } from '#adapters/anchor';
import { fail, toErrorRecord } from '#kit/app-error';
import type { AuditHead, AuditLog, AuditVerdict, HeadAnchor } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import type { Host } from '../open-host.ts';

/** Sends heads of the audit log out of the home: every so many lines, after a while, and at the end. */
export interface AuditAnchor {
  /** At once; never throws. */
  head(head: AuditHead): void;
  close(): Promise<void>;
}

interface Pace {
  readonly entries: number;
  readonly ms: number;
  readonly now: () => number;
  readonly onTrouble: (message: string) => void;
}

/** The anchor of `audit.anchor`. A file of the home would be no anchor: whoever changes the one changes the other. */
export function configuredAnchor(home: Home, { config }: LoadedConfig): HeadAnchor | undefined {
  const { anchor } = config.audit;
  if (anchor === undefined) return undefined;
  const kind = parseAnchor(anchor);
  if (kind.kind === 'file' && `${kind.path}/`.startsWith(`${home.base}/`))
    throw fail(
      'config.invalid',
      `audit.anchor: ${kind.path} is inside of the home.`,
      'hermes config set audit.anchor /var/log/hermes-audit.jsonl',
    );
  return openAnchor(kind);
}

export function auditAnchor(anchor: HeadAnchor, home: Home, pace: Pace): AuditAnchor {
  let newest: AuditHead | undefined;
  let told = 0;
  let toldAt = pace.now();
  let timer: NodeJS.Timeout | undefined;
  let sending = Promise.resolve();
  let failing = false;

  const send = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const head = newest;
    if (!head || head.seq === told) return;
    try {
      await anchor.tell({ at: new Date(pace.now()).toISOString(), home: home.root, ...head });
      told = head.seq;
      toldAt = pace.now();
      failing = false;
    } catch (thrown) {
      // Work goes on: an anchor is a witness, and one that is away sees the next head.
      if (!failing) pace.onTrouble(`audit.anchor: ${toErrorRecord(thrown).message}`);
      failing = true;
    }
  };
  const soon = (): void => {
    sending = sending.then(send);
  };
  return {
    head: (head) => {
      newest = head;
      if (head.seq - told >= pace.entries || pace.now() - toldAt >= pace.ms) return soon();
      timer ??= setTimeout(soon, pace.ms).unref();
    },
    close: async () => {
      soon();
      await sending;
    },
  };
}

/** Follows the audit log of a home, and compares it with a file of heads where there is one. */
export async function verifyAudit(
  host: Pick<Host, 'gate' | 'home'>,
  file: string | undefined,
): Promise<AuditVerdict & { readonly anchored?: number }> {
  const { audit } = await host.gate();
  const found = await audit.verify();
  return file === undefined ? found : compareWithAnchor(audit, found, file, host.home);
}

/** The same finding, unless somebody outside was told otherwise. What was lost and accepted is known. */
async function compareWithAnchor(
  audit: AuditLog,
  found: AuditVerdict,
  path: string,
  home: Home,
): Promise<AuditVerdict & { readonly anchored?: number }> {
  const heads = await readAnchorFile(path, home.root).catch((cause: unknown) => {
    throw fail('input.invalid', `${path} cannot be read: ${(cause as Error).message}`, undefined, cause);
  });
  if (!found.sound) return found;
  const here = await audit.heads([...new Set(heads.map(({ seq }) => seq))]);
  const lost = (seq: number): boolean =>
    found.breaks.some(({ seq: from, head }) => head !== undefined && seq >= from && seq <= head.seq);
  const wrong = heads.find(({ seq, hash }) => here.get(seq) !== hash && !lost(seq));
  if (!wrong) return { ...found, anchored: heads.length };
  const problem = here.get(wrong.seq) === undefined ? 'is no longer there, which' : 'is not the one that';
  return {
    sound: false,
    seq: wrong.seq,
    problem: `line ${wrong.seq} ${problem} the anchor was told of at ${wrong.at}`,
  };
}
