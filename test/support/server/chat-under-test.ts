import { type ScriptedApi, scriptedApi, sentBody } from './scripted-api.ts';

/** As much of the scripted model as the tests of this folder need outside their own files. */
interface ModelUnderTest {
  readonly url: string;
  readonly requests: readonly { readonly body: unknown }[];
  reset(): void;
  close(): Promise<void>;
}

/** A whole answer, as far as tests look at it. */
export interface Completion {
  readonly id: string;
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: {
      readonly role: string;
      readonly content: string | null;
      readonly tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
    };
  }[];
  readonly usage: Record<string, unknown>;
  readonly x_hermes: {
    readonly session?: string;
    readonly progress: readonly { type: string; name?: string }[];
  };
  readonly error?: Record<string, unknown>;
}

export const user = (content: unknown) => ({ role: 'user', content });
export const ask = (content: unknown, more: object = {}) => ({
  model: 'hermes',
  messages: [user(content)],
  ...more,
});
export const calling = (name: string, args: object) => ({
  toolCalls: [{ name, arguments: args as Record<string, never> }],
});
/** A tool that a client brings. */
export const WEATHER = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

/** Chat completions in front of a home of their own for each test; the model stays for all tests of a file. */
export class ChatUnderTest<Model extends ModelUnderTest> {
  readonly #start: () => Promise<Model>;
  #model: Model | undefined;
  #api: ScriptedApi | undefined;

  constructor(start: () => Promise<Model>) {
    this.#start = start;
  }

  get model(): Model {
    if (!this.#model) throw new Error('the model was not started');
    return this.#model;
  }

  get api(): ScriptedApi {
    if (!this.#api) throw new Error('the API was not opened');
    return this.#api;
  }

  async open(): Promise<void> {
    this.#model ??= await this.#start();
    this.#model.reset();
    this.#api = await scriptedApi(this.#model.url);
  }

  close(): Promise<void> {
    return this.api.close();
  }

  stop(): Promise<void> {
    return this.model.close();
  }

  post(body: unknown, more: Parameters<ScriptedApi['post']>[2] = {}): Promise<Response> {
    return this.api.post('/v1/chat/completions', body, more);
  }

  /** The answer to a request that must succeed. */
  async complete(body: object, headers: Record<string, string> = {}): Promise<Completion> {
    const response = await this.post(body, { headers });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as Completion;
  }

  /** The messages that the model was sent in its last request, without the system prompt. */
  sentMessages(): readonly Readonly<Record<string, unknown>>[] {
    return sentBody(this.model).messages.filter(({ role }) => role !== 'system');
  }
}
