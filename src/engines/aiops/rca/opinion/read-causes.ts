import { CAUSE_CATEGORIES, type CauseCategory, type Hypothesis } from '#spec/data';
import { CATEGORIES } from '../../names.ts';

/** What people and other tools call the kinds of causes: `deploy_db_regression`, `Redis hot key`, `下游超时`. */
const CALLED: readonly (readonly [RegExp, readonly CauseCategory[]])[] = [
  [
    /deploy|release|rollout|canary|\bnew version|regression|发布|上线|发版|新版本|灰度|金丝雀/,
    ['deploy_regression'],
  ],
  [/pool|连接池|连接(?:数)?(?:耗尽|打满|用完)/, ['connection_pool']],
  [
    /\bdb\b|database|mysql|postgres|\bsql\b|slow quer|数据库|慢查询|慢 ?sql/,
    ['database_latency', 'connection_pool'],
  ],
  [/time ?out|deadline|downstream|upstream|dependency|超时|下游|依赖/, ['dependency_timeout']],
  [/rate limit|throttl|quota|too many requests|\b429\b|限流|配额/, ['rate_limit']],
  [/(?:hot|big) ?key|热点? ?key|热点键|大 ?key/, ['hot_key']],
  [/\boom|memory|\bcpu\b|threads?\b|descriptor|resource|内存|线程|资源/, ['resource_exhaustion']],
  [/network|packet|\bdns\b|网络|丢包/, ['network_delay']],
  [/config|setting|\bflag|配置|开关/, ['bad_config']],
  [/\bcert|\btls\b|x509|证书/, ['certificate']],
  [/\bdisk|no space|inode|磁盘|硬盘/, ['disk']],
  [/crash|panic|restart|崩溃|反复重启/, ['crash_loop']],
  [/surge|traffic|flood|流量|洪峰/, ['traffic_surge']],
  [/vendor|third part|provider|external|outage|外部|第三方|供应商|云厂商/, ['external']],
  [/no fault|false alarm|nothing wrong|误报|没有?问题/, ['none']],
];

/** The kinds of causes that a name or a sentence may mean; none where it names no kind. */
export function readCauses(text: string): readonly CauseCategory[] {
  const said = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[_\s-]+/g, ' ')
    .trim();
  const own = CAUSE_CATEGORIES.find(
    (category) => said === CATEGORIES[category].en || said === CATEGORIES[category].zh,
  );
  if (own) return [own];
  return [...new Set(CALLED.flatMap(([words, causes]) => (words.test(said) ? causes : [])))];
}

/** What runbooks call a release that shows in a connection pool or a database. */
const RELEASE_IN_DATABASE = 'deploy_db_regression';
const OF_DATABASES: readonly CauseCategory[] = ['connection_pool', 'database_latency'];

/** The name that others have for a hypothesis, by its kind and by what its evidence tells. */
export function otherName(
  { category, change }: Pick<Hypothesis, 'category' | 'change'>,
  told: readonly string[],
): string | undefined {
  if (change === undefined || ![...OF_DATABASES, 'deploy_regression'].includes(category)) return undefined;
  const kinds = [category, ...told.flatMap(readCauses)];
  return kinds.some((kind) => OF_DATABASES.includes(kind)) ? RELEASE_IN_DATABASE : undefined;
}
