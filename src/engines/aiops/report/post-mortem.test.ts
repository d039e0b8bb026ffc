import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { scriptedIncident } from '#support/engines/aiops/scripted-incident';
import { incidentCard } from './incident-card.ts';
import { postMortem } from './post-mortem.ts';
import type { Incident, Operation, ProposedAction } from '#spec/data';

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  '</title></style><iframe src="https://evil.example">',
  '<a href="javascript:alert(1)">x</a>',
  '--><meta http-equiv=refresh content=0>',
  '&lt;b&gt; &#60;script&#62;',
];

const MARKDOWN = [
  '![x](https://evil.example/p.png)',
  '[click](javascript:alert(1))',
  '**bold** _emph_ `code` ~~gone~~',
  '# heading',
  '| a | b |',
  'https://evil.example/x www.evil.example me@evil.example',
  '```\n# out\n<script>',
  '- item',
  '1. item',
  '---',
  '<details open><img src=x>',
  '[ref]: https://evil.example',
  '$$x$$',
];

/** Code within a line. An escaped backtick opens none. */
const CODE_SPAN = /(?<![\\`])(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g;

describe('postMortem', () => {
  const page = (hostile?: string, language: 'en' | 'zh' = 'en') =>
    parseHTML(postMortem({ ...scriptedIncident(hostile), language }).html).document;
  const textOf = (node: { textContent: string | null } | null | undefined) => node?.textContent ?? '';

  it('tells the numbers of the incident', () => {
    const { markdown } = postMortem(scriptedIncident());
    expect(markdown).toMatch(/^# Post-mortem: payments fail/);
    expect(markdown).toContain('| Severity | **P1** |');
    expect(markdown).toContain('| Duration | 7 min 40 s |');
    expect(markdown).toContain('| Opened after | 1 min |');
    expect(markdown).toContain('| Acted after | 5 min 4 s |');
    expect(markdown).toContain('| errors | 0.002 | 0.47 | share |');
    expect(markdown).toContain('| Confidence | 91 % |');
  });

  it('says why its alerts are one incident', () => {
    const { markdown } = postMortem(scriptedIncident());
    const [, told = ''] = markdown.split('### Why these alerts are one incident');
    expect(told).toContain('| opened it |');
    expect(told).toContain('| web calls payments plain words |');
  });

  it('shows what supports the cause and what refutes it, with numbers, query and link', () => {
    const { markdown } = postMortem(scriptedIncident());
    const [, supports = ''] = markdown.split('### What supports it');
    const [forIt = '', rest = ''] = supports.split('### What speaks against it');
    const [against = ''] = rest.split('###');
    expect(forIt).toMatch(
      /`ev_metric_1`.*0\.002 → 0\.47.*``metric\{service="payments".*\[open\]\(https:\/\/prom\.example/,
    );
    expect(forIt).not.toContain('ev_trace_1');
    expect(against).toContain('`ev_trace_1`');
    expect(markdown).toContain(
      '| 2 | database latency | ledger-db | 20 % | slower queries | ev_trace_1 | ev_metric_2 |',
    );
  });

  it('tells who approved what, with checkpoint, diff and outcome, and what is still open', () => {
    const { markdown } = postMortem(scriptedIncident());
    expect(markdown).toContain('ada (feishu), 2026-03-01 12:04:59 UTC');
    expect(markdown).toContain('`chk_1` 2026-03-01 12:03:20 UTC `f00dfeedf00dfeed`');
    expect(markdown).toContain('```diff\n--- before\n+++ after\n');
    expect(markdown).toContain('| errors | **yes** | 0.002 | 0.47 | 0.0021 | share |');
    expect(markdown).toContain('| trace errors | **not known** | – | – | – | share |');
    const [, open = ''] = markdown.split('## Follow-ups');
    expect(open).toContain('Mend change deploy-7');
    expect(open).toContain('loki: time-out');
    expect(open).toContain('No signal to verify recovery by: trace errors');
  });

  it('tells how the action is taken back, or that a person has to', () => {
    const input = scriptedIncident();
    const [back] = /^\| To take it back .*$/m.exec(postMortem(input).markdown) ?? [];
    expect(back).toContain('`rollback_canary payments` from=v2.3.0, to=v2.3.1');
    const action = (operation: Operation): Incident => ({
      ...input.incident,
      action: { ...(input.incident.action as ProposedAction), operation },
    });
    const told = (operation: Operation) => postMortem({ ...input, incident: action(operation) }).markdown;
    expect(told('degrade_dependency')).toContain('by hand: the checkpoint has the state before');
    expect(told('restart_deployment')).not.toContain('To take it back');
  });

  it('keeps what was known before apart, after everything that is a reason', () => {
    const { markdown } = postMortem(scriptedIncident('KNOWN'));
    const at = markdown.indexOf('## Seen before');
    expect(at).toBeGreaterThan(markdown.indexOf('## Follow-ups'));
    expect(markdown.slice(at)).toMatch(/is no reason[\s\S]*KNOWN `incident inc_0`/);
  });

  it('speaks Chinese', () => {
    const { html, markdown } = postMortem({ ...scriptedIncident(), language: 'zh' });
    expect(markdown).toMatch(/^# 复盘报告/);
    expect(markdown).toContain('| 持续时间 | 7 分 40 秒 |');
    expect(html).toContain('<html lang="zh-CN">');
    for (const word of ['Severity', 'Root cause', 'Timeline', 'Follow-ups', 'deploy regression']) {
      expect(markdown).not.toContain(word);
    }
  });

  it('says what was found, why, and what was proposed in the language of the reader', () => {
    const input = scriptedIncident();
    const { rca, action } = input.incident;
    if (!rca || !action) throw new Error('nothing was found');
    const incident = {
      ...input.incident,
      rca: {
        ...rca,
        evidence: rca.evidence.map((one) => ({
          ...one,
          summary: { en: 'ENGLISH', zh: `证据 ${one.id}` },
        })),
        hypotheses: rca.hypotheses.map((one) => ({ ...one, why: { en: 'why', zh: '首要原因' } })),
      },
      action: { ...action, reason: { en: 'Roll it back', zh: '回滚它' } },
    };
    const chinese = postMortem({ ...input, incident, language: 'zh' }).markdown;
    for (const { id } of rca.evidence) expect(chinese).toContain(`证据 ${id}`);
    expect(chinese).not.toContain('ENGLISH');
    expect(chinese).toContain('首要原因');
    expect(chinese).toContain('回滚它');
    expect(incidentCard(incident, 'zh')).toContain('证据 ');
    expect(postMortem({ ...input, incident, language: 'en' }).markdown).toContain('ENGLISH');
  });

  it('is one file that asks for nothing and runs nothing', () => {
    const document = page();
    expect([
      ...document.querySelectorAll('script,link,iframe,img,object,embed,form,base,image,use,video'),
    ]).toEqual([]);
    const policy = document
      .querySelector('meta[http-equiv="Content-Security-Policy"]')
      ?.getAttribute('content');
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+';/);
    expect(textOf(document.querySelector('style'))).not.toMatch(/url\(|@import/);
    expect([...document.querySelectorAll('[style],[src],[onload],[onclick]')]).toEqual([]);
    expect([...document.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      'https://prom.example/graph?q=1',
    ]);
  });

  it.each(HOSTILE)('shows %j as text', (hostile) => {
    const [clean, dirty] = [page(), page(hostile)];
    const names = (document: typeof clean) => {
      const counts = new Map<string, number>();
      for (const { tagName } of document.querySelectorAll('*'))
        counts.set(tagName, (counts.get(tagName) ?? 0) + 1);
      return Object.fromEntries(counts);
    };
    const known = names(clean);
    // The same elements as with harmless words: nothing that was said became one.
    expect(names(dirty)).toEqual(known);
    const attributes = [...dirty.querySelectorAll('*')].flatMap((element) => element.getAttributeNames());
    expect(attributes.filter((name) => name.startsWith('on') || name === 'style')).toEqual([]);
    expect(textOf(dirty.querySelector('h1'))).toBe(`Post-mortem: payments fail: ${hostile}`);
  });

  it.each([...MARKDOWN, ...HOSTILE])('lets %j do nothing in Markdown', (hostile) => {
    const { markdown } = postMortem(scriptedIncident(hostile));
    const outside = markdown.replace(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, '').replace(CODE_SPAN, 'CODE');
    expect(outside).not.toMatch(/<(?!\/?$)[a-z/!]/i);
    expect(outside).not.toMatch(/(?<!\\)!?\[[^\]]*(?<!\\)\]\((?!https:\/\/prom\.example)/);
    expect(outside).not.toMatch(/(?<!\(https:\/\/)(?<!\()https?:\/\//);
    expect(outside).not.toMatch(/\bwww\.evil|\w@evil/);
    expect(outside.match(/^#{1,6} .*/gm)).toHaveLength(
      postMortem(scriptedIncident()).markdown.match(/^#{1,6} .*/gm)?.length ?? 0,
    );
    const cells = (text: string) =>
      text
        .split('\n')
        .filter((row) => row.startsWith('|'))
        .map((row) => row.match(/(?<!\\)\|/g)?.length);
    expect(cells(outside)).toEqual(cells(postMortem(scriptedIncident()).markdown.replace(CODE_SPAN, 'CODE')));
  });

  it('shows no secret and no hidden character', () => {
    const key = 'sk-abcdefghijklmnopqrstuvwx';
    const { html, markdown } = postMortem(scriptedIncident(`key ${key} \u202Egnp.exe`));
    for (const text of [html, markdown]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain('\u202E');
      expect(text).not.toContain('hunter22');
      expect(text).toContain('⟪U+202E⟫');
    }
  });

  it('draws what was measured, shaded and marked', () => {
    const { html } = postMortem(scriptedIncident());
    const charts = html.match(/<svg[\s\S]*?<\/svg>/g) ?? [];
    expect(charts).toHaveLength(2);
    expect(charts[0]).toContain('1 more series are not drawn');
    expect(charts[0]).toContain('class="window"');
    expect(charts[0]).toContain('deploy payments deploy-7');
    expect(charts[0]).toContain('rollback_canary');
    expect(charts[1]).toContain('>ms</text>');
  });

  it('tells of an incident that has only begun, and of one that is none', () => {
    const { incident } = scriptedIncident();
    const { id, title, severity, source, startsAt, services, createdAt, updatedAt } = incident;
    const begun = { state: 'investigating' as const, alerts: 1, firing: 1, round: 0 };
    const bare = { id, title, severity, source, startsAt, services, createdAt, updatedAt, ...begun };
    const input = {
      incident: bare,
      facts: [],
      alerts: [],
      members: [],
      results: {},
      language: 'en' as const,
    };
    const { markdown, html } = postMortem(input);
    for (const words of [
      'still open',
      'No root cause was concluded',
      'No action was proposed',
      'Recovery was not verified',
    ]) {
      expect(markdown).toContain(words);
      expect(html).toContain(words);
    }
    const none = {
      ...input.incident,
      rca: { status: 'no_incident' as const, hypotheses: [], evidence: [], missing: [] },
    };
    expect(postMortem({ ...input, incident: none }).markdown).toContain('The evidence shows no incident');
  });

  it('puts a storm of alerts into one row of the timeline', () => {
    const input = scriptedIncident();
    const storm = input.facts.filter(({ type }) => type === 'alert.normalized');
    const facts = [
      ...Array.from({ length: 500 }, () => storm[0]).flatMap((fact) => fact ?? []),
      ...input.facts,
    ];
    expect(postMortem({ ...input, facts }).markdown).toContain('(+499 more)');
  });
});

describe('incidentCard', () => {
  const waiting = (hostile?: string) => ({
    ...scriptedIncident(hostile).incident,
    state: 'awaiting_approval' as const,
  });

  it('has what an approver needs', () => {
    const card = incidentCard(waiting(), 'en');
    expect(card).toBe(`[P1] payments fail: plain words
Incident: inc_1, awaiting approval
Root cause: deploy regression, payments (91 %)
Action: rollback_canary
Service: payments
Target: v2.3.0
Risk: destructive
Evidence:
- ev_metric_1: plain words
- ev_change_1: plain words
Dry run: argocd app rollback payments v2.3.0 # plain words
Checkpoint: chk_1
Approve: approve appr_1 CONFIRM_EXECUTE
Reject: reject appr_1
must be approved by somebody else than who asked for it
Recovery: recovered`);
  });

  it('speaks Chinese, and asks for the word that was configured', () => {
    const card = incidentCard(waiting(), 'zh', { confirmWord: '确认执行' });
    expect(card).toContain('风险:高风险 (destructive)');
    expect(card).toContain('批准:批准 appr_1 确认执行');
  });

  it('asks for no answer that nobody waits for', () => {
    expect(incidentCard(scriptedIncident().incident, 'en')).not.toMatch(/^Approve:/m);
  });

  it('calls nobody and opens nothing', () => {
    const card = incidentCard(
      waiting('<at user_id="all"></at> <!channel> @everyone [x](https://e.example) `a`\n[P4] forged'),
      'en',
    );
    expect(card).not.toMatch(/[<>@`]|\]\(/);
    expect(card.split('\n').filter((row) => row.startsWith('['))).toHaveLength(1);
  });

  it('is short', () => {
    expect(incidentCard(waiting('x'.repeat(50_000)), 'en').length).toBeLessThan(2_500);
  });
});
