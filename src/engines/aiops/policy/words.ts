import type { CauseCategory, Operation } from '#spec/data';
import { type Catalogue, catalogue } from '#kit/text';

interface Words {
  readonly rollback: (
    service: string,
    from: string | undefined,
    to: string | undefined,
    why: string,
  ) => string;
  readonly setBack: (key: string, from: string, to: string, why: string) => string;
  readonly degrade: (caller: string, dependency: string) => string;
  readonly limit: (service: string, to: number | undefined) => string;
  readonly flush: (service: string) => string;
  readonly failover: (service: string, dependency: string) => string;
  readonly restart: (service: string, why: string) => string;
  readonly scale: (service: string, replicas: number | undefined) => string;
  /** What a person should do where nothing is proposed but to look. */
  readonly advice: Readonly<Record<CauseCategory, (where: string) => string>>;
  readonly machine: (where: string) => string;
  readonly nothingToUndo: (change: string) => string;
  readonly doubted: (change: string) => string;
  readonly firstByReader: string;
  readonly unreadableChange: (change: string) => string;
  readonly inconclusive: (next: string | undefined) => string;
  readonly noService: string;
  readonly noEvidence: string;
  readonly unsure: (operation: Operation, confidence: number, floor: number) => string;
  readonly triedBefore: (operation: Operation, service: string) => string;
  readonly noExecutor: (operation: Operation) => string;
  readonly limitUnknown: string;
  readonly replicasUnknown: string;
  readonly dependencyUnknown: (culprit: string) => string;
  readonly cause: (category: string, where: string, confidence: number) => string;
}

const en: Words = {
  rollback: (service, from, to, why) =>
    `Roll ${service} back${from === undefined ? '' : ` from ${from}`} to ${to ?? 'the revision before'}: ${why}`,
  setBack: (key, from, to, why) => `Set ${key} back from ${from} to ${to}: ${why}`,
  degrade: (caller, dependency) =>
    `Let ${caller} do without ${dependency} until ${dependency} answers again: it waits for it in vain`,
  limit: (service, to) =>
    `Raise the rate limit of ${service}${to === undefined ? '' : ` to ${to}`}: requests are refused that it should take`,
  flush: (service) => `Flush the cache of ${service}: one key takes nearly all of its load`,
  failover: (service, dependency) =>
    `Move ${service} to the standby of its ${dependency}: the active one is slow`,
  restart: (service, why) => `Restart ${service}: ${why}`,
  scale: (service, replicas) =>
    `Scale ${service}${replicas === undefined ? ' out' : ` to ${replicas} replicas`}: it has more to do than it can take`,
  advice: {
    deploy_regression: (where) =>
      `Compare the versions of ${where} side by side before undoing a change: too little speaks for one`,
    connection_pool: (where) => `Look at who holds the connections of ${where}, and since which change`,
    dependency_timeout: (where) => `Find out which call of ${where} waits, and whether it can do without it`,
    rate_limit: (where) => `Find out who sends ${where} so many requests, and which limit is meant for them`,
    hot_key: (where) => `Find the key in ${where} that takes the load`,
    database_latency: (where) => `Look at slow queries and locks of the database of ${where}`,
    resource_exhaustion: (where) => `Look at what ${where} fills up with`,
    network_delay: (where) => `Look at the network between ${where} and its callers: hosts, links, mesh`,
    bad_config: (where) => `Compare the settings of ${where} with those of the time before`,
    certificate: (where) => `Renew the certificate that ${where} uses and reload it`,
    disk: (where) =>
      `Free or enlarge the disk of ${where}: what is deleted does not come back, so a person chooses`,
    crash_loop: (where) => `Read why ${where} ended the last time before it started again`,
    traffic_surge: (where) => `Watch ${where}: there is more traffic, and it is served`,
    external: (where) => `Ask the provider of ${where}, and tell users what does not work meanwhile`,
    service_fault: (where) =>
      `Look at logs and traces of ${where}: the fault is there, of a kind that the evidence does not tell`,
    none: () => 'Nothing left its usual range: look at the alert rule if it fires again',
  },
  machine: (where) =>
    `Look at what else runs on ${where}, and move its replicas to another machine: nothing here does that by itself`,
  doubted: (change) =>
    `${change} is suspected, and the second reader doubts it: undoing it is for a person to decide`,
  firstByReader: 'The evidence alone puts another cause first: what to do is for a person to decide',
  nothingToUndo: (change) => `${change} is suspected, but too little speaks for it to undo it`,
  unreadableChange: (change) =>
    `${change} does not tell what it changed, so nothing can be set back by itself`,
  inconclusive: (next) =>
    `The evidence does not decide${next === undefined ? '' : `. The next question: ${next}`}`,
  noService: 'No service is known that something could be done about',
  noEvidence: 'The first hypothesis cites no evidence that resolves, so nothing is built on it',
  unsure: (operation, confidence, floor) =>
    `${operation} is left out: a confidence of ${confidence.toFixed(2)} is below ${floor.toFixed(2)}`,
  triedBefore: (operation, service) =>
    `${operation} of ${service} was done already and did not help: it is not repeated`,
  noExecutor: (operation) =>
    `nothing here may carry out ${operation}: backends.yaml names the executors, incidents.operations what they may do`,
  limitUnknown: 'neither the present limit nor the demand is known: a person has to name the new limit',
  replicasUnknown: 'the present number of replicas is not known: a person has to name the new one',
  dependencyUnknown: (culprit) => `It is not known who suffers from ${culprit}`,
  cause: (category, where, confidence) =>
    `Cause: ${category} at ${where}, confidence ${confidence.toFixed(2)}`,
};

