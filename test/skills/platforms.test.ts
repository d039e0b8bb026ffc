import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSkillPlace, type SkillPlace, UNHURRIED } from './skill-place.ts';

const ISSUES = [
  'App crashes on login',
  'How to set the timeout?',
  'Please support OIDC',
  'XSS in the comment field',
];

/** GitHub's REST API, as far as the skills ask it. */
function answer({ url = '', method }: IncomingMessage): unknown {
  if (method === 'POST') return { html_url: 'https://github.example/c/1', body: '', user: { login: 'bot' } };
  if (/\/pulls\/7\/files/.test(url))
    return [
      { filename: 'pay.py', status: 'modified', additions: 12, deletions: 3, patch: '@@ -1 +1 @@' },
      { filename: 'README.md', status: 'added', additions: 2, deletions: 0 },
    ];
  if (/\/check-runs/.test(url))
    return {
      check_runs: [
        { name: 'tests', status: 'completed', conclusion: 'failure', html_url: 'https://github.example/r/1' },
      ],
    };
  if (/\/issues\/7\/comments/.test(url)) return [];
  if (/\/pulls\/7/.test(url))
    return {
      ...issue(7, 'Pay faster'),
      head: { ref: 'fast', sha: 'a'.repeat(40) },
      base: { ref: 'main', sha: 'b'.repeat(40) },
      mergeable_state: 'clean',
    };
  if (/\/actions\/runs/.test(url)) return { workflow_runs: [] };
  if (/\/pulls/.test(url)) return [issue(7, 'Pay faster')];
  if (/\/issues/.test(url)) return ISSUES.map((title, at) => issue(at + 1, title));
  return {};
}

const issue = (number: number, title: string) => ({
  number,
  title,
  state: 'open',
  html_url: `https://github.example/i/${number}`,
  user: { login: 'ann' },
  body: '',
  labels: [],
  comments: 0,
  created_at: '2026-01-31T10:00:00Z',
  updated_at: '2026-01-31T10:00:00Z',
});

