import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { UnknownName } from './look-up.ts';
import { TemplateError } from './parse-template.ts';
import { loadTemplates, type Templates } from './templates.ts';

let templates: Templates;
beforeAll(async () => {
  templates = await loadTemplates();
});

const scope = {
  diff: { changed_files: ['a.ts', 'b c.ts'], count: 2, none: null },
  memory: { style: 'tabs' },
  skipped: null,
  evil: '; rm -rf /',
  nested: '{{memory.style}} ${memory.style}',
  port: 8080,
  items: [
    { severity: 'high', tags: ['x', 'y'] },
    { severity: 'low', tags: [] },
  ],
};

describe('expand', () => {
  it('keeps the type of a value that stands alone', () => {
    expect(templates.expand('${diff.changed_files}', scope)).toEqual(['a.ts', 'b c.ts']);
    expect(templates.expand(' {{port}} ', scope)).toBe(8080);
    expect(templates.expand({ deep: ['${diff}'] }, scope)).toEqual({ deep: [scope.diff] });
    expect(templates.expand('${items[1].severity}', scope)).toBe('low');
  });

  it('makes text of values in a text', () => {
    expect(templates.expand('${diff.count} of {{diff.changed_files}}', scope)).toBe('2 of a.ts, b c.ts');
    expect(templates.expand('<${evil}> & {{evil}}', scope)).toBe('<; rm -rf /> & ; rm -rf /');
    expect(templates.expand('$${HOME} ${port}', scope)).toBe('${HOME} 8080');
  });

  it('never reads a value as a template', () => {
    expect(templates.expand('${nested}', scope)).toBe('{{memory.style}} ${memory.style}');
    expect(templates.expand('a ${nested} {{nested}}', scope)).toBe(`a ${scope.nested} ${scope.nested}`);
    expect(templates.render('{{#each list}}{{this}}{{/each}}', { list: ['{{x}}', '${x}'] }, 'text')).toBe(
      '{{x}}${x}',
    );
  });

  it('names what is not there', () => {
    const failure = (text: string) => {
      try {
        templates.expand(text, scope);
      } catch (error) {
        return error as UnknownName;
      }
      throw new Error('it was found');
    };
    expect(failure('${dif.count}')).toBeInstanceOf(UnknownName);
    expect(failure('${diff.file_cuont}').message).toBe(
      "'diff' has no 'file_cuont'; it has changed_files, count, none",
    );
    expect(failure('x {{diff.nope}}').path).toBe('diff.nope');
    expect(templates.expand('${memory.unknown}', scope)).toBeNull();
    expect(templates.expand('${skipped.anything.below}', scope)).toBeNull();
  });

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'diff.constructor',
    'diff.__proto__',
    'diff.changed_files.map',
  ])('does not reach %s', (path) => {
    expect(() => templates.expand(`\${${path}}`, scope)).toThrow(UnknownName);
    expect(() => templates.expand(`a {{${path}}}`, scope)).toThrow(UnknownName);
    expect(templates.render(`[{{#with diff}}{{${path}}}{{/with}}]`, scope, 'message')).toBe('[]');
  });

  it.each([
    '{{> part}}',
    '{{log diff}}',
    '{{#bold}}x{{/bold}}',
    '{{#if}}x{{/if}}',
    '{{#each a}',
    '${a b}',
    '{{lookup a b}}',
  ])('refuses %s', (text) =>
    expect(() => templates.render(text, { a: 1 }, 'message')).toThrow(TemplateError),
  );
});

describe('blocks', () => {
  it('go through lists and leave lines of their own out', () => {
    const text =
      '{{#each items}}\n- {{severity}} {{@index}} {{../port}} ${port}{{#each tags}} {{this}}{{else}} none{{/each}}\n{{/each}}\n';
    expect(templates.render(text, scope, 'message')).toBe('- high 0 8080 8080 x y\n- low 1 8080 8080 none\n');
  });

  it('choose', () => {
    const text =
      '{{#if skipped.ok}}a{{else if diff.count}}b{{/if}}{{#unless none}}c{{/unless}}{{#with diff}}{{count}}{{/with}}';
    expect(templates.render(text, scope, 'message')).toBe('bc2');
    expect(templates.render('{{#each items as |it n|}}{{n}}{{it.severity}}{{/each}}', scope, 'text')).toBe(
      '0high1low',
    );
  });

  it('tell what they name from the root', () => {
    const text = '{{a.b}} {{#each c}}{{d}} {{../e}} ${f.g}{{/each}}{{#if h}}{{i}}{{/if}}';
    expect(templates.paths(text).map(({ parts }) => parts.join('.'))).toEqual([
      'a.b',
      'c',
      'e',
      'f.g',
      'h',
      'i',
    ]);
  });
});

