import { isKeyRelease, type KeyId, matchesKey } from '@earendil-works/pi-tui';

const KEYS = {
  interrupt: 'ctrl+c',
  escape: 'escape',
  end: 'ctrl+d',
  clear: 'ctrl+l',
  thinking: 'ctrl+t',
  details: 'ctrl+o',
  search: 'ctrl+r',
  suspend: 'ctrl+z',
} as const satisfies Record<string, KeyId>;

export type KeyAction = keyof typeof KEYS;

const ACTIONS = Object.keys(KEYS) as KeyAction[];

/** What a key means to the chat as a whole, if anything. */
export const keyAction = (data: string): KeyAction | undefined =>
  isKeyRelease(data) ? undefined : ACTIONS.find((action) => matchesKey(data, KEYS[action]));
