import type { HubSource, LockedFile } from '#spec/data';

/** A plain file of a skill's folder, relative to it, with `/`. */
export interface HubFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a source holds. Names are as they were found there: whoever reads them checks them. */
export interface FetchedTree {
  readonly files: readonly HubFile[];
  /** Links, devices and other repositories: named, and never made. */
  readonly odd: readonly string[];
  /** Of a git repository. */
  readonly commit?: string;
  /** Where it came from in the end, after redirects. */
  readonly from: string;
}

/** Brings skills from elsewhere. Nothing that it brings is run, and nothing of it is on disk afterwards. */
export interface HubFetcher {
  fetch(source: HubSource, signal: AbortSignal): Promise<FetchedTree>;
  /** The text of a registry's index, from an address or a file. */
  readIndex(at: string, signal: AbortSignal): Promise<string>;
}

/** A folder that goes from quarantine into the skills, and what the lockfile says once it is there. */
export interface HubMove {
  /** Of the quarantine. */
  readonly id: string;
  /** Target, relative to the skills of the home. */
  readonly path: string;
  /** A folder that stands there may go. */
  readonly replace: boolean;
  /** The files as they were judged. A folder that differs from them does not stay. */
  readonly files: readonly LockedFile[];
  readonly lock: string;
}

/**
 * The skills of the home as the hub sees them. `place` and `remove` change the folder and the lockfile together: after a
 * crash, `recover` finishes what was decided and clears away the rest.
 */
export interface HubPlace {
  /** Undefined when there is no lockfile. */
  readLock(): Promise<string | undefined>;
  /** Files of a folder; undefined when there is none. Links are named, not followed. */
  read(
    path: string,
  ): Promise<{ readonly files: readonly HubFile[]; readonly links: readonly string[] } | undefined>;
  /** Puts files in quarantine and gives back what then lies there: that is what is judged. */
  quarantine(id: string, files: readonly HubFile[]): Promise<readonly HubFile[]>;
  /** Forgets what is in quarantine. */
  discard(id: string): Promise<void>;
  place(move: HubMove): Promise<void>;
  /** The folder goes (undefined: none does), the lockfile becomes `lock`. */
  remove(path: string | undefined, lock: string): Promise<void>;
  /** One at a time among all processes, with the place cleared of what others left half done. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** Where `publish` leaves what it made. */
export interface HubOutlet {
  /** The archive's bytes for a tree: the same tree gives the same bytes. */
  pack(folder: string, files: readonly HubFile[]): Uint8Array;
  /** Replaces a file as a whole. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there is none. */
  read(path: string): Promise<string | undefined>;
}