const zh: Words = {
  rollback: (service, from, to, why) =>
    `将 ${service}${from === undefined ? '' : ` 从 ${from}`} 回滚到 ${to ?? '上一个版本'}:${why}`,
  setBack: (key, from, to, why) => `将 ${key} 从 ${from} 改回 ${to}:${why}`,
  degrade: (caller, dependency) => `让 ${caller} 暂时不依赖 ${dependency},直到它恢复响应:目前一直在等待它`,
  limit: (service, to) =>
    `提高 ${service} 的限流阈值${to === undefined ? '' : `到 ${to}`}:本应处理的请求被拒绝`,
  flush: (service) => `清空 ${service} 的缓存:几乎全部负载集中在一个 key 上`,
  failover: (service, dependency) => `将 ${service} 的 ${dependency} 切换到备用实例:当前实例变慢`,
  restart: (service, why) => `重启 ${service}:${why}`,
  scale: (service, replicas) =>
    `将 ${service} 扩容${replicas === undefined ? '' : `到 ${replicas} 个副本`}:负载超过其处理能力`,
  advice: {
    deploy_regression: (where) => `回滚前先并排比较 ${where} 的各个版本:目前证据不足以归咎于某个变更`,
    connection_pool: (where) => `查看谁占用了 ${where} 的连接,以及从哪个变更开始`,
    dependency_timeout: (where) => `查明 ${where} 的哪个调用在等待,以及能否暂时不用它`,
    rate_limit: (where) => `查明谁向 ${where} 发送了这么多请求,以及对应的限流阈值`,
    hot_key: (where) => `找出 ${where} 中承受负载的 key`,
    database_latency: (where) => `查看 ${where} 的数据库慢查询和锁`,
    resource_exhaustion: (where) => `查看 ${where} 的资源被什么占满`,
    network_delay: (where) => `检查 ${where} 与其调用方之间的网络:主机、链路、服务网格`,
    bad_config: (where) => `将 ${where} 的配置与之前的配置比较`,
    certificate: (where) => `更新 ${where} 使用的证书并重新加载`,
    disk: (where) => `清理或扩大 ${where} 的磁盘:删除的内容无法恢复,由人来选择`,
    crash_loop: (where) => `先看 ${where} 上一次退出的原因`,
    traffic_surge: (where) => `继续观察 ${where}:流量增加,但都得到了处理`,
    external: (where) => `联系 ${where} 的提供方,并告知用户目前不可用的功能`,
    service_fault: (where) => `查看 ${where} 的日志和调用链:故障在此,但证据未能说明类型`,
    none: () => '没有任何指标超出正常范围:若再次触发,请检查告警规则',
  },
  machine: (where) => `查看 ${where} 上还运行着什么,并将其副本迁到其他机器:这里不会自动执行`,
  doubted: (change) => `怀疑 ${change},但复核模型有异议:是否撤销由人决定`,
  firstByReader: '仅凭证据排在第一的是另一个原因:如何处理由人决定',
  nothingToUndo: (change) => `怀疑 ${change},但证据不足以撤销它`,
  unreadableChange: (change) => `${change} 没有说明改了什么,无法自动改回`,
  inconclusive: (next) => `证据不足以下结论${next === undefined ? '' : `。下一步要查:${next}`}`,
  noService: '不知道可以对哪个服务采取动作',
  noEvidence: '首要假设没有引用可查证的证据,因此不据此行动',
  unsure: (operation, confidence, floor) =>
    `不提出 ${operation}:置信度 ${confidence.toFixed(2)} 低于 ${floor.toFixed(2)}`,
  triedBefore: (operation, service) => `对 ${service} 的 ${operation} 已经做过且没有效果:不再重复`,
  noExecutor: (operation) =>
    `这里不允许执行 ${operation}:backends.yaml 列出执行器,incidents.operations 列出允许的动作`,
  limitUnknown: '当前限流阈值和实际需求都未知:需要由人给出新的阈值',
  replicasUnknown: '当前副本数未知:需要由人给出新的副本数',
  dependencyUnknown: (culprit) => `不知道哪个服务受 ${culprit} 影响`,
  cause: (category, where, confidence) => `根因:${where} 的 ${category},置信度 ${confidence.toFixed(2)}`,
};

/** What policy says, in every language. */
export const words: Catalogue<Words> = catalogue({ en, zh });
