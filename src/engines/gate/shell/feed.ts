/** What is known of the bytes that flow into a command or come out of it. */
export interface Feed {
  /** They came from another machine. */
  readonly network: boolean;
  /** They were written in a form that hides what they say: base64, hexadecimal, rotated letters, reversed. */
  readonly decoded: boolean;
  /** They cannot be known from the command line. */
  readonly opaque: boolean;
  /** Keys, credentials or the environment may be among them. */
  readonly secret: boolean;
  /** Names of files below the working folder, one on each line. */
  readonly listing: boolean;
  /** Known word for word. */
  readonly text?: string;
  /** The literal commands that made them. */
  readonly commands: readonly (readonly string[])[];
}

export const EMPTY: Feed = {
  network: false,
  decoded: false,
  opaque: false,
  secret: false,
  listing: false,
  text: '',
  commands: [],
};

export const OPAQUE: Feed = {
  network: false,
  decoded: false,
  opaque: true,
  secret: false,
  listing: false,
  commands: [],
};

export const textFeed = (text: string): Feed => ({ ...EMPTY, text });

/** Both, in one stream. */
export function joinFeeds(one: Feed, other: Feed): Feed {
  if (one === EMPTY) return other;
  if (other === EMPTY) return one;
  const flags = {
    network: one.network || other.network,
    decoded: one.decoded || other.decoded,
    opaque: one.opaque || other.opaque,
    secret: one.secret || other.secret,
    listing: one.listing && other.listing,
    commands: one.commands.length + other.commands.length > 64 ? [] : [...one.commands, ...other.commands],
  };
  const known =
    one.text !== undefined && other.text !== undefined && one.text.length + other.text.length < 65_536;
  return known ? { ...flags, text: `${one.text}${other.text}` } : flags;
}

/** The same origin, but no longer known word for word. */
export function blurred(feed: Feed): Feed {
  const { text: _, ...rest } = feed;
  return { ...rest, opaque: true };
}
