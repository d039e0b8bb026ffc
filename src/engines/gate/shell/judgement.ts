import { tell, type Text } from '#kit/text';
import type { Verdict } from '#spec/data';
import type { Feed } from './feed.ts';
import { type GuardedPlaces, type Watch, watchPlaces } from './guarded-reach.ts';

/** The words of every command that another parser found in a text. Undefined: it could not read the text. */
export type CommandLister = (text: string) => readonly (readonly string[])[] | undefined;

export interface CommandPlace {
  /** Absolute. Writes below it need no agreement. */
  readonly workspace?: string;
  /** Absolute. Where the command starts; without it, the workspace. */
  readonly cwd?: string;
  /** Programs that may run at all. Without it, all. */
  readonly allowed?: readonly string[];
  /** Commands that may not run, such as `rm -rf` or `sudo`. */
  readonly denied?: readonly string[];
  /** What it reads from its standard input. */
  readonly input?: CommandInput;
  /** What lies open on the machine that the command runs on, though no command may read it. */
  readonly guarded?: GuardedPlaces;
  /** The sandbox holds whatever runs in it: no network, no home of anybody, nothing to write but the working folder. */
  readonly holds?: boolean;
  /** A second opinion about what the commands are. */
  readonly lister?: CommandLister;
}

interface CommandInput {
  readonly text: string;
  /** The command has run for a while: a shell may stand in another folder and have other variables by now. */
  readonly late: boolean;
}

export interface CommandJudgement {
  readonly verdict: Verdict;
  /** What it reaches: 0 only reads, 1 adds, 2 changes or runs, 3 is sensitive. */
  readonly level: 0 | 1 | 2 | 3;
  /** Sentences for a person; empty when it is allowed. */
  readonly reasons: readonly Text[];
  /** Every command that was found, taken out of what wraps it, as far as its words are known. */
  readonly commands: readonly (readonly string[])[];
  /** It sends to or fetches from other machines. */
  readonly outward: boolean;
  /** It reads keys, credentials or the environment. */
  readonly readsPrivate: boolean;
  /** It runs code of a language, or a script: what that does is not all on the line. */
  readonly runsCode: boolean;
}

const RANK: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 };
const MOST_REASONS = 12;
/** Words, parts of words and substitutions. A long script of a person has a few thousand. */
const MOST_STEPS = 20_000;

/** What one judgement has gathered so far. */
export class Findings {
  readonly workspace: string;
  /** A sandbox holds whatever runs. */
  readonly holds: boolean;
  readonly watch: Watch | undefined;
  verdict: Verdict = 'allow';
  level: 0 | 1 | 2 | 3 = 0;
  outward = false;
  readsPrivate = false;
  runsCode = false;
  /** Nothing more is looked at. */
  full = false;
  /** It is connected to another machine by a redirection. */
  socket = false;
  /** Descriptors that lead to another machine. */
  readonly sockets = new Set<number>();
  /** It runs something whose name cannot be told. */
  dynamic = false;
  /** How many files it writes. */
  writes = 0;
  readonly commands: string[][] = [];
  /** What this very command line writes into files, by absolute path. */
  readonly files = new Map<string, Feed>();
  /** Those of them, and folders, that came from other machines. */
  readonly fetched: string[] = [];
  /** Every text that was read as a script, the outermost first. */
  readonly scripts: string[] = [];
  readonly functions = new Set<string>();
  #reasons = new Map<string, { readonly verdict: Verdict; readonly reason: Text }>();
  #parsed = 0;
  #steps = 0;

  constructor(workspace: string, guarded?: GuardedPlaces, holds = false) {
    this.workspace = workspace;
    this.holds = holds;
    this.watch = guarded && watchPlaces(guarded);
  }

  raise(level: 0 | 1 | 2 | 3): void {
    if (level > this.level) this.level = level;
  }

  report(verdict: 'ask' | 'deny', reason: Text): void {
    if (RANK[verdict] > RANK[this.verdict]) this.verdict = verdict;
    this.raise(verdict === 'deny' ? 3 : 2);
    if (this.#reasons.size < MOST_REASONS || verdict === 'deny')
      this.#reasons.set(reason.en, { verdict, reason });
  }

  /** False: there is more of it than can be judged in good time. */
  step(count = 1): boolean {
    this.#steps += count;
    if (this.#steps <= MOST_STEPS) return true;
    if (!this.full)
      this.report(
        'deny',
        tell('It has more parts than can be judged in good time.', '它的组成部分太多,无法及时判断。'),
      );
    this.full = true;
    return false;
  }

  /** Nested scripts are read again; together they may not be much longer than what was given. */
  mayParse(length: number): boolean {
    this.#parsed += length;
    return this.#parsed <= 1_000_000;
  }

  get reasons(): Text[] {
    return [...this.#reasons.values()]
      .sort((one, other) => RANK[other.verdict] - RANK[one.verdict])
      .slice(0, MOST_REASONS)
      .map(({ reason }) => reason);
  }
}
