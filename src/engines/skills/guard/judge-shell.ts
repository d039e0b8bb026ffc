import { judgeCommand } from '#engines/gate';
import { dropHidden } from '#kit/hidden-characters';
import { MOST_SCRIPT } from './limits.ts';
import { lowered, type Severity, type Sighting } from './rule.ts';
import { sendsOwnKeysOnly } from './secrets-sent.ts';
import type { ShellText } from './shell-texts.ts';

/** Reasons of the judge that a procedure may well have: the gate will ask or refuse when its time comes. */
const SOFT: readonly (readonly [reason: RegExp, rule: string, severity: Severity])[] = [
  [
    /fetched (?:from elsewhere|or hidden)|what comes from another machine/,
    'install.runs-what-it-fetches',
    'caution',
  ],
  [/changes or starts Hermes itself/, 'agent.hermes', 'notice'],
  [
    /(?:end or change|would end) Hermes itself|belongs to Hermes|(?:switch|settings) of Hermes|sets HERMES_/,
    'agent.hermes-changed',
    'caution',
  ],
  [/would send [A-Z][A-Z0-9_]+ to another machine/, 'exfiltration.key', 'notice'],
  [
    /stops the machine|ends (?:every process|sessions)|ends the first process/,
    'destruction.stops',
    'caution',
  ],
  [
    /lets a container reach|rights of the machine|gives a container the right|drives the container daemon|enters the namespaces|opens file systems|changes the kernel/,
    'privilege.container',
    'caution',
  ],
  [/loads foreign code into every program/, 'persistence.preload', 'caution'],
  [/more parts than can be judged|longer than/, 'folder.unjudged', 'caution'],
];
/** Reasons that no harmless procedure has. */
const HARD: readonly (readonly [reason: RegExp, rule: string])[] = [
  [
    /a folder that everything else depends on|stop at the root|a device\.|destroys what a disk holds|multiplies itself|whole machine is controlled/,
    'destruction.command',
  ],
  [/gives another machine a shell|lets another machine say/, 'persistence.reverse-shell'],
  [/would send keys/, 'exfiltration.command'],
  [/an encoding hides|hidden by an encoding/, 'obfuscation.command'],
  [
    /letters of different scripts|direction of writing|cannot be seen|control characters/,
    'obfuscation.deceiving-characters',
  ],
  [/metadata service/, 'exfiltration.metadata'],
];
/** Hosts without a name, or without protection on the way. */
const UNSAFE_FETCH = /\bhttp:\/\/(?!localhost|127\.)|https?:\/\/\d{1,3}(?:\.\d{1,3}){3}/i;

/** What the judge of commands thinks of a skill's shell. */
export function judgeShell(texts: readonly ShellText[]): Sighting[] {
  const seen = new Set<string>();
  return texts.flatMap((piece) => {
    if (seen.has(piece.text)) return [];
    seen.add(piece.text);
    if (piece.text.length > MOST_SCRIPT)
      return [
        { line: piece.line, rule: 'folder.unjudged', severity: 'caution', text: piece.text.slice(0, 80) },
      ];
    return judgePiece(piece);
  });
}

function judgePiece(piece: ShellText): Sighting[] {
  const rule = weigh(piece.text);
  if (!rule) return [];
  const [name, severity] = rule;
  const { line, text } = locate(piece, name);
  const doubtful = piece.mentioned || (piece.unsure && severity === 'caution');
  return [{ line, rule: name, severity: doubtful ? lowered(severity) : severity, text }];
}

/** The worst of what the judge says: rule and severity; undefined when it does not refuse. */
function weigh(text: string): readonly [rule: string, severity: Severity] | undefined {
  const judged = judgeCommand(dropHidden(text));
  if (judged.verdict !== 'deny') return undefined;
  const reasons = judged.reasons.map(({ en }) => en);
  for (const [reason, rule] of HARD)
    if (reasons.some((one) => reason.test(one)) && !excused(rule, text)) return [rule, 'dangerous'];
  const soft = SOFT.filter(([reason]) => reasons.some((one) => reason.test(one)));
  const [first] = soft;
  if (!first && HARD.some(([reason]) => reasons.some((one) => reason.test(one)))) return undefined;
  // A refusal that is not known here is taken at its word.
  if (!first) return ['destruction.command', 'dangerous'];
  if (first[1] === 'install.runs-what-it-fetches' && UNSAFE_FETCH.test(text)) return [first[1], 'dangerous'];
  const worst = soft.find(([, , severity]) => severity === 'caution') ?? first;
  return [worst[1], worst[2]];
}

/** The judge sees less of what a key or a field is for than can be told from the whole block. */
function excused(rule: string, text: string): boolean {
  if (rule === 'exfiltration.command') return sendsOwnKeysOnly(text);
  if (rule !== 'exfiltration.metadata') return false;
  return (
    /metadata\\?["']?\s{0,3}[=:]/.test(text) && !/169\.254|metadata\.google|\/\/(?:0x|\d{8,})/i.test(text)
  );
}

/** The line that alone gives the same answer; the first one when only the whole does. */
function locate(piece: ShellText, rule: string): { line: number; text: string } {
  const lines = piece.text.split('\n');
  if (lines.length > 1) {
    for (const [index, text] of lines.entries())
      if (text.trim() !== '' && weigh(text)?.[0] === rule) return { line: piece.line + index, text };
  }
  return { line: piece.line, text: lines.find((line) => line.trim() !== '') ?? '' };
}
