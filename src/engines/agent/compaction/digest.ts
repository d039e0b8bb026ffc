import type { StoredMessage } from '#spec/data';

const LONGEST_LINE = 240;

/** A text for people and models, cut to one line. */
function line(text: string, most = LONGEST_LINE): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim();
  return flat.length > most ? `${flat.slice(0, most - 1)}…` : flat;
}

/**
 * What happened, without a model: the user's requests in their own words, the calls made and how they ended, the
 * files touched, what was answered. Deterministic, so that the same conversation gives the same digest.
 */
export function digest(messages: readonly StoredMessage[], mostChars: number): string {
  const earlier: string[] = [];
  const entries: string[] = [];
  const files = new Set<string>();
  for (const { message, kind } of messages) {
    const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    if (kind === 'digest') earlier.push(text.replace(/^\[Earlier conversation[^\]]*\]\n?/, ''));
    else if (kind === 'notice') continue;
    else if (message.role === 'user') entries.push(`User: ${line(text, 600)}`);
    else if (message.role === 'tool')
      entries.push(`  ${message.isError ? 'failed' : 'gave'}: ${line(text, 160)}`);
    else {
      if (text.trim()) entries.push(`Hermes: ${line(text)}`);
      for (const part of message.content) {
        if (part.type !== 'tool_call') continue;
        entries.push(`  called ${part.name} ${line(part.arguments, 160)}`);
        for (const [, path] of part.arguments.matchAll(/"path"\s*:\s*"([^"]+)"/g)) if (path) files.add(path);
      }
    }
  }
  const parts = [
    ...earlier,
    ...(files.size ? [`Files: ${[...files].slice(0, 40).join(', ')}`] : []),
    ...newestThatFit(entries, Math.max(400, mostChars - earlier.join('\n').length)),
  ];
  return parts.join('\n').slice(-mostChars);
}

/** The user's words come first when there is no room for everything. */
function newestThatFit(entries: readonly string[], room: number): string[] {
  const kept = new Set<number>();
  const take = (wanted: (entry: string) => boolean) => {
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = entries[i] as string;
      if (kept.has(i) || !wanted(entry) || entry.length + 1 > room) continue;
      room -= entry.length + 1;
      kept.add(i);
    }
  };
  take((entry) => entry.startsWith('User:'));
  take(() => true);
  const left = entries.length - kept.size;
  const shown = entries.filter((_, i) => kept.has(i));
  return left ? [...shown, `(${left} smaller steps left out; session_search finds them)`] : shown;
}
