/** Areas of knowledge, the words by which one speaks of them, and the words that only somebody deep in them uses. */
interface Area {
  readonly names: readonly string[];
  readonly deep: readonly string[];
}

const AREAS: Readonly<Record<string, Area>> = {
  kubernetes: {
    names: ['kubernetes', 'k8s', 'kubectl', 'helm', 'pod', 'argocd', 'istio', 'openshift', 'kustomize'],
    deep: [
      'crd',
      'admission',
      'webhook',
      'taint',
      'toleration',
      'affinity',
      'etcd',
      'cni',
      'csi',
      'kubelet',
      'finalizer',
      'hpa',
      'pdb',
      'operator',
      'reconcile',
    ],
  },
  containers: {
    names: ['docker', 'podman', 'dockerfile', 'containerd', 'compose', '容器'],
    deep: ['cgroup', 'overlayfs', 'namespace', 'oci', 'buildkit', 'distroless', 'seccomp', 'multi-stage'],
  },
  databases: {
    names: [
      'mysql',
      'postgres',
      'postgresql',
      'mariadb',
      'sqlite',
      'mongodb',
      'oracle',
      'clickhouse',
      '数据库',
    ],
    deep: [
      'mvcc',
      'wal',
      'vacuum',
      'deadlock',
      'explain',
      'btree',
      'replication',
      'isolation',
      'binlog',
      'innodb',
      'sharding',
      '慢查询',
      '死锁',
      '主从',
    ],
  },
  caching: {
    names: ['redis', 'memcached', 'varnish', '缓存'],
    deep: ['eviction', 'sentinel', 'hotkey', 'aof', 'rdb', 'slot', '热key', '缓存穿透', '缓存雪崩'],
  },
  messaging: {
    names: ['kafka', 'rabbitmq', 'nats', 'pulsar', 'rocketmq', 'sqs', '消息队列'],
    deep: ['partition', 'rebalance', 'offset', 'isr', 'consumer-group', 'exactly-once', 'dead-letter'],
  },
  observability: {
    names: [
      'prometheus',
      'grafana',
      'loki',
      'tempo',
      'jaeger',
      'opentelemetry',
      'datadog',
      'elasticsearch',
      'kibana',
      '监控',
      '告警',
    ],
    deep: [
      'promql',
      'histogram_quantile',
      'cardinality',
      'exemplar',
      'slo',
      'burn-rate',
      'relabel',
      'otlp',
      'span',
      'recording-rule',
    ],
  },
  cloud: {
    names: [
      'aws',
      'gcp',
      'azure',
      'aliyun',
      'terraform',
      'ansible',
      'pulumi',
      'cloudformation',
      'lambda',
      's3',
      'ec2',
      '阿里云',
    ],
    deep: ['iam', 'vpc', 'nat', 'transit-gateway', 'assume-role', 'tfstate', 'drift', 'spot', 'eks', 'irsa'],
  },
  networking: {
    names: ['nginx', 'envoy', 'haproxy', 'dns', 'tls', 'http', 'tcp', '网络', '负载均衡'],
    deep: [
      'bgp',
      'mtu',
      'conntrack',
      'ebpf',
      'anycast',
      'keepalive',
      'syn',
      'mtls',
      'sni',
      'quic',
      'iptables',
      'tcpdump',
    ],
  },
  linux: {
    names: ['linux', 'systemd', 'bash', 'ubuntu', 'rhel', 'centos', 'debian', 'shell'],
    deep: [
      'strace',
      'perf',
      'inode',
      'oomkiller',
      'page-cache',
      'numa',
      'io_uring',
      'sysctl',
      'journald',
      'fsync',
    ],
  },
  javascript: {
    names: ['javascript', 'typescript', 'node', 'nodejs', 'react', 'vue', 'npm', 'deno', 'bun'],
    deep: ['event-loop', 'libuv', 'generics', 'monorepo', 'tree-shaking', 'hydration', 'worker_threads'],
  },
  python: {
    names: ['python', 'django', 'flask', 'fastapi', 'pandas', 'pip', 'uv', 'poetry'],
    deep: ['gil', 'asyncio', 'metaclass', 'wsgi', 'asgi', 'cython', 'pydantic'],
  },
  jvm: {
    names: ['java', 'kotlin', 'spring', 'jvm', 'maven', 'gradle', 'scala'],
    deep: ['g1gc', 'zgc', 'metaspace', 'heap-dump', 'hikaricp', 'netty', 'jit', 'classloader', 'jstack'],
  },
  go: { names: ['golang', 'goroutine'], deep: ['pprof', 'escape-analysis', 'cgo', 'gomaxprocs', 'channel'] },
  rust: { names: ['rust', 'cargo', 'tokio'], deep: ['borrow', 'lifetime', 'trait', 'unsafe', 'pin'] },
  delivery: {
    names: ['git', 'github', 'gitlab', 'jenkins', 'ci', 'cd', 'canary', 'rollback', '灰度', '发布', '回滚'],
    deep: ['bisect', 'rebase', 'cherry-pick', 'blue-green', 'gitops', 'trunk-based', 'feature-flag'],
  },
  machine_learning: {
    names: ['pytorch', 'tensorflow', 'llm', 'gpu', 'cuda', 'mlops', '模型训练'],
    deep: ['lora', 'quantization', 'kv-cache', 'nccl', 'fsdp', 'embedding', 'rlhf'],
  },
};

interface Known {
  readonly area: string;
  readonly deep: boolean;
}

const INDEX: ReadonlyMap<string, Known> = new Map(
  Object.entries(AREAS).flatMap(([area, { names, deep }]) => [
    ...names.map((name): [string, Known] => [name, { area, deep: false }]),
    ...deep.map((name): [string, Known] => [name, { area, deep: true }]),
  ]),
);
const CHINESE = [...INDEX.keys()].filter((term) => /[㐀-鿿]/.test(term));
/** Names that are one thing. */
const SAME: Readonly<Record<string, string>> = {
  k8s: 'kubernetes',
  kubectl: 'kubernetes',
  pod: 'kubernetes',
  postgresql: 'postgres',
  nodejs: 'node',
  golang: 'go',
  goroutine: 'go',
  dockerfile: 'docker',
  cargo: 'rust',
};

/** The technologies that a text names, and the areas that it goes deep into. */
export function techTerms(text: string): {
  readonly tech: readonly string[];
  readonly areas: ReadonlyMap<string, number>;
} {
  const lower = text.slice(0, 8_000).toLowerCase();
  const words = lower.match(/[a-z][a-z0-9_+#-]*/g) ?? [];
  const found = new Set([
    ...words.flatMap((word) =>
      INDEX.has(word) ? [word] : INDEX.has(word.replace(/s$/, '')) ? [word.replace(/s$/, '')] : [],
    ),
    ...CHINESE.filter((term) => lower.includes(term)),
  ]);
  const tech = new Set<string>();
  const areas = new Map<string, number>();
  for (const term of found) {
    const known = INDEX.get(term);
    if (!known) continue;
    if (!known.deep) tech.add(SAME[term] ?? term);
    areas.set(known.area, (areas.get(known.area) ?? 0) + (known.deep ? 3 : 1));
  }
  return { tech: [...tech], areas };
}
