import { expect, it } from 'vitest';
import { scopeName } from './scope-name.ts';
import { memoryText } from './text.ts';

it.each([
  ['team', 'Team'],
  ['person/cli/me', 'me · terminal'],
  ['person/console/%E7%8E%8B%20%E4%BA%94', '王 五 · console'],
  ['chat/telegram/-100', 'chat -100 · telegram'],
  ['person/api/%', '% · api'],
])('%s is %s', (scope, name) => {
  expect(scopeName(scope, memoryText.en.scope)).toBe(name);
});
