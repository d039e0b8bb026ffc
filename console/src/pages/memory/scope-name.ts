import type { Words } from '../../domains/language/define-text.ts';
import type { memoryText } from './text.ts';

type Names = Words<(typeof memoryText)['en']>['scope'];

/** Whose memory it is, as people say it: `anna · console` for `person/console/anna`. */
export function scopeName(scope: string, names: Names): string {
  if (scope === 'team') return names.team;
  const [kind = '', source = '', name = ''] = scope.split('/').map(decoded);
  if (kind === 'chat') return `${names.chat} ${name} · ${source}`;
  return `${name} · ${source === 'cli' ? names.terminal : source}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone % stands for an empty name.
    return part;
  }
}
