import type { Redirection } from 'unbash';
import { tell } from '#kit/text';
import type { Arg } from './arg.ts';
import { EMPTY, type Feed, joinFeeds, OPAQUE, textFeed } from './feed.ts';
import { judgeRead, judgeWrite } from './file-rules.ts';
import type { Findings } from './judgement.ts';
import { resolvePath } from './paths.ts';
import type { Around } from './around.ts';
import { type Reader, readWord } from './words.ts';
import type { Ground } from './paths.ts';

const REDIRECTION = tell('A redirection', '一处重定向');

/** What the redirections of a command do. */
export interface Redirected {
  readonly stdin: Feed;
  /** Absolute paths of the files that its output goes to. */
  readonly outputs: readonly string[];
  /** Its output goes nowhere else. */
  readonly silent: boolean;
  /** It is connected to another machine. */
  readonly socket: boolean;
}

export function applyRedirections(
  redirections: readonly Redirection[],
  reader: Reader,
  around: Around,
  findings: Findings,
): Redirected {
  let stdin = around.stdin;
  const outputs: string[] = [];
  let [silent, socket] = [false, false];
  const ground: Ground = { workspace: findings.workspace, cwd: around.shell.cwd };
  for (const redirection of redirections) {
    const descriptor =
      redirection.descriptor?.type === 'FileDescriptor' ? redirection.descriptor.value : undefined;
    if (redirection.type === 'HereDoc') {
      const parts = redirection.body.parts;
      const feed = readBody(
        parts ? { text: redirection.body.text, parts } : { text: redirection.body.text },
        reader,
      );
      stdin = feed;
      if (!redirection.closing)
        findings.report('ask', tell('A here-document has no end.', '有一处 here-document 没有结束标记。'));
      continue;
    }
    if (!redirection.target) continue;
    const [target] = readWord(redirection.target, reader);
    if (!target) continue;
    if (redirection.type === 'HereString') {
      stdin = target.literal
        ? textFeed(`${target.text}\n`)
        : { ...(target.feed ?? OPAQUE), secret: target.secrets.length > 0 || (target.feed?.secret ?? false) };
      continue;
    }
    const { operator } = redirection;
    if (operator.endsWith('&') && /^(?:\d+-?|-)$/.test(target.text)) {
      if (findings.sockets.has(Number.parseInt(target.text, 10))) socket = true;
      continue;
    }
    const full = resolvePath(target.text, ground);
    if (full && /^\/dev\/(?:tcp|udp)\//.test(full)) {
      socket = true;
      findings.outward = true;
      findings.socket = true;
      if (descriptor !== undefined) findings.sockets.add(descriptor);
      if (operator === '<' || operator === '<>' || operator === '<&') stdin = { ...OPAQUE, network: true };
      continue;
    }
    if (operator === '<' || operator === '<&') {
      stdin = inputOf(target, full, ground, findings);
      continue;
    }
    if (target.piped) continue;
    judgeWrite(target, operator.includes('>>') ? 'create' : 'change', ground, findings, REDIRECTION);
    if (operator === '<>') stdin = inputOf(target, full, ground, findings);
    if (descriptor === undefined || descriptor === 1) {
      silent = true;
      if (full) outputs.push(full);
    }
  }
  return { stdin, outputs, silent, socket };
}

function inputOf(target: Arg, full: string | undefined, ground: Ground, findings: Findings): Feed {
  if (target.piped) return target.piped;
  if (full === '/dev/null') return EMPTY;
  const secret = judgeRead(target, ground, findings, REDIRECTION);
  if (findings.watch?.(target, ground) === 'unknown')
    findings.report(
      'ask',
      tell(
        'A redirection reads what cannot be told beforehand, and no sandbox hides anything.',
        '某处重定向读取的内容无法事先得知,且没有沙箱遮挡。',
      ),
    );
  const written = full === undefined ? undefined : findings.files.get(full);
  const feed = written ? joinFeeds(OPAQUE, written) : OPAQUE;
  return { ...feed, opaque: true, secret: secret || feed.secret };
}

function readBody(
  body: {
    readonly text: string;
    readonly parts?: Parameters<Reader['inner']>[0][] | readonly Parameters<Reader['inner']>[0][];
  },
  reader: Reader,
): Feed {
  if (!body.parts) return textFeed(body.text);
  const [arg] = readWord(
    { type: 'Word', text: body.text, value: body.text, pos: 0, end: 0, parts: body.parts },
    reader,
  );
  if (arg?.literal) return textFeed(arg.text);
  const feed = arg?.feed ?? OPAQUE;
  return { ...feed, opaque: true, secret: feed.secret || (arg?.secrets.length ?? 0) > 0 };
}
