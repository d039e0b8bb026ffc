import { tell } from '#kit/text';
import { literal } from './arg.ts';
import { EMPTY, textFeed } from './feed.ts';
import { judgeWrite } from './file-rules.ts';
import { type CommandJudgement, type CommandPlace, Findings } from './judgement.ts';
import { SOME_FOLDER } from './paths.ts';
import { crossCheck } from './cross-check.ts';
import { judgeScript } from './simple-command.ts';
import { displayTrick } from './text-checks.ts';

/**
 * Judges a command line for `bash -c` without running anything: deny is a floor that nothing lifts, ask needs a person,
 * allow may run at once. Whatever cannot be understood asks. Never throws; its time grows with the length of the text.
 */
export function judgeCommand(text: string, place: CommandPlace = {}): CommandJudgement {
  const workspace = trimSlash(place.workspace ?? place.cwd ?? SOME_FOLDER);
  const findings = new Findings(workspace, place.guarded, place.holds);
  const { input } = place;
  const trick = displayTrick(text);
  if (trick) findings.report('deny', trick);
  judgeScript(
    text,
    {
      shell: { cwd: trimSlash(place.cwd ?? workspace), variables: startVariables() },
      stdin: input ? textFeed(input.text) : EMPTY,
      late: input?.late ?? false,
      depth: 0,
      sure: true,
      endless: false,
      background: false,
      piped: false,
      elsewhere: false,
      functions: [],
      unrolled: false,
    },
    findings,
    place,
  );
  if (findings.socket && findings.dynamic)
    findings.report('deny', tell('It lets another machine say what to run.', '它让另一台机器决定运行什么。'));
  if (place.lister && findings.verdict === 'allow') crossCheck(place.lister, findings);
  return judgementOf(findings);
}

/** Judges that a tool writes a file, by what a command that writes it would be judged by. */
export function judgeWrittenFile(
  path: string,
  place: Pick<CommandPlace, 'workspace' | 'cwd'>,
): CommandJudgement {
  const workspace = trimSlash(place.workspace ?? place.cwd ?? SOME_FOLDER);
  const findings = new Findings(workspace);
  judgeWrite(
    literal(path),
    'change',
    { workspace, cwd: trimSlash(place.cwd ?? workspace) },
    findings,
    tell('It', '它'),
  );
  return judgementOf(findings);
}

const judgementOf = (findings: Findings): CommandJudgement => ({
  verdict: findings.verdict,
  level: findings.level,
  reasons: findings.reasons,
  commands: findings.commands,
  outward: findings.outward,
  readsPrivate: findings.readsPrivate,
  runsCode: findings.runsCode,
});

/** Variables that every shell has, as far as their values matter for paths. */
const startVariables = (): Map<string, string | undefined> =>
  new Map([
    ['HOME', '/~'],
    ['PWD', '.'],
    ['TMPDIR', '/tmp/tmpdir'],
  ]);

const trimSlash = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, '') : path);
