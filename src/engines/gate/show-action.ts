import { cutMiddle } from '#kit/cut-middle';
import { hasHidden, showHidden } from '#kit/hidden-characters';
import type { Action } from '#spec/data';
import { canonicalJson } from './digest.ts';

const MOST_CHARS = 4_000;

export interface ShownAction {
  readonly shown: string;
  /** Everything is to be seen: nothing was cut, hidden or redacted. */
  readonly whole: boolean;
}

/** What a person reads before agreeing: no character that hides or reorders others, no secret, a bounded length. */
export function showAction(action: Omit<Action, 'shown'>, redact: (text: string) => string): ShownAction {
  const text = describe(action);
  const clean = redact(text);
  const visible = showHidden(clean).replaceAll('\r', '⟪U+000D⟫');
  const whole = clean === text && !hasHidden(text) && !text.includes('\r') && visible.length <= MOST_CHARS;
  return { shown: cutMiddle(visible, MOST_CHARS), whole };
}

/** Where it would really run. A sandbox on this machine is not the machine: what is restarted there is not restarted here. */
function placeLine({ cwd, backend, isolation, where }: NonNullable<Action['place']>): string {
  if (where === undefined) return `in ${cwd} on ${backend}`;
  const named = where.split(/[\s',]+/).includes(backend) ? '' : ` (backend '${backend}')`;
  return `in ${cwd} ${where}${named}${isolation === 'process' ? ', not on the machine itself' : ''}`;
}

function describe({ tool, input, command, code, place }: Omit<Action, 'shown'>): string {
  const where = place ? [placeLine(place)] : [];
  if (command) {
    const env = Object.entries(command.env).map(([name, value]) => `with ${name}=${value}`);
    const left = command.background ? ['left running'] : [];
    const typed = command.input === undefined ? [] : ['given as input:', command.input.trimEnd()];
    return [command.text, ...where, ...env, ...left, ...typed].join('\n');
  }
  if (code) return [`${code.language}:`, code.text, ...where].join('\n');
  return `${tool} ${canonicalJson(input ?? {})}`;
}