describe('skills for GitHub', UNHURRIED, () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(request)));
  });
  let place: SkillPlace;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    place = await openSkillPlace({ env: { GITHUB_TOKEN: 'ghp_test', GITHUB_API_URL: url } });
  });
  afterAll(async () => {
    server.close();
    await place.close();
  });

  it('pr_review tells files and failed checks, and comments only after agreement', async () => {
    const { state, text } = await place.run('pr_review', { repo: 'shop/pay', number: 7 }, { says: 'yes' });
    expect([state, text]).toEqual(['done', expect.stringContaining('## shop/pay#7: Pay faster')]);
    expect(text).toContain('Files: 2; failed checks: 1');
    expect(text).toMatch(/^- modified pay\.py \(\+12 −3\)$/m);
    expect(asked.filter((line) => line.startsWith('POST'))).toEqual([]);
    const comment = { repo: 'shop/pay', number: 7, comment: true };
    expect((await place.run('pr_review', comment, { says: 'no' })).state).toBe('refused');
    expect(asked.filter((line) => line.startsWith('POST'))).toEqual([]);
    expect((await place.run('pr_review', comment, { says: 'yes' })).text).toContain('Commented: https://');
  });

  it('issue_triage sorts by what the titles say', async () => {
    const { state, text } = await place.run('issue_triage', { repo: 'shop/pay' });
    expect(state).toBe('done');
    expect(text).toContain('# Open issues of shop/pay: 4');
    expect(text).toMatch(/## Security: 1\n\n- #4 XSS in the comment field/);
    expect(text).toMatch(/## Bugs: 1\n\n- #1 App crashes on login/);
    expect(text).toMatch(/## Questions: 1\n\n- #2 How to set the timeout\?/);
    expect(text).toMatch(/## Wishes: 1\n\n- #3 Please support OIDC/);
  });

  it('github_digest lists what is new', async () => {
    const { state, text } = await place.run('github_digest', { repos: ['shop/pay'] }, { says: 'yes' });
    expect([state, text]).toEqual(['done', expect.stringContaining('## shop/pay')]);
    expect(text).toContain('#7 Pay faster');
    expect(text).toContain('#1 App crashes on login');
  });
});

describe('skills for clusters and containers', UNHURRIED, () => {
  let place: SkillPlace;
  beforeAll(async () => {
    place = await openSkillPlace({ commands: 'machine' });
  });
  afterAll(() => place.close());

  it('container_deploy rolls out after agreement, and goes back when it does not get ready', async () => {
    await place.program(
      'kubectl',
      `echo "$@" >> ${place.cwd}/kubectl.log
case "$*" in
  *"get deployment"*) echo 'NAMESPACE   NAME   WANTED   UPDATED   AVAILABLE   GENERATION   OBSERVED   IMAGE'
    if [ -f ${place.cwd}/bad ] && [ -f ${place.cwd}/rolled ]; then echo 'shop   pay   2   1   1   3   3   shop/pay:2'; else echo 'shop   pay   2   2   2   2   2   shop/pay:1'; fi ;;
  *"set image"*dry-run*) echo 'deployment.apps/pay image updated (server dry run)' ;;
  *"set image"*) touch ${place.cwd}/rolled; echo 'deployment.apps/pay image updated' ;;
  *"get pods"*) echo 'NAMESPACE   NAME   PHASE   READY   RESTARTS   WAITING   ENDED   NODE' ;;
  *) echo ok ;;
esac`,
    );
    const asked = { deployment: 'pay', namespace: 'shop', image: 'shop/pay:2', timeout: 2 };
    expect((await place.run('container_deploy', asked, { says: 'no' })).state).toBe('refused');
    expect(await place.read('kubectl.log')).not.toMatch(/set image(?!.*dry-run)/);
    const done = await place.run('container_deploy', asked, { says: 'yes' });
    expect([done.state, done.text]).toEqual(['done', expect.stringContaining('# shop/pay runs shop/pay:2')]);
    expect(done.asked.join('\n')).toContain('It runs shop/pay:1 now.');
    await place.shell('rm rolled && touch bad && : > kubectl.log');
    const stuck = await place.run('container_deploy', asked, { says: 'yes' });
    expect(stuck.text).toContain('The new pods did not become ready');
    expect(await place.read('kubectl.log')).toMatch(/^rollout undo deployment\/pay/m);
  });

  it('container_deploy takes no image that cannot be told apart', async () => {
    const { state, text } = await place.run('container_deploy', {
      deployment: 'pay',
      image: 'shop/pay:latest',
    });
    expect([state, text]).toEqual([
      'unmet',
      expect.stringContaining('needs a tag or digest other than latest'),
    ]);
  });

  it('docker_deploy says what is missing, and builds and starts after agreement', async () => {
    const asked = { project_name: 'shop', version: '1', port: 1 };
    const without = await place.run('docker_deploy', asked);
    expect([without.state, without.text]).toEqual([
      'unmet',
      expect.stringContaining('There is no Dockerfile'),
    ]);
    const log = `${place.cwd}/docker.log`;
    await place.put('Dockerfile', 'FROM scratch\n');
    await place.program(
      'docker',
      `echo "$@" >> ${log}; case "$1" in build) echo 'writing image sha256:0123456789abcdef' ;; run) echo 0123456789ab ;; logs) echo 'listening on 127.0.0.1' ;; esac`,
    );
    expect((await place.run('docker_deploy', asked, { says: 'no' })).state).toBe('refused');
    expect(await place.shell(`cat ${log} 2>&1 || true`)).not.toMatch(/^run/m);
    // Nothing answers on the port: that is told, with the log of the container.
    const { state, text } = await place.run('docker_deploy', { ...asked, wait_seconds: 1 }, { says: 'yes' });
    expect(await place.read('docker.log')).toMatch(/^run -d --name shop .*-p 127\.0\.0\.1:1:8080 shop:1$/m);
    expect(state).toBe('failed');
    expect(text).toContain('The container does not answer');
  });

  it('infra_provision plans, and applies only what was shown and agreed to', async () => {
    const log = `${place.cwd}/terraform.log`;
    await place.put('infra/main.tf', '');
    await place.program(
      'terraform',
      `echo "$@" >> ${log}; case "$*" in *" plan "*) printf '  # aws_instance.web will be destroyed\\nPlan: 0 to add, 0 to change, 1 to destroy.\\n' ;; esac`,
    );
    const planned = await place.run('infra_provision', { dir: 'infra' }, { says: 'yes' });
    expect([planned.state, planned.text]).toEqual(['done', expect.stringContaining('- aws_instance.web')]);
    expect(planned.text).toContain('Nothing was applied.');
    const refused = await place.run('infra_provision', { dir: 'infra', apply: true }, { says: 'no' });
    expect(refused.state).toBe('refused');
    expect(await place.read('terraform.log')).not.toMatch(/ apply /);
    const applied = await place.run('infra_provision', { dir: 'infra', apply: true }, { says: 'yes' });
    expect(applied.state).toBe('done');
    expect(applied.asked.join('\n')).toContain('It destroys or replaces 1: aws_instance.web');
    expect(await place.read('terraform.log')).toMatch(
      /^-chdir=infra apply -input=false -no-color hermes\.tfplan$/m,
    );
  });
});

describe('skills whose service cannot be reached from here', UNHURRIED, () => {
  let place: SkillPlace;
  beforeAll(async () => {
    place = await openSkillPlace();
  });
  afterAll(() => place.close());

  it('say that GitHub is not connected', async () => {
    for (const [name, args] of [
      ['pr_review', { repo: 'a/b', number: 1 }],
      ['issue_triage', { repo: 'a/b' }],
      ['github_digest', { repos: ['a/b'] }],
    ] as const) {
      const { state, text } = await place.run(name, args);
      expect([name, state, text]).toEqual([name, 'unmet', expect.stringContaining('set GITHUB_TOKEN')]);
    }
  });

  it('say what a patent search takes', async () => {
    const { state, text } = await place.run('patent_lookup');
    expect([state, text]).toEqual(['unmet', expect.stringContaining('Name a patent in `number`')]);
    const wrong = await place.run('patent_lookup', { number: '../../x' });
    expect([wrong.state, wrong.text]).toEqual(['unmet', expect.stringContaining('such as US10000000B2')]);
  });
});
