import { describe, expect, it } from 'vitest';
import { MEMORY_KINDS, MemoryScope } from '#spec/data';
import { homeScope, type MemoryView, notebookFolder, scopesOf, viewOf } from './scopes.ts';

const view = (shared: boolean, more: object = {}): MemoryView => ({
  audience: { source: 'telegram', user: '42', chat: '-100', ...more },
  shared,
});

describe('scopesOf', () => {
  it('shows a person their own, the chat and the team, and a group never what is of a person', () => {
    expect(scopesOf(view(false))).toEqual(['person/telegram/42', 'chat/telegram/-100', 'team']);
    expect(scopesOf(view(true))).toEqual(['chat/telegram/-100', 'team']);
  });

  it('gives valid scopes for any name', () => {
    for (const user of ['', '../..', 'a/b', '王 五', '\ud800', '.', '%'])
      for (const scope of scopesOf(view(false, { user, chat: user })))
        expect(MemoryScope.parse(scope)).toBe(scope);
  });
});

describe('viewOf', () => {
  it('sees the scope as its own, whatever the name', () => {
    for (const name of ['', '../..', 'a/b', '王 五', '.', '%'])
      for (const shared of [true, false]) {
        const given = view(shared, { user: name, chat: name });
        const [own = ''] = scopesOf(given);
        expect(scopesOf(viewOf(own))[0]).toBe(own);
        expect(notebookFolder(viewOf(own))).toBe(notebookFolder(given));
      }
  });

  it('sees nothing of a person for the team', () => {
    expect(scopesOf(viewOf('team'))).toContain('team');
    expect(viewOf('team').shared).toBe(true);
  });
});

describe('homeScope', () => {
  it('keeps what a group says with the group, and what is of the team with the team', () => {
    expect(homeScope('preference', view(false))).toBe('person/telegram/42');
    expect(homeScope('preference', view(true))).toBe('chat/telegram/-100');
    // Many people may have a chat of the same name, such as that of the console.
    expect(homeScope('session_summary', view(false))).toBe('person/telegram/42');
    expect(homeScope('session_summary', view(true))).toBe('chat/telegram/-100');
    expect(homeScope('governance_rule', view(true))).toBe('team');
  });

  it('is always among what the conversation sees', () => {
    for (const kind of MEMORY_KINDS)
      for (const shared of [true, false])
        expect(scopesOf(view(shared))).toContain(homeScope(kind, view(shared)));
  });
});

describe('notebookFolder', () => {
  it('is the home itself for whoever sits at this machine', () => {
    expect(notebookFolder(view(false, { source: 'cli' }))).toBe('');
  });

  it('is one for each person and each group', () => {
    expect(notebookFolder(view(false))).toBe('telegram/people/42');
    expect(notebookFolder(view(true))).toBe('telegram/chats/-100');
  });

  it('never leads out of its place, nor to another one', () => {
    const users = ['..', '.', '', 'a/b', 'a', 'A', 'a b', 'á', '%61', 'x'.repeat(300), 'x'.repeat(301)];
    const folders = users.map((user) => notebookFolder(view(false, { user })));
    for (const folder of folders) expect(folder).toMatch(/^telegram\/people\/[a-z0-9_%-]{1,200}$/);
    expect(new Set(folders).size).toBe(users.length);
    // Not a number that somebody could choose a name for.
    expect(folders.at(-1)).toMatch(/%[0-9a-f]{40}$/);
  });
});
