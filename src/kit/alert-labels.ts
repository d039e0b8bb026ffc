import type { Severity } from '#spec/data';

/** How monitoring systems of every kind word it. An unlisted word tells nothing. */
const SEVERITY_WORDS: Readonly<Record<Severity, readonly string[]>> = {
  P1: [
    'critical',
    'crit',
    'page',
    'urgent',
    'emergency',
    'fatal',
    'disaster',
    'blocker',
    'highest',
    '致命',
    '紧急',
    '严重',
  ],
  P2: ['error', 'err', 'high', 'major', '重要', '高'],
  P3: ['warning', 'warn', 'minor', 'medium', 'moderate', 'average', 'normal', '警告', '一般', '中'],
  P4: [
    'info',
    'information',
    'informational',
    'notice',
    'low',
    'lowest',
    'none',
    'debug',
    'ticket',
    '提示',
    '低',
  ],
};
const BY_WORD = new Map(
  Object.entries(SEVERITY_WORDS).flatMap(([severity, words]) =>
    words.map((word) => [word, severity as Severity] as const),
  ),
);
const GRADED = /^(?:p|s|sev|severity|pri|priority|level)[\s_-]*([0-5])$/;
const BY_GRADE: readonly Severity[] = ['P1', 'P1', 'P2', 'P3', 'P4', 'P4'];

/** Those that a team sets on purpose come before those that a tool sets. */
const SEVERITY_LABELS = ['priority', 'severity', 'sev', 'alert_severity', 'criticality', 'urgency', 'level'];

/** `P1 - Critical`, `sev-2`, `page`, … or undefined for what is no such word. */
export function severityOfWord(word: string): Severity | undefined {
  const plain = word.trim().toLowerCase();
  for (const part of [plain, ...plain.split(/[^\p{L}\d]+/u)]) {
    const grade = GRADED.exec(part)?.[1];
    const found = grade === undefined ? BY_WORD.get(part) : BY_GRADE[Number(grade)];
    if (found) return found;
  }
  return undefined;
}

/** What the first of these sets of labels tells. An alert without a word about it can wait a little, not for ever: P3. */
export function normalizeSeverity(...labelSets: readonly Readonly<Record<string, string>>[]): Severity {
  for (const labels of labelSets)
    for (const name of SEVERITY_LABELS) {
      const found = severityOfWord(labelOf(labels, name) ?? '');
      if (found) return found;
    }
  return 'P3';
}

/** The surest first. `exported_` is what Prometheus makes of a target's own label where its scrape has one too. */
const SERVICE_LABELS = [
  'exported_service',
  'service',
  'service_name',
  'service.name',
  'app',
  'application',
  'app_name',
  'app_kubernetes_io_name',
  'app.kubernetes.io/name',
  'destination_service_name',
  'destination_workload',
  'destination_service',
  'workload',
  'deployment',
  'statefulset',
  'daemonset',
  'pod',
  'pod_name',
  'container',
  'component',
  'exported_job',
  'job',
];
/** Who measured, not what was measured. */
const OBSERVER =
  /(?:^|[-_/])(?:exporter|kube-state-metrics|cadvisor|kubelet|pushgateway|otel-collector|istio-proxy)$|^kubernetes-|^(?:node|blackbox)$/;

/** The service that labels speak of, or undefined where they only tell who measured it. */
export function serviceOf(labels: Readonly<Record<string, string>>): string | undefined {
  for (const name of SERVICE_LABELS) {
    const value = labelOf(labels, name)?.trim();
    if (!value || OBSERVER.test(value)) continue;
    return name.startsWith('pod') ? workloadOfPod(value) : plainService(value);
  }
  return undefined;
}

/** The letters that Kubernetes makes up names of: no vowels, so that they form no words. */
const MADE_UP = '[bcdfghjklmnpqrstvwxz2456789]';
const POD_TAIL = new RegExp(`-${MADE_UP}{5}$`);
const REPLICA_SET_TAIL = new RegExp(`-(?:${MADE_UP}{6,10}|\\d{8,10})$`);

/** `payment-7d9f8b6c5d-x2x9q`, `payment-0` and `payment-x2x9q` are pods of `payment`. */
function workloadOfPod(pod: string): string {
  const shorter = pod.replace(POD_TAIL, '');
  if (shorter !== pod) return shorter.replace(REPLICA_SET_TAIL, '');
  return pod.replace(/-\d{1,4}$/, '');
}

/** Without the namespace: `shop/payment`, `payment.shop.svc.cluster.local`. */
function plainService(value: string): string {
  const [, inCluster] = /^([^.]+)\.[^.]+\.svc(?:\.|$)/.exec(value) ?? [];
  return inCluster ?? value.slice(value.lastIndexOf('/') + 1);
}

/** The metric that an alert is about: as it says, or the first one in the expression that its link leads to. */
export function metricOf(
  labels: Readonly<Record<string, string>>,
  annotations: Readonly<Record<string, string>> = {},
  link?: string,
): string | undefined {
  for (const name of ['metric', 'metric_name', '__name__']) {
    const value = labelOf(labels, name) ?? labelOf(annotations, name);
    if (value) return value;
  }
  const address = link === undefined ? null : URL.parse(link);
  const expression = address?.searchParams.get('g0.expr');
  return expression ? metricIn(expression) : undefined;
}

const NOT_METRICS =
  /^(?:and|or|unless|bool|offset|by|without|on|ignoring|group_left|group_right|inf|nan|start|end)$/i;

function metricIn(expression: string): string | undefined {
  const bare = expression
    .slice(0, 10_000)
    .replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '')
    .replace(/\{[^{}]*\}|\[[^[\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^()]*\)/gi, ' ');
  const names = bare.matchAll(/(?<![\w:.])[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g);
  for (const [name] of names) if (!NOT_METRICS.test(name)) return name;
  return undefined;
}

const FNV_OFFSET = 0xcbf2_9ce4_8422_2325n;
const FNV_PRIME = 0x100_0000_01b3n;
const SEPARATOR = 0xff;

/** The same that Prometheus and Alertmanager compute, so that one alert has one fingerprint wherever it is made. */
export function fingerprintOf(labels: Readonly<Record<string, string>>): string {
  const encoder = new TextEncoder();
  let sum = FNV_OFFSET;
  const add = (byte: number): void => {
    sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * FNV_PRIME);
  };
  for (const name of Object.keys(labels).sort())
    for (const text of [name, labels[name] ?? '']) {
      encoder.encode(text).forEach(add);
      add(SEPARATOR);
    }
  return sum.toString(16).padStart(16, '0');
}

const labelOf = (labels: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(labels, name) ? labels[name] : undefined;
