/** What somebody would say who needs a skill: once in English, once in Chinese. */
export const REQUESTS: Readonly<Record<string, readonly [english: string, chinese: string]>> = {
  // MLOps
  model_train: [
    'kick off the training script and tell me whether it overfits',
    '帮我跑一下模型训练，看看有没有过拟合',
  ],
  model_deploy: [
    'put the fraud model into service as a container if its accuracy is good enough',
    '把训练好的模型部署成在线服务',
  ],
  data_pipeline: [
    'run the cleaning step of our ETL and check how many rows it drops',
    '执行一下数据清洗流水线，看丢了多少行',
  ],
  data_quality: [
    'does customers.csv have missing values or duplicate rows?',
    '检查一下这个 csv 数据集有没有缺失值和重复行',
  ],
  experiment_compare: [
    'which of these two training runs has the better validation loss?',
    '对比一下这两次实验的结果哪个更好',
  ],
  // DevOps
  ci_setup: [
    'add a GitHub Actions workflow that runs lint and tests on every push',
    '给这个项目配置一下持续集成',
  ],
  container_deploy: ['roll out image shop/pay:2.4.1 to the kubernetes deployment', '把新镜像发布到 k8s 集群'],
  docker_deploy: [
    'build the docker image of this project and start it on port 8080',
    '帮我把这个项目容器化，用 docker 跑起来',
  ],
  infra_provision: [
    'show me the terraform plan for the staging network',
    '用 terraform 看看这次基础设施变更会改什么',
  ],
  // Code quality
  code_review: ['please review my changes on this branch before I merge', '帮我审查一下这个分支的代码改动'],
  refactor_suggest: [
    'where should we start refactoring? which files are hotspots',
    '这个项目哪些代码最应该重构',
  ],
  test_gen: ['which files have no unit tests yet? write tests for them', '帮我给没有单元测试的代码生成测试'],
  api_migration: [
    'upgrade express to version 5 and fix the breaking changes',
    '把这个依赖升级到新版本，有不兼容变更帮我迁移',
  ],
  dependency_audit: [
    'are there known vulnerabilities in our npm dependencies?',
    '扫描一下项目依赖有没有安全漏洞',
  ],
  // GitHub
  pr_review: [
    'have a look at pull request 482 of acme/shop and its failing checks',
    '审查一下 acme/shop 的 PR 482',
  ],
  issue_triage: [
    'sort the open issues of our repo into bugs and feature requests',
    '把仓库里没处理的 issue 分类整理一下',
  ],
  release_manage: ['cut a new release and tag the version', '准备发版，打一个新的版本标签'],
  github_digest: ['what happened in our GitHub repos since yesterday?', '给我一份 github 仓库动态的早报'],
  // Research
  paper_search: [
    'find recent papers about root cause analysis for microservices',
    '找几篇关于异常检测的论文',
  ],
  arxiv_summarize: ['summarize arxiv.org/abs/2401.01234 for me', '总结一下 arxiv 2401.01234 这篇论文'],
  patent_lookup: [
    'is there a patent on consistent hashing? look for prior art',
    '查一下 US10000000B2 这个专利',
  ],
  // Documents
  doc_generate: ['generate a reference documentation of the modules in src', '根据代码生成项目文档'],
  api_spec: ['make an OpenAPI spec from our Express routes', '根据路由生成 openapi 接口文档'],
  changelog_write: [
    'write the release notes from the commits since the last tag',
    '根据提交记录写一份更新日志',
  ],
  report_generate: ['create my weekly status report from the commits', '帮我生成这周的周报'],
  // Operations
  service_monitor: ['are all our endpoints healthy right now?', '检查一下各个服务的健康状态'],
  ops_daily_report: ['prepare the daily ops report for the shift handover', '生成今天的运维日报'],
  backup_check: [
    "did last night's database backups succeed and are they intact?",
    '检查一下昨晚的备份是否正常',
  ],
  memory_cleanup: ['forget memories that were not used for three months', '清理一下很久没用过的记忆'],
  disk_pressure: ['what is eating all the space on /var?', '看看是什么把磁盘空间占满了'],
  cert_expiry: ['when do the TLS certificates of our domains expire?', '看看我们域名的证书还有多少天到期'],
  log_triage: [
    'group the errors in app.log and show me the most frequent ones',
    '分析一下 app.log 里的错误日志',
  ],
  port_conflict: [
    'which process is listening on port 8080? it says address already in use',
    '8080 端口被哪个进程占用了',
  ],
  slow_host: [
    'the server feels slow, load is high, which process is it?',
    '这台机器很卡，负载很高，帮我看看原因',
  ],
  systemd_failed_units: ['which systemd units have failed on this box?', '有哪些 systemd 服务启动失败了'],
  // Runbooks
  'payment-503-spike': [
    'payments are failing with service unavailable since ten minutes',
    '支付服务大量返回 503，怎么处理',
  ],
  'dependency-504-timeout': [
    'order-service gets 504 gateway timeouts from the coupon service',
    'coupon-service 504 超时怎么排查',
  ],
  'rate-limit-429': [
    'clients are getting too many requests errors from our gateway',
    '订单接口被限流返回 429',
  ],
  'redis-hot-key': [
    'one redis shard is at 100% CPU, I suspect a hot key',
    'redis 出现热点 key，单个节点 CPU 打满',
  ],
  'database-slow-queries': [
    'the postgres database got slow and queries wait on locks',
    '数据库变慢了，有很多慢查询和锁等待',
  ],
  'connection-pool-exhaustion': [
    'HikariPool: connection is not available, too many connections',
    '数据库连接池耗尽了，拿不到连接',
  ],
  'pods-pending': [
    'new pods stay pending, FailedScheduling on every node',
    'Pod 调度失败,一直是 Pending 状态',
  ],
  'crash-loop': ['the pod keeps restarting with CrashLoopBackOff', 'pod 一直重启，起不来'],
  'oom-killed': ['our container was OOMKilled twice, is it a memory leak?', '容器内存溢出被 OOM 杀掉了'],
  'disk-full': [
    'production incident: no space left on device, database refuses writes',
    '线上故障：磁盘写满，服务无法写入',
  ],
  'dns-failure': ['the app logs "could not resolve host" and NXDOMAIN', '服务报域名解析失败'],
  'certificate-expired': [
    'clients fail with x509: certificate has expired',
    '线上 https 证书过期了，客户端握手失败',
  ],
  'deploy-regression': [
    'error rate went up right after the deploy, should we roll back?',
    '上线后错误率升高，要不要回滚',
  ],
  'traffic-surge': [
    'traffic is five times higher than last week and services are overloaded',
    '大促流量突增，服务过载了',
  ],
  'kafka-consumer-lag': [
    'the kafka consumer group falls behind, lag keeps growing',
    'kafka 消息积压越来越多',
  ],
  'argocd-drift': [
    'argo cd shows OutOfSync because somebody changed the cluster by hand',
    'argocd 应用配置漂移，同步失败',
  ],
  'kyverno-policy-bypass': [
    'admission webhook denied my deployment because of a kyverno policy',
    'kyverno 策略被人绕过了',
  ],
  'http-5xx-errors': [
    'nginx ingress returns 502 bad gateway and the error rate rises',
    '网关 502，后端大量 5xx，错误率升高',
  ],
  'high-latency': ['p99 latency went up and responses are slow', '接口响应变慢，p99 延迟升高'],
  'service-unreachable': [
    'connection refused when the app talks to redis on port 6379',
    '连不上 mysql，端口不通，提示连接被拒绝',
  ],
  'node-not-ready': [
    'a kubernetes worker node is NotReady, kubelet stopped posting status',
    'k8s 节点 NotReady，kubelet 异常',
  ],
  'high-cpu': [
    'a process pegs the CPU at 100% and containers are throttled',
    '机器 CPU 打满，使用率一直 100%',
  ],
  'memory-leak': ['memory keeps growing until we restart the process', '进程内存一直涨，怀疑内存泄漏'],
  'queue-backlog': ['the rabbitmq queue has 200k unacked messages', 'rabbitmq 队列积压，任务堆积没人处理'],
  'replication-lag': [
    'the read replica is behind, replication lag is ten minutes',
    '主从延迟很大，从库落后十分钟',
  ],
  'database-locks': [
    'deadlock detected, blocked queries wait for a table lock',
    '数据库死锁，语句被阻塞，锁表了',
  ],
  'network-packet-loss': [
    'packet loss between two hosts and many retransmits',
    '两台机器之间网络丢包，重传很多',
  ],
  'image-pull-failure': [
    'ImagePullBackOff, the registry says manifest unknown',
    '镜像拉取失败，仓库报 unauthorized',
  ],
  'clock-skew': [
    'token used before issued, I suspect clock skew or ntp',
    '服务器时钟偏移，NTP 不同步导致令牌失效',
  ],
};

