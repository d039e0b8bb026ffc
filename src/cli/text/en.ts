import type { ErrorCode } from '#spec/data';

interface ErrorText {
  readonly title: string;
  readonly hint?: string;
}

const errors: Record<ErrorCode, ErrorText> = {
  'model.auth': {
    title: 'The provider does not accept the key',
    hint: 'hermes config set llm.api_key <key>',
  },
  'model.permission': {
    title: 'The key may not do this',
    hint: 'Check the plan, region and access of the key.',
  },
  'model.billing': {
    title: 'The account has no credit left',
    hint: 'Top it up, or add a fallback: hermes config edit (llm.fallback)',
  },
  'model.rate_limited': {
    title: 'Rate limited',
    hint: 'Wait, add a key (llm.credentials.keys) or a fallback (llm.fallback).',
  },
  'model.overloaded': {
    title: 'The provider is overloaded',
    hint: 'Try again in a moment, or add a fallback (llm.fallback).',
  },
  'model.server': { title: 'The provider failed' },
  'model.timeout': { title: 'No answer in time', hint: 'The limits are llm.timeouts in the configuration.' },
  'model.network': {
    title: 'The provider cannot be reached',
    hint: 'Check the address (llm.base_url), the network and the proxy.',
  },
  'model.stalled': { title: 'The answer stopped coming' },
  'model.cut': { title: 'The answer was cut off' },
  'model.bad_response': { title: 'The provider sent something that cannot be read' },
  'model.context_overflow': {
    title: 'The conversation is too long for the model',
    hint: 'Start anew, send less, or pick a model with a larger window.',
  },
  'model.payload_too_large': {
    title: 'The request is too large',
    hint: 'Send fewer or smaller images and files.',
  },
  'model.not_found': {
    title: 'The provider does not have this model',
    hint: 'hermes model list <provider> shows what it has',
  },
  'model.format': { title: 'The provider rejects the request' },
  'model.thinking_signature': { title: 'The provider rejects earlier thinking' },
  'model.content_filter': { title: "The provider's filter stopped the answer" },
  'model.unconfigured': { title: 'The model is not set up', hint: 'hermes model' },
  'config.invalid': { title: 'The configuration has a mistake' },
  'config.unreadable': { title: 'The configuration cannot be read' },
  'profile.not_found': { title: 'No such profile' },
  'profile.invalid': { title: 'Not a profile name' },
  'input.invalid': { title: 'That input cannot be used' },
  internal: { title: 'Hermes made a mistake', hint: 'Please report it with the lines below.' },
};

export const en = {
  description: 'An always-on agent for the people who run production systems',
  options: {
    profile: 'use another home (hermes profile list)',
    version: 'show the version',
    help: 'show this help',
  },
  unknownCommand: (name: string, meant?: string) =>
    `There is no command '${name}'${meant ? `; did you mean '${meant}'?` : '.'} hermes --help lists them.`,
  triedTimes: (count: number) => `after ${count} attempts`,
  errors,
  attempt: {
    retry: (seconds: string) => `trying again in ${seconds} s`,
    rotate: (key: string) => `trying with ${key}`,
    failover: (model: string) => `turning to ${model}`,
  },
  stopped: 'stopped',
  cutShort: 'The answer reached its length limit (llm.max_tokens).',
  left_out: (count: number) => `(${count} older messages left out: the model's window is small)`,
  run: {
    prompt: 'the message; - adds what comes through a pipe',
    model: 'provider/model for this run',
    image: 'attach an image (png, jpeg, gif, webp); may be repeated',
    thinking: 'off, low, medium or high',
    json: 'one JSON event a line instead of text',
    nothing: 'Nothing to answer: give a message, or - and pipe it in.',
    badImage: (path: string) => `${path} is not a png, jpeg, gif or webp image`,
    noImage: (path: string, why: string) => `${path} cannot be read (${why})`,
    badThinking: (value: string) => `--thinking takes off, low, medium or high, not '${value}'`,
  },
  chat: {
    welcome: (version: string, model: string) =>
      `Hermes ${version}, ${model}. An empty line or Ctrl-D leaves.`,
    operator: 'the built-in operator (no model connected: hermes model)',
    prompt: 'you › ',
  },
  model: {
    list: 'providers and what they need, or the models of one',
    all: 'also those that are not set up',
    test: 'ask a model one question and report what came back',
    use: 'make a model the one that answers',
    pick: 'Which provider?',
    pickModel: 'Which model?',
    enterKey: (name: string) => `Key (kept in .env as ${name})`,
    cancelled: 'Nothing was changed.',
    none: 'No provider is set up. hermes model list --all shows all of them.',
    columns: { provider: 'provider', state: 'state', model: 'model', key: 'key' },
    states: {
      'key set': 'key set',
      answers: 'answers',
      'no key': 'no key',
      'not running': 'not running',
      'needs address': 'needs an address',
    },
    current: (name: string) => `Answering now: ${name}`,
    operator: 'the built-in operator (no model)',
    using: (name: string, path: string) => `${name} answers from now on (${path}).`,
    noList: (provider: string) => `${provider} does not list its models, or could not be reached.`,
    window: 'window',
    price: '$/M in · out',
    testOk: (name: string) => `${name} works`,
    firstText: 'first text',
    total: 'whole answer',
    tokens: 'tokens',
    cost: 'cost',
  },
  config: {
    get: 'show a value or a group',
    set: 'change a value; keys go to .env',
    unset: 'go back to the default',
    list: 'every setting with its value and meaning',
    edit: 'open config.yaml in your editor and check it',
    path: 'where config.yaml is',
    wrote: (path: string, file: string) => `${path} is set in ${file}.`,
    wroteSecret: (path: string, name: string, file: string) =>
      `${path} is kept as ${name} in ${file}; config.yaml refers to it.`,
    unsetDone: (path: string) => `${path} is back at its default.`,
    unsetNothing: (path: string) => `${path} was not set.`,
    fine: 'The configuration is fine.',
    noEditor: 'Set EDITOR to the editor to open it with.',
    again: 'It was saved as you left it; nothing uses it until it is mended.',
    overridden: (path: string, variable: string) => `Note: ${variable} in the environment overrides ${path}.`,
  },
  profile: {
    list: 'the profiles, the active one marked',
    create: 'make a new profile',
    base: 'copy the settings of this one',
    switch: 'use a profile from now on',
    import: 'make a profile out of profiles/<name>.yaml',
    created: (name: string, root: string) => `Profile ${name} is in ${root}.`,
    switched: (name: string) => `Profile ${name} is used from now on.`,
    active: 'active',
  },
  doctor: {
    online: 'also ask the configured model',
    good: 'Everything is fine.',
    warned: (count: number) => `${count} to look at.`,
    bad: (count: number) => `${count} to mend.`,
  },
  testkit: {
    server: 'a scripted model server on this machine, to try Hermes without a key',
    port: 'port to listen on',
    script: 'a YAML or JSON file with rules and replies',
    fault: 'a fault for every answer, such as stall;afterFrames=3',
    listening: (url: string) => `Scripted models at ${url} (Ctrl-C stops)`,
    tryIt: 'Try it from another terminal:',
  },
};

/** Every text of the command line. The Chinese texts have the same shape. */
export type Text = typeof en;
