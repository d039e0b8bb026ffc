import { createHash } from 'node:crypto';
import type { Audience, MemoryKind, MemoryScope } from '#spec/data';

/** Where a conversation takes place, as far as it decides what it may see. */
export interface MemoryView {
  readonly audience: Audience;
  /** Others listen: a group, a channel. What is of a person is neither shown nor kept there. */
  readonly shared: boolean;
}

const TEAM: MemoryScope = 'team';

/** Kinds that are of everybody who works with this home, wherever they were said. */
const TEAM_KINDS: ReadonlySet<MemoryKind> = new Set<MemoryKind>([
  'incident_summary',
  'fault_pattern',
  'service_profile',
  'governance_rule',
  'team_preference',
]);

/** What a conversation sees, the nearest first. A group never sees what is of a person. */
export function scopesOf({ audience, shared }: MemoryView): MemoryScope[] {
  const chat = chatScope(audience);
  return shared ? [chat, TEAM] : [personScope(audience), chat, TEAM];
}

/** Where something new of a kind belongs. */
export function homeScope(kind: MemoryKind, { audience, shared }: MemoryView): MemoryScope {
  if (TEAM_KINDS.has(kind)) return TEAM;
  return shared ? chatScope(audience) : personScope(audience);
}

/**
 * A conversation that sees this scope as its own, for whoever looks after what belongs to others. That of the team is
 * seen by all: it is that of a group that nobody is in.
 */
export function viewOf(scope: MemoryScope): MemoryView {
  const [kind, source = '', name = ''] = scope
    .split('/')
    .map((each) => (each === '%' ? '' : decodeURIComponent(each)));
  if (kind === 'person') return { audience: { source, user: name, chat: '' }, shared: false };
  return { audience: { source, user: '', chat: name }, shared: true };
}

/**
 * The folder of a conversation's notebooks, relative to those of the home: empty for whoever sits at this machine.
 * Two audiences never share one, also where file names ignore case.
 */
export function notebookFolder({ audience, shared }: MemoryView): string {
  if (audience.source === 'cli') return '';
  const [kind, id] = shared ? ['chats', audience.chat] : ['people', audience.user];
  return `${folderName(audience.source)}/${kind}/${folderName(id)}`;
}

const personScope = ({ source, user }: Audience): MemoryScope => `person/${part(source)}/${part(user)}`;
const chatScope = ({ source, chat }: Audience): MemoryScope => `chat/${part(source)}/${part(chat)}`;

/** A lone `%` is never the encoding of anything else. */
const part = (text: string): string => encodeURIComponent(text.toWellFormed()) || '%';

const PLAIN = /[a-z0-9_-]/;
const LONGEST = 180;

/**
 * A text as the name of a folder. Everything but small letters, digits, `_` and `-` is written as `%` and its bytes, so
 * that neither `..` nor a different case can lead to another one's folder.
 */
function folderName(text: string): string {
  const bytes = new TextEncoder().encode(text.toWellFormed());
  const encoded = Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte);
    return PLAIN.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
  if (encoded.length <= LONGEST) return encoded || '%';
  // A name that is too long for a file system keeps its beginning and gets a digest of all of it: whoever chooses their
  // own name must not be able to choose one that ends in the folder of another.
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 40);
  return `${encoded.slice(0, LONGEST - digest.length - 1)}%${digest}`;
}
