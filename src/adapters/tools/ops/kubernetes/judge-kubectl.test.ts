import { describe, expect, it } from 'vitest';
import { judgeKubectl } from './judge-kubectl.ts';

const kind = (line: string) => judgeKubectl(line.split(' ')).kind;

describe('judgeKubectl', () => {
  it.each([
    'get pods',
    'kubectl get pods -A -o wide',
    'get pods,services -n prod -l app=x',
    'get deployment/x -oyaml',
    'get secrets',
    'get secrets -o name',
    'get pods -o jsonpath={.items[*].metadata.name}',
    'describe pod x',
    'logs deploy/x -c app --tail=50 --since 1h -p',
    'top pods -n prod',
    'top node',
    'events --for pod/x',
    'rollout status deploy/x',
    'rollout history deploy/x --revision=2',
    'auth can-i get pods',
    'config get-contexts',
    'scale deploy/x --replicas=0 --dry-run=server',
  ])('reads: %s', (line) => {
    expect(kind(line)).toBe('read');
  });

  it.each([
    'scale deploy/x --replicas=3',
    'scale deploy x --replicas 3 --dry-run=none',
    'rollout restart deploy/x',
    'rollout undo deploy/x --to-revision=3',
    'delete pod a b',
    'delete pods/a',
    'cordon node-1',
    'uncordon node-1',
  ])('changes: %s', (line) => {
    expect(kind(line)).toBe('change');
  });

  it.each([
    'apply -f x',
    'exec x -- sh',
    'cp a b',
    'port-forward x 80',
    'proxy',
    'edit deploy/x',
    'patch deploy/x -p {}',
    'drain node-1',
    'delete deployment x',
    'delete pods --all',
    'delete pods -l app=x',
    'delete pod',
    'delete pod a --force',
    'delete pod a --grace-period=0',
    'delete pod/a,deployment/b',
    'delete',
    'rollout pause deploy/x',
    'rollout',
    'scale deploy --all --replicas=0',
    'scale deploy/a deploy/b deploy/c --replicas=0',
    'scale deploy/x --replicas=-1',
    'get --raw /api/v1/secrets',
    'get pods -w',
    'get pods --watch',
    'get -f /etc/passwd',
    'get pods --kubeconfig=/tmp/x',
    'get pods --server http://evil',
    'get pods -s http://evil',
    'get pods --token abc',
    'get pods --as admin',
    'get pods -o go-template-file=/etc/passwd',
    'get pods -o jsonpath-file=/etc/passwd',
    'get pods -o custom-columns-file=/etc/passwd',
    'get secret x -o yaml',
    'get secret x -ojson',
    'get secret x --output=jsonpath={.data}',
    'get secrets -o custom-columns=A:.data',
    'get pods,secrets -o yaml',
    'get Secret/x -o yaml',
    'get secrets.v1. -o yaml',
    'get pod/a secret/b -o yaml',
    'get secrets --sort-by=.data.password',
    'describe secret x',
    'logs x -f',
    'logs x --follow',
    'config view --raw',
    'config set-context x',
    'get pods --',
    'get -',
    'plugin list',
    '--kubeconfig /x get pods',
    'get pods --namespace',
    'constructor',
    'get pods --constructor',
  ])('refuses: %s', (line) => {
    expect(judgeKubectl(line.split(' '))).toMatchObject({
      kind: 'refused',
      reason: expect.any(String) as string,
    });
  });

  it('writes again what it understood, in one notation', () => {
    expect(judgeKubectl(['get', 'pods', '-nprod', '-o=wide', '-A'])).toMatchObject({
      args: ['get', 'pods', '--namespace=prod', '--output=wide', '--all-namespaces', '--chunk-size=500'],
    });
  });
});
