import { missingResults } from '#engines/agent';
import { newId } from '#kit/new-id';
import type {
  AgentEvent,
  Audience,
  FrozenPrefix,
  Message,
  Session,
  StoredMessage,
  Todo,
  Usage,
} from '#spec/data';
import type { Fact, SessionStore, Transcript, TranscriptEntry } from '#spec/ports';

export interface Stores {
  readonly sessions: SessionStore;
  readonly transcript: Transcript;
}

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };

/** One conversation in memory, in step with the store: what is here has been written there. */
export class SessionState {
  session: Session;
  prefix: FrozenPrefix | undefined;
  messages: StoredMessage[] = [];
  todos: readonly Todo[] = [];
  context = { used: 0, window: 0 };
  /** The sequence number of the newest fact. */
  seq = 0;
  readonly #stores: Stores;
  readonly #now: () => number;

  private constructor(stores: Stores, session: Session, now: () => number) {
    this.#stores = stores;
    this.session = session;
    this.#now = now;
  }

  /** A new conversation. Nothing is stored before something is said in it. */
  static begin(stores: Stores, audience: Audience, cwd: string, now: () => number): SessionState {
    const at = now();
    const session: Session = {
      ...audience,
      id: newId('ses'),
      cwd,
      createdAt: at,
      updatedAt: at,
      messages: 0,
      usage: NOTHING,
      cost: 0,
    };
    return new SessionState(stores, session, now);
  }

  /** A stored conversation, made whole again if the process that led it was killed. */
  static async resume(stores: Stores, id: string, now: () => number): Promise<SessionState | undefined> {
    const found = await stores.sessions.get(id);
    if (!found) return undefined;
    const state = new SessionState(stores, found.session, now);
    state.prefix = found.prefix;
    state.messages = [...(await stores.transcript.read(id))];
    const facts = await stores.transcript.facts(id, 0, Number.MAX_SAFE_INTEGER);
    state.seq = facts.at(-1)?.seq ?? 0;
    state.#recallFacts(facts);
    await state.#mend();
    return state;
  }

  get started(): boolean {
    return this.prefix !== undefined;
  }

  get turn(): number {
    return this.messages.at(-1)?.turn ?? 0;
  }

  history(): readonly Message[] {
    return this.messages.map(({ message }) => message);
  }

  async start(prefix: FrozenPrefix): Promise<void> {
    await this.#stores.sessions.create(this.session, prefix);
    this.prefix = prefix;
  }

  entry(message: Message, turn: number, more: Partial<TranscriptEntry> = {}): TranscriptEntry {
    return { id: newId('msg'), turn, at: this.#now(), state: 'active', kind: 'plain', message, ...more };
  }

  /** Writes messages and facts; the events of the facts are returned. */
  async append(
    entries: readonly TranscriptEntry[],
    facts: readonly { type: string; data: unknown }[],
  ): Promise<readonly AgentEvent[]> {
    const at = this.#now();
    const added = entries.map(({ id, message }) => ({
      type: 'message.added',
      data: { message: id, role: message.role },
    }));
    const all: Fact[] = [...added, ...facts].map((fact) => ({ ...fact, at }));
    const stored = await this.#stores.transcript.append(this.session.id, entries, all);
    this.messages.push(...stored);
    this.#count(entries);
    return all.map((fact) => this.#event(fact));
  }

  /** Puts messages away and lets others take their place. */
  async replace(
    ids: readonly string[],
    state: 'archived' | 'undone',
    entries: readonly TranscriptEntry[],
    facts: readonly { type: string; data: unknown }[],
  ): Promise<readonly AgentEvent[]> {
    const at = this.#now();
    const all: Fact[] = facts.map((fact) => ({ ...fact, at }));
    await this.#stores.transcript.rewrite(this.session.id, { ids, state, entries }, all);
    this.messages = [...(await this.#stores.transcript.read(this.session.id))];
    return all.map((fact) => this.#event(fact));
  }

  async name(title: string): Promise<void> {
    if (this.started) await this.#stores.sessions.update(this.session.id, { title });
    this.session = { ...this.session, title };
  }

  async answeredBy(model: string): Promise<void> {
    if (this.session.model === model) return;
    await this.#stores.sessions.update(this.session.id, { model });
    this.session = { ...this.session, model };
  }

  /** A new session that shares everything said so far and goes its own way from here. */
  async fork(): Promise<SessionState> {
    // Nothing has been said: there is nothing to share yet, and no stored session to be the parent.
    if (!this.prefix) return this;
    const last = this.messages.at(-1);
    const at = this.#now();
    const title = `${this.session.title ?? ''} (fork)`.trim();
    const parent = { id: this.session.id, seq: last?.seq ?? 0 };
    const session = {
      ...this.session,
      id: newId('ses'),
      title,
      parent,
      createdAt: at,
      updatedAt: at,
      messages: 0,
      usage: NOTHING,
      cost: 0,
    };
    const copy = new SessionState(this.#stores, session, this.#now);
    await copy.start(this.prefix);
    const entries = this.messages.map(({ message, turn, kind, at: saidAt }) =>
      copy.entry(message, turn, { kind, at: saidAt }),
    );
    const plan = this.todos.length ? [{ type: 'plan.changed', data: { todos: this.todos } }] : [];
    await copy.append(entries, plan);
    copy.todos = this.todos;
    copy.context = this.context;
    return copy;
  }

  /** What was shown of an answer that never became complete is part of the conversation; open calls get a result. */
  async #mend(): Promise<void> {
    const draft = await this.#stores.transcript.takeDraft(this.session.id);
    const turn = Math.max(1, this.turn);
    const missing = missingResults(this.history());
    if (missing.length)
      await this.append(
        missing.map((message) => this.entry(message, turn)),
        [],
      );
    if (!draft) return;
    const [provider = '', model = ''] = (this.session.model ?? 'local/operator').split(/\/(.*)/);
    const origin = { provider, model, protocol: 'local' } as const;
    const message: Message = { role: 'assistant', content: [{ type: 'text', text: draft }], origin };
    await this.append([this.entry(message, turn)], []);
  }

  #recallFacts(facts: readonly AgentEvent[]): void {
    const spent = facts.findLast(({ type }) => type === 'usage.recorded');
    if (spent?.type === 'usage.recorded')
      this.context = { used: spent.data.context, window: spent.data.window };
    const planned = facts.findLast(({ type }) => type === 'plan.changed');
    if (planned?.type === 'plan.changed') this.todos = planned.data.todos;
  }

  #count(entries: readonly TranscriptEntry[]): void {
    const { usage, cost, messages } = this.session;
    const sum = { ...usage };
    let spent = cost;
    for (const entry of entries) {
      spent += entry.cost ?? 0;
      for (const kind of Object.keys(sum) as (keyof Usage)[]) sum[kind] += entry.usage?.[kind] ?? 0;
    }
    this.session = {
      ...this.session,
      usage: sum,
      cost: spent,
      messages: messages + entries.length,
      updatedAt: this.#now(),
    };
  }

  #event({ type, data, at }: Fact): AgentEvent {
    this.seq++;
    const event = {
      id: `${this.session.id}:${this.seq}`,
      seq: this.seq,
      at: new Date(at).toISOString(),
      stream: this.session.id,
      type,
      data,
    };
    return event as AgentEvent;
  }
}