describe('commands', () => {
  const shell = (text: string, given: Record<string, unknown>) => templates.render(text, given, 'shell');

  it('quote what needs it', () => {
    expect(shell('docker build -t {{name}}:{{v}} .', { name: 'shop', v: '1.0' })).toBe(
      'docker build -t shop:1.0 .',
    );
    expect(shell('echo {{x}}', { x: '; rm -rf /' })).toBe("echo '; rm -rf /'");
    expect(shell('lint ${files}', { files: ['a.ts', 'b c.ts'] })).toBe("lint a.ts 'b c.ts'");
    expect(shell('x$V{{a}} {{b}}', { a: 'b', b: 'done' })).toBe("x$V'b' 'done'");
    expect(shell('run {{{flags}}}', { flags: '-a -b' })).toBe('run -a -b');
  });

  it.each([
    'echo "$(date {{x}})"',
    'echo `{{x}}`',
    'echo $(( {{x}} + 1 ))',
    '[[ {{x}} -gt 1 ]]',
    'cat <<EOF\n{{x}}\nEOF',
    'echo \\\\{{x}}',
    'ls # {{x}}',
    "echo $'{{x}}'",
    '{{#if x}}echo ${{/if}}{{x}}',
    'bash -c "ls {{x}}"',
    "timeout 5 /bin/sh -ec 'ls {{x}}'",
    'eval {{x}}',
    'cat a | sudo sh -c {{x}}',
    'ssh web-1 df -h {{x}}',
    'ssh -p 2222 -o BatchMode=yes {{x}} systemctl restart {{x}}',
    'ssh web-1 "systemctl restart {{x}}"',
    'su postgres -c "psql {{x}}"',
    "python3 -c 'print({{x}})'",
    "awk '/{{x}}/' access.log",
  ])('refuse what cannot be quoted: %s', (text) => {
    expect(() => shell(text, { x: 'v' })).toThrow(TemplateError);
  });

  it('are quoted where a program takes words as words', () => {
    const texts = [
      'ssh -p 2222 {{x}} uptime',
      'bash run.sh {{x}}',
      'python3 job.py {{x}}',
      'a -c 1; ls {{x}}',
      "awk -v a=1 -v b={{x}} 'END { print b }' log",
    ];
    for (const text of [...texts, 'bash -c true; ls {{x}}', 'ssh web-1 uptime && ls {{x}}'])
      expect(shell(text, { x: '; id' })).toBe(text.replace('{{x}}', "'; id'"));
    expect(shell('bash -c "ls {{{x}}}"', { x: '-l' })).toBe('bash -c "ls -l"');
  });

  it('keep every value one word, whatever it is', () => {
    const value = fc.string({ unit: fc.constantFrom(...`ab'"\\$\`;|&<>(){}[]*?~#!= \n\t-`) });
    const places = [
      'printf %s {{x}}',
      'printf %s "{{x}}"',
      "printf %s '{{x}}'",
      'printf %s a{{x}}',
      'printf %s "$(printf b)"{{x}}',
    ];
    fc.assert(
      fc.property(value, fc.nat(3), (x, place) => {
        const text = places[place] ?? '';
        const said = execFileSync('bash', ['-c', shell(text, { x })], { encoding: 'utf8' });
        expect(said).toBe(place === 3 ? `a${x}` : x);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('lets nothing into code', () => {
    expect(() => templates.render('print({{x}})', { x: '1' }, 'code')).toThrow(/would become code/);
    expect(templates.render('print({{{x}}})', { x: '1' }, 'code')).toBe('print(1)');
  });
});
