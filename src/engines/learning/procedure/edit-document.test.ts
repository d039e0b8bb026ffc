import { describe, expect, it } from 'vitest';
import { addHandler, addLine, replaceSteps } from './edit-document.ts';
import { readProcedure } from './read-procedure.ts';
import { editWorkflow, readWorkflow } from './workflow-text.ts';

const TEXT = `# Title

Words of a person.

## Inputs

- \`id\`: in the result of step 3, such as \`x\`

## Procedure

1. Call \`a\` {}
   why it is so
2. Call \`b\` {"n":1}
3. Call \`c\` {}

## Pitfalls

- When step 2 fails with "e", call instead: \`d\` {"x":"y; z"}; \`e\` {}
- When step 3 fails, stop and say so

The end.
`;

describe('replaceSteps', () => {
  it('puts steps in the place of one and keeps every other line', () => {
    const text = replaceSteps(TEXT, 1, 1, [
      { tool: 'x', input: {} },
      { tool: 'y', input: { k: 2 } },
    ]);
    const read = readProcedure(text);
    expect(read?.steps.map(({ tool }) => tool)).toEqual(['a', 'x', 'y', 'c']);
    expect(read?.handlers).toEqual([{ step: 4, error: '', instead: [] }]);
    expect(read?.slots).toMatchObject([{ step: 4 }]);
    expect(text).toContain('3. Call `y` {"k":2}\n4. Call `c` {}');
    expect(text).toContain('   why it is so\n');
    expect(text.endsWith('The end.\n')).toBe(true);
  });
  it('adds behind the last step and before the first', () => {
    expect(replaceSteps(TEXT, 3, 0, [{ tool: 'z', input: {} }])).toContain(
      '3. Call `c` {}\n4. Call `z` {}\n',
    );
    expect(readProcedure(replaceSteps(TEXT, 0, 0, [{ tool: 'z', input: {} }]))?.steps[0]?.tool).toBe('z');
  });
});

describe('addLine', () => {
  it('adds once, at the end of the section', () => {
    const once = addLine(TEXT, 'inputs', '- `q`: to be chosen, such as `1`');
    expect(once).toContain('such as `x`\n- `q`: to be chosen');
    expect(addLine(once, 'inputs', '- `q`: to be chosen, such as `1`')).toBe(once);
  });
  it('makes a section that is not there', () => {
    expect(addLine(TEXT, 'shortcuts', '- quick')).toMatch(/The end\.\n\n## Learned shortcuts\n\n- quick\n$/);
  });
});

describe('handlers', () => {
  it('read back as they were written, whatever stands in their texts', () => {
    const handler = { step: 1, error: 'a; b', instead: [{ tool: 'd', input: { x: 'y; `z' } }] };
    expect(readProcedure(addHandler(TEXT, handler))?.handlers.at(-1)).toEqual(handler);
    expect(readProcedure(TEXT)?.handlers[0]?.instead).toEqual([
      { tool: 'd', input: { x: 'y; z' } },
      { tool: 'e', input: {} },
    ]);
  });
});

describe('workflow files', () => {
  const yaml = `# by hand\nskill:\n  name: w\n  execution:\n    steps:\n      - name: one # first\n        action: a\n        args: { s: "{{service}}" }\n      - action: b\n`;
  it('are read with their slots', () => {
    expect(readWorkflow(yaml)?.steps).toEqual([
      { tool: 'a', input: { s: '<service>' } },
      { tool: 'b', input: {} },
    ]);
    expect(readWorkflow('a: 1')).toBeUndefined();
  });
  it('keep what is not changed', () => {
    const text = editWorkflow(yaml, { at: 1, removed: 1, steps: [{ tool: 'c', input: { s: '<service>' } }] });
    expect(text).toContain('# by hand');
    expect(text).toContain('# first');
    expect(readWorkflow(text)?.steps[1]).toEqual({ tool: 'c', input: { s: '<service>' } });
    const noted = editWorkflow(editWorkflow(text, { shortcut: 'quick' }), {
      handler: { step: 2, error: 'busy', instead: [] },
    });
    expect(noted).toMatch(/learned_shortcuts:\n\s+- quick/);
    expect(noted).toMatch(/step_2_failed: "?busy: stop and look/);
  });
});
