import { describe, expect, it } from 'vitest';
import { fuzzyReplace } from './fuzzy-replace.ts';

const edited = (text: string, old: string, fresh: string, all?: boolean) => {
  const edit = fuzzyReplace(text, old, fresh, all);
  return edit.ok ? { text: edit.text, how: edit.how } : edit.problem;
};

describe('fuzzyReplace', () => {
  it.each([
    ['exact', 'a b c', 'b', 'X', 'a X c', 'exact'],
    ['exact over lines', 'a\nb\nc\n', 'a\nb\n', 'x\n', 'x\nc\n', 'exact'],
    [
      'spaces at line ends in the file',
      'if x:  \n  y\t\nz\n',
      'if x:\n  y',
      'if w:\n  y',
      'if w:\n  y\nz\n',
      'spaces at line ends',
    ],
    ['spaces at line ends asked for', 'a\nb\n', 'a  \nb ', 'c', 'c\n', 'spaces at line ends'],
    [
      'indentation',
      'class A:\n    def f(self):\n        return 1\n',
      'def f(self):\n    return 1\n',
      'def f(self):\n    if x:\n        return 2\n    return 1\n',
      'class A:\n    def f(self):\n        if x:\n            return 2\n        return 1\n',
      'indentation',
    ],
    [
      'too much indentation',
      'a:\n  b\n  c\n',
      '      b\n      c',
      '      b\n        d',
      'a:\n  b\n    d\n',
      'indentation',
    ],
    [
      'tabs in the file, spaces asked for',
      'f() {\n\tif (a) {\n\t\tb();\n\t}\n}\n',
      '  if (a) {\n    b();\n  }',
      '  if (a) {\n    b();\n    if (c) {\n      d();\n    }\n  }',
      'f() {\n\tif (a) {\n\t\tb();\n\t\tif (c) {\n\t\t\td();\n\t\t}\n\t}\n}\n',
      'trimmed lines',
    ],
    ['uneven indentation', '  a\n      b\n c\n', 'a\n  b\nc', 'a\nz\nc', '  a\n  z\n  c\n', 'trimmed lines'],
    ['spaces within', 'x  =  foo( 1,2 )\n', 'x = foo( 1,2 )', 'y = 2', 'y = 2\n', 'whitespace'],
    ['other line breaks', 'call(a,\n     b)\nend\n', 'call(a, b)', 'call(c)', 'call(c)\nend\n', 'whitespace'],
    ['quotes', 'say “hello” – now\n', 'say "hello" - now', 'bye', 'bye\n', 'quotes and dashes'],
    ['typographic quotes asked for', 'it\'s "x"\n', 'it’s “x”', 'y', 'y\n', 'quotes and dashes'],
    ['hidden characters as they are shown', 'a\u202eb c', 'a⟪U+202E⟫b', 'ab', 'ab c', 'exact'],
    ['Chinese and emoji', '连接池 🙂 = 10\n', '🙂 = 10', '🙂 = 20', '连接池 🙂 = 20\n', 'exact'],
    ['CRLF asked for', 'a\nb\n', 'a\r\nb', 'c\r\nd', 'c\nd\n', 'exact'],
    ['no last line break', 'a\nb  ', 'b\n', 'c\n', 'a\nc', 'spaces at line ends'],
    ['patterns of replacement are plain text', 'a', 'a', '$& $1', '$& $1', 'exact'],
  ])('finds it by %s', (_, text, old, fresh, wanted, how) => {
    expect(edited(text, old, fresh)).toEqual({ text: wanted, how });
  });

  it('tells the lines of every place where it could be', () => {
    expect(edited('x\ny\nx\n', 'x', 'z')).toContain('2 places: lines 1, 3.');
    expect(edited('  x = 1 \ny\n\tx = 1 \n', 'x = 1\n', 'z\n')).toContain('lines 1, 3');
    expect(edited('x\ny\nx\n', 'x', 'z', true)).toEqual({ text: 'z\ny\nz\n', how: 'exact' });
    expect(edited('  x = 1 \n\tx = 1 \n', 'x = 1\n', 'z\n', true)).toMatchObject({ text: '  z\n\tz\n' });
  });

  it('shows the nearest region for what is nowhere', () => {
    const text = Array.from({ length: 50 }, (_, at) => `const value${at} = compute(${at});`).join('\n');
    const problem = edited(text, 'const value30 = compute(30);\nconst other = 1;', '');
    expect(problem).toContain('   31\tconst value30 = compute(30);');
    expect(edited(text, 'const valye7 = compyte(7);', '')).toContain('const value7 = compute(7);');
    expect(edited('short\n', '∞∞∞∞∞', '')).toBe('`old` is not in the file.');
    expect(edited('x', '', 'y')).toContain('empty');
  });
});
