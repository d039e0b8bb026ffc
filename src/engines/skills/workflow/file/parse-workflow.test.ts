import { describe, expect, it } from 'vitest';
import { parseWorkflow } from './parse-workflow.ts';

const read = (text: string) => {
  const parsed = parseWorkflow(text, 'x.yaml');
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.workflow;
};
const problems = (text: string) => {
  const parsed = parseWorkflow(text, 'x.yaml');
  return 'problems' in parsed ? parsed.problems.map(({ line, problem, fix }) => [line, problem, fix]) : [];
};

describe('parseWorkflow', () => {
  it('writes every short form out', () => {
    const workflow = read(`
skill:
  name: sample
  version: 1.2
  arguments:
    port: 8080
    target: {type: string, choices: [a, b]}
    host: null
  preconditions:
    - docker_installed: true
    - file_exists: Dockerfile
    - {type: env_set, variable: TOKEN, message: no token}
    - {type: port_available, port: 80, wanted: false}
    - kubectl_installed: false
  execution:
    timeout_per_step: 60
    steps:
      - command: ls
        on_failure: retry
      - action: look
        on_failure: {retry: 3, then: warn_and_continue}
        optimization: layer_caching
      - action: look
        on_failure: mend
  error_handling:
    mend: {advice: try this, steps: [{action: look}], retry: true}
    timeout: wait
  output: {on_success: {notify: {platform: all, message: hi}}}
  cache: {ttl_seconds: 3600}
`);
    expect(workflow).toMatchObject({
      version: '1.2',
      arguments: [
        { name: 'port', required: false, default: 8080 },
        { name: 'target', required: true, choices: ['a', 'b'] },
        { name: 'host', required: true },
      ],
      preconditions: [
        { check: { type: 'command_available', command: 'docker' }, wanted: true },
        { check: { type: 'file_exists', path: 'Dockerfile' }, wanted: true },
        { check: { type: 'env_set', name: 'TOKEN' }, message: 'no token' },
        { check: { type: 'port_available', port: '80' }, wanted: false },
        { check: { type: 'command_available', command: 'kubectl' }, wanted: false },
      ],
      steps: [
        {
          id: '1',
          name: 'ls',
          action: 'terminal',
          command: 'ls',
          onFailure: { retries: 2, finally: 'stop' },
        },
        {
          id: '2',
          name: 'look',
          onFailure: { retries: 3, finally: 'warn' },
          optimization: ['layer_caching'],
        },
        { onFailure: { finally: { handler: 'mend' } } },
      ],
      stepTimeoutMs: 60_000,
      errorHandling: {
        mend: { advice: 'try this', steps: [{ id: 'mend.1' }], retry: true },
        timeout: { advice: 'wait', steps: [] },
      },
      output: { format: 'markdown', onSuccess: { notify: [{ platform: 'all' }] } },
      cacheTtlMs: 3_600_000,
    });
  });

  it('names what it does not know, with the line and what was meant', () => {
    const text = `skill:
  name: x
  triger: {}
  execution:
    steps:
      - name: a
        comand: ls
      - action: b
        on_failure: {retries: 2}
        timeout: soon
  error_handling:
    foo:
      - actoin: x
`;
    expect(problems(text)).toEqual([
      [3, "'triger' is not known in the file", "Did you mean 'trigger'?"],
      [7, "'comand' is not known in execution.steps.0", "Did you mean 'command'?"],
      [9, "'retries' is not known in execution.steps.1.on_failure", 'Known here: retry, delay, then'],
      [10, 'execution.steps.1.timeout: Invalid input: expected number, received string', expect.any(String)],
      [13, "'actoin' is not known in error_handling.foo.0", "Did you mean 'action'?"],
    ]);
  });

  it('tells what only makes sense together', () => {
    const text = `skill:
  name: x
  arguments: [{name: memory}]
  preconditions:
    - dockr_installd: true
    - type: file_exist
      path: a
  execution:
    steps:
      - name: neither
      - action: a
        on_failure: warn_and_contine
        output_key: memory
`;
    expect(problems(text).map(([line, problem]) => [line, problem])).toEqual([
      [3, "'memory' cannot be an argument"],
      [5, "'dockr_installd' is not a check that is known"],
      [6, "There is no check of type 'file_exist'"],
      [10, "Step 1 needs exactly one of 'action' and 'command'"],
      [12, "'warn_and_contine' is not something that can be done on a failure"],
      [13, "'memory' is taken"],
    ]);
  });

  it.each([
    ['', 'A workflow is a file with `skill:` at its top level'],
    ['- a', 'A workflow is a file with `skill:` at its top level'],
    ['skill: {name: "a b", execution: {steps: [{action: x}]}}', 'name: up to 64'],
    ['skill: {name: a, execution: {steps: []}}', 'execution.steps: a workflow has at least one step'],
    ['skill:\n  name: [a\n b: c', 'This is not valid YAML'],
    ['skill: {name: a, name: b}', 'This is not valid YAML'],
    [`skill: {name: a, description: "${'x'.repeat(300_000)}"}`, 'The file has more than 256 KiB'],
  ])('refuses %.40j', (text, problem) => {
    expect(problems(text)[0]?.[1]).toContain(problem);
  });
});
