import { describe, expect, it } from 'vitest';
import { loadScript } from './load-script.ts';

describe('a script file', () => {
  it('is YAML or JSON', () => {
    const yaml =
      'models:\n  - id: a\n    contextWindow: 100\nrules:\n  - when: { contains: hi }\n    reply: { text: Hello }\n';
    const script = loadScript(yaml, 'demo.yaml');
    expect(script).toEqual({
      models: [{ id: 'a', contextWindow: 100 }],
      rules: [{ when: { contains: 'hi' }, reply: { text: 'Hello' } }],
    });
    expect(loadScript(JSON.stringify(script), 'demo.json')).toEqual(script);
  });

  it.each([
    [
      'a misspelt field',
      { rules: [{ when: {}, reply: { txt: 'x' } }] },
      'f: script.rules[0].reply.txt is not known; did you mean `text`?',
    ],
    [
      'a misspelt field in a list',
      { rules: [{ when: {}, reply: [{ text: 'a' }, { stp: 'end' }] }] },
      'f: script.rules[0].reply[1].stp is not known; did you mean `stop`?',
    ],
    [
      'a wrong kind',
      { rules: [{ when: {}, reply: { text: 5 } }] },
      'f: script.rules[0].reply.text: Invalid input: expected string',
    ],
    [
      'a stop that does not exist',
      { rules: [{ when: {}, reply: { text: 'a', stop: 'never' } }] },
      'f: script.rules[0].reply.stop: Invalid option',
    ],
    [
      'a call without a name',
      { rules: [{ when: {}, reply: { toolCalls: [{ arguments: {} }] } }] },
      'f: script.rules[0].reply.toolCalls[0].name: Invalid input',
    ],
    [
      'a bad regular expression',
      { rules: [{ when: { matches: '(' }, reply: {} }] },
      'f: script.rules[0].when.matches: is not a regular expression',
    ],
    [
      'a rule that says nothing',
      { rules: [{ when: {} }] },
      'f: script.rules[0]: needs a `reply` or a `fault`',
    ],
    [
      'a setting of another fault',
      { rules: [{ when: {}, fault: { kind: 'auth', ms: 1 } }] },
      'f: script.rules[0].fault.ms: is not a setting of auth',
    ],
    [
      'a fault that does not exist',
      { rules: [{ when: {}, fault: { kind: 'fire' } }] },
      'f: script.rules[0].fault.kind: Invalid option',
    ],
    [
      'a window that is none',
      { models: [{ id: 'a', contextWindow: 0 }], rules: [] },
      'f: script.models[0].contextWindow: Too small',
    ],
    ['no rules', {}, 'f: script.rules: Invalid input'],
    ['something else entirely', 'hello', 'f: script : Invalid input: expected object'],
  ])('%s is named by its path', (_, script, message) => {
    expect(() => loadScript(JSON.stringify(script), 'f')).toThrow(message);
  });

  it('names every mistake, not only the first', () => {
    const script = { keis: [], rules: [{ when: { turns: 1 }, reply: { text: 'x' } }] };
    expect(() => loadScript(JSON.stringify(script), 'f')).toThrow(
      /did you mean `turn`\?[^]*did you mean `keys`\?/,
    );
  });

  it('says where YAML breaks', () => {
    expect(() => loadScript('rules:\n  - when: {contains: "hi\n', 'demo.yaml')).toThrow(
      /^demo\.yaml: .*line 3/s,
    );
  });
});
