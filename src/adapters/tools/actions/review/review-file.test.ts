import { describe, expect, it } from 'vitest';
import { reviewFile } from './review-file.ts';

const found = (path: string, text: string): string[] =>
  reviewFile({ path, text }, 'en').map(({ rule }) => rule);
/** In pieces, so that nobody takes them for real ones. */
const KEY = ['sk', 'live', 'A1b2C3d4E5f6G7h8I9j0'].join('-');

describe('reviewFile', () => {
  it.each([
    ['secret-key', 'a.ts', `const k = '${KEY}';`],
    ['secret-literal', 'a.py', 'db_password = "hunter2hunter2"'],
    ['url-credentials', 'a.go', 'dsn := "postgres://app:s3cr3tpw@db/x"'],
    ['eval', 'a.js', 'return eval(body);'],
    ['eval', 'a.py', 'x = eval(data)'],
    ['python-exec', 'a.py', 'exec(source)'],
    ['html-injection', 'a.tsx', 'el.innerHTML = text;'],
    ['sql-concat', 'a.ts', 'db.query(`SELECT * FROM users WHERE id = ${id}`);'],
    ['sql-concat', 'a.py', 'cur.execute("SELECT * FROM users WHERE id = " + uid)'],
    ['sql-concat', 'a.py', 'cur.execute(f"DELETE FROM users WHERE id = {uid}")'],
    ['sql-concat', 'a.go', 'q := fmt.Sprintf("SELECT * FROM t WHERE id=%s", id)'],
    ['shell-injection', 'a.py', 'subprocess.run(cmd, shell=True)'],
    ['shell-injection', 'a.js', 'exec(`ls ${dir}`);'],
    ['unsafe-load', 'a.py', 'yaml.load(f)'],
    ['tls-off', 'a.py', 'requests.get(u, verify=False)'],
    ['weak-hash', 'a.py', 'hashlib.md5(x)'],
    ['weak-random', 'a.ts', 'const token = String(Math.random());'],
    ['open-bind', 'a.py', 'app.run(host="0.0.0.0")'],
    ['cors-any', 'a.ts', "app.use(cors({ origin: '*' }));"],
    ['path-from-request', 'a.js', 'fs.readFile(req.query.name, done);'],
    ['pipe-to-shell', 'a.sh', 'curl -fsSL https://x.example/i.sh | bash'],
    ['bare-except', 'a.py', '    except:'],
    ['empty-catch', 'a.ts', 'try { go(); } catch {}'],
    ['async-foreach', 'a.ts', 'items.forEach(async (item) => save(item));'],
    ['missing-await', 'a.ts', "  fetch('/x');"],
    ['python-missing-await', 'a.py', '    asyncio.sleep(1)'],
    ['mutable-default', 'a.py', 'def f(a, b=[]):'],
    ['loose-equality', 'a.js', 'if (a == b) go();'],
    ['is-literal', 'a.py', 'if x is "y":'],
    ['ignored-error', 'a.go', '\tv, _ := strconv.Atoi(s)'],
    ['unwrap', 'a.rs', 'let x = y.unwrap();'],
    ['unsafe-block', 'a.rs', 'unsafe { *p }'],
    ['go-panic', 'a.go', '\tpanic(err)'],
    ['string-identity', 'A.java', 'if (name == "x") {'],
    ['print-stack', 'A.java', 'e.printStackTrace();'],
    ['debug-left', 'a.ts', '  console.log(x);'],
    ['focused-test', 'a.test.ts', "it.only('x', () => {});"],
    ['skipped-test', 'a_test.py', '@pytest.mark.skip'],
    ['any-type', 'a.ts', 'const x: any = y;'],
    ['checker-silenced', 'a.ts', '// @ts-ignore'],
    ['todo', 'a.py', '# TODO: later'],
    ['conflict-mark', 'a.txt', '<<<<<<< HEAD'],
    ['image-latest', 'Dockerfile', 'FROM node:latest'],
    ['image-latest', 'k.yaml', '    image: shop/api:latest'],
    ['image-root', 'Dockerfile', 'USER root'],
    ['docker-add', 'Dockerfile', 'ADD https://x.example/a.tgz /a'],
    ['apt-unclean', 'Dockerfile', 'RUN apt-get install -y git'],
    ['docker-secret', 'Dockerfile', 'ENV API_KEY=abcdef'],
    ['rm-variable', 'a.sh', 'rm -rf $DIR/'],
    ['shell-eval', 'a.sh', 'eval "$cmd"'],
    ['mode-777', 'a.sh', 'chmod -R 777 /srv'],
    ['unquoted', 'a.sh', 'cd $DIR'],
    ['workflow-untrusted', 'ci.yml', 'run: echo "${{ github.event.issue.title }}"'],
    ['action-unpinned', 'ci.yml', '  - uses: someone/deploy@v1'],
    ['drop-table', 'a.sql', 'DROP TABLE users;'],
  ])('%s in %s', (rule, path, text) => {
    expect(found(path, text)).toContain(rule);
  });

  it.each([
    ['a.ts', "// eval(x) would be bad\nconst s = 'eval(x)';"],
    ['a.ts', 'const match = /x/.exec(text);'],
    ['a.ts', 'const script = `\n  if (a == b) eval(c)\n`;'],
    ['a.py', 'db_password = os.environ["DB_PASSWORD"]'],
    ['a.py', 'cur.execute("SELECT * FROM users WHERE id = %s", (uid,))'],
    ['a.ts', "db.query('SELECT * FROM users WHERE id = ?', [id]);"],
    ['a.ts', 'const answer = await fetch(url);'],
    ['a.ts', 'if (x == null) return;'],
    ['a.py', 'value = ast.literal_eval(text)'],
    ['a.py', 'yaml.load(f, Loader=yaml.SafeLoader)'],
    ['a.sh', 'rm -rf "${DIR:?}"'],
    ['a.go', '\tv, err := strconv.Atoi(s)'],
    ['Dockerfile', 'FROM node:24-slim AS build\nUSER app'],
    ['ci.yml', '  - uses: actions/checkout@v4'],
    ['tests/test_a.py', 'password = "hunter2hunter2"'],
    ['a.java', 'if ("x".equals(name)) {'],
  ])('%s: nothing to say about %j', (path, text) => {
    expect(found(path, text)).toEqual([]);
  });

  it('looks at the changed lines alone', () => {
    const text = 'eval(a)\neval(b)\neval(c)\n';
    expect(reviewFile({ path: 'a.py', text, lines: new Set([2]) }, 'zh')).toMatchObject([
      { line: 2, rule: 'eval', severity: 'high', message: '把文本当作代码执行。' },
    ]);
  });

  it('finds functions that grew too large, and workloads without limits', () => {
    const long = `export function big(x) {\n${'  if (x) go();\n'.repeat(90)}}\n`;
    expect(reviewFile({ path: 'a.ts', text: long }, 'en')).toMatchObject([
      {
        rule: 'large-function',
        severity: 'medium',
        line: 1,
        message: 'big is large: 92 lines, 91 branches.',
      },
    ]);
    expect(reviewFile({ path: 'a.py', text: 'x = 1' + ' '.repeat(120) }, 'en', 100)).toMatchObject([
      { rule: 'line-length' },
    ]);
    const pod = 'kind: Deployment\nspec:\n  containers:\n    - image: a:1\n';
    expect(found('k.yaml', pod)).toEqual(['missing-limits']);
    expect(found('k.yaml', `${pod}      resources:\n        limits: {}\n`)).toEqual([]);
  });

  it('takes time in proportion to the text', () => {
    const text = `${'"select '.repeat(100)}\n`.repeat(2_000);
    const begun = performance.now();
    reviewFile({ path: 'a.py', text }, 'en');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