/** What no built-in skill is for. */
export const BESIDE: readonly string[] = [
  'hello, how are you today?',
  'what is the capital of Portugal?',
  'write a poem about autumn',
  'thanks, that was helpful',
  'translate this sentence into French',
  'recommend a good restaurant for tonight',
  '你好',
  '今天天气怎么样',
  '给我讲个笑话',
  '帮我把这句话翻译成法语',
  'explain monads to me',
  'who won the match yesterday?',
  'plan a three-day trip to Kyoto',
  '周末去哪里玩比较好',
  '怎么做红烧肉',
];

/** Written after names, descriptions and keywords were settled, which nothing was changed for. */
export const UNSEEN: readonly (readonly [text: string, skill: string])[] = [
  ['retrain the churn classifier tonight', 'model_train'],
  ['do these sensor readings contain garbage rows?', 'data_quality'],
  ['did the new hyperparameters beat the baseline run?', 'experiment_compare'],
  ['our repository needs automated builds on every commit', 'ci_setup'],
  ['ship image registry/app:5.0.2 to production kubernetes', 'container_deploy'],
  ['containerize this service and run it locally', 'docker_deploy'],
  ['preview the cloud changes of the tf modules', 'infra_provision'],
  ['anything risky in the code I just wrote on this branch?', 'code_review'],
  ['find functions that nobody tests', 'test_gen'],
  ['move us from react 17 to 18', 'api_migration'],
  ['do we ship packages with known CVEs', 'dependency_audit'],
  ['go through the bug reports in acme/web and group them', 'issue_triage'],
  ['what has been published on graph neural networks for RCA', 'paper_search'],
  ['list all HTTP endpoints of this service as openapi', 'api_spec'],
  ['draft the notes for version 2.3 from git history', 'changelog_write'],
  ['is api.example.com responding?', 'service_monitor'],
  ['the backup folder, is the newest archive readable', 'backup_check'],
  ['/home is nearly full, which folders are the biggest', 'disk_pressure'],
  ['something already uses port 5432', 'port_conflict'],
  ['why is this VM so sluggish', 'slow_host'],
  ['customers cannot pay, the payment API answers 503', 'payment-503-spike'],
  ['the JVM died with OutOfMemoryError', 'oom-killed'],
  ['upstream request timeout between cart and inventory', 'dependency-504-timeout'],
  ['Too many connections in mysql, the app hangs', 'connection-pool-exhaustion'],
  ['somebody edited a deployment with kubectl and argo reverts it', 'argocd-drift'],
  ['看下训练曲线是不是发散了', 'model_train'],
  ['这份数据里有多少空值', 'data_quality'],
  ['把服务升级到新镜像，滚动发布', 'container_deploy'],
  ['合并之前帮我检查一下代码', 'code_review'],
  ['哪些函数还没有测试覆盖', 'test_gen'],
  ['帮我看看 PR 有没有问题能不能合并', 'pr_review'],
  ['下一个版本号应该是多少', 'release_manage'],
  ['有没有关于大模型运维的研究文章', 'paper_search'],
  ['给这些接口写一份 swagger', 'api_spec'],
  ['官网打不开了，检查一下是不是挂了', 'service_monitor'],
  ['数据备份有没有按时完成', 'backup_check'],
  ['看看日志里报错最多的是什么', 'log_triage'],
  ['查一下 3306 端口是谁在用', 'port_conflict'],
  ['消费者处理不过来，队列越堆越多', 'kafka-consumer-lag'],
  ['刚上线的版本有 bug，要回退吗', 'deploy-regression'],
];
