import { catalogue, tell, type Text } from '#kit/text';
import { showNumber as n } from './show-number.ts';

interface Moved {
  readonly before: number;
  readonly during: number;
}
interface Series {
  readonly metric: string;
  readonly service: string;
}

export const moved = ({ metric, service }: Series, { before, during }: Moved): Text =>
  tell(
    `${metric} of ${service} went from ${n(before)} to ${n(during)}`,
    `${service} 的 ${metric} 从 ${n(before)} 变为 ${n(during)}`,
  );

const after = (text: Text, en: string, zh: string): Text => tell(`${text.en}${en}`, `${text.zh}${zh}`);

export const swung = (series: Series, change: Moved & { readonly novelty: number }): Text =>
  after(
    moved(series, change),
    ` (${n(change.novelty)} times its largest usual swing)`,
    `(为平时最大波动的 ${n(change.novelty)} 倍)`,
  );

export const waitsForStore = (series: Series, change: Moved, store: string): Text =>
  after(moved(series, change), `: its database ${store} keeps it waiting`, `:一直在等待数据库 ${store}`);

export const leftRange = ({ metric, service }: Series, { before, during }: Moved): Text =>
  tell(
    `${metric} of ${service} left its range: ${n(before)} before, ${n(during)} since`,
    `${service} 的 ${metric} 超出正常范围:之前 ${n(before)},此后 ${n(during)}`,
  );

export const surged = ({ metric, service }: Series, { before, during }: Moved, fold: number): Text =>
  tell(
    `${metric} of ${service} rose from ${n(before)} to ${n(during)}: ${n(fold)} times the traffic`,
    `${service} 的 ${metric} 从 ${n(before)} 升到 ${n(during)}:流量为平时的 ${n(fold)} 倍`,
  );

export const fellSilent = ({ metric, service }: Series, since: string, missing: number): Text =>
  tell(
    `${service} reports nothing since ${since}: ${missing} samples of ${metric} are missing`,
    `${service} 自 ${since} 起没有上报:${metric} 缺少 ${missing} 个采样点`,
  );

interface Compared {
  readonly side: string;
  readonly own: number;
  readonly others: number;
}
export const versionWorse = ({ metric, service }: Series, { side, own, others }: Compared): Text =>
  tell(
    `version ${side} of ${service}: ${metric} is ${n(own)}, other versions have ${n(others)} at the same time`,
    `${service} 的版本 ${side}:${metric} 为 ${n(own)},同一时间其他版本为 ${n(others)}`,
  );

export const machineWorse = ({ metric, service }: Series, { side, own, others }: Compared): Text => {
  const [name] = metric.split('{', 1);
  return tell(
    `${service} on ${side}: ${name} is ${n(own)}, on other machines ${n(others)} at the same time`,
    `${service} 在 ${side} 上:${name} 为 ${n(own)},同一时间在其他机器上为 ${n(others)}`,
  );
};

interface On {
  readonly own: number;
  readonly others: number;
  readonly calls: number;
}
export const slowOn = (service: string, machine: string, { own, others, calls }: On): Text =>
  tell(
    `${service} works ${n(own)} ms itself for a request on ${machine}, ${n(others)} ms on other machines at the same time (${calls} requests)`,
    `${service} 在 ${machine} 上处理一个请求自身耗时 ${n(own)} ms,同一时间在其他机器上为 ${n(others)} ms(${calls} 个请求)`,
  );
export const failsOn = (service: string, machine: string, { own, others, calls }: On): Text =>
  tell(
    `${n(own * 100)} % of ${calls} requests of ${service} on ${machine} fail, on other machines ${n(others * 100)} % at the same time`,
    `${service} 在 ${machine} 上的 ${calls} 个请求有 ${n(own * 100)} % 失败,同一时间在其他机器上为 ${n(others * 100)} %`,
  );

export const harmed = (
  { metric, service }: Series,
  kind: 'errors' | 'latency',
  { before, during, requests }: Moved & { readonly requests: number },
  own: number,
): Text => {
  const { what, unit, level } = HARMS[kind];
  return tell(
    `${what.en} of ${service} (${metric}) went from ${level(before).en} to ${level(during).en} over ${n(requests)} requests; ${n(own)} ${unit.en} begin here`,
    `${service} 的${what.zh}(${metric})在 ${n(requests)} 个请求中从 ${level(before).zh} 变为 ${level(during).zh};` +
      `其中 ${n(own)} ${unit.zh}始于此处`,
  );
};
const HARMS = catalogue({
  en: {
    errors: { what: 'failures', unit: 'failed requests', level: (share: number) => `${n(share * 100)} %` },
    latency: { what: 'latency', unit: 'ms of waiting', level: (value: number) => n(value) },
  },
  zh: {
    errors: { what: '失败率', unit: '个失败请求', level: (share) => `${n(share * 100)} %` },
    latency: { what: '延迟', unit: '毫秒等待', level: (value) => n(value) },
  },
});

export const failsFirst = (
  service: string,
  { origins, calls }: { readonly origins: number; readonly calls: number },
  { now, usual }: { readonly now: number; readonly usual: number },
): Text =>
  tell(
    `${origins} of ${calls} calls fail first in ${service} (${n(now * 100)} %, before ${n(usual * 100)} %)`,
    `${calls} 次调用中有 ${origins} 次最先在 ${service} 失败(${n(now * 100)} %,之前 ${n(usual * 100)} %)`,
  );

type Slow = Moved & { readonly calls: number };
export const slowBetween = (caller: string, callee: string, { before, during, calls }: Slow): Text =>
  tell(
    `calls from ${caller} to ${callee} spend ${n(during)} ms between the two, ${n(before)} ms before (${calls} calls)`,
    `${caller} 到 ${callee} 的调用有 ${n(during)} ms 花在两者之间,之前为 ${n(before)} ms(${calls} 次调用)`,
  );

export const slowPeer = (caller: string, callee: string, { before, during, calls }: Slow): Text =>
  tell(
    `calls from ${caller} to ${callee} take ${n(during)} ms, ${n(before)} ms before (${calls} calls)`,
    `${caller} 到 ${callee} 的调用耗时 ${n(during)} ms,之前为 ${n(before)} ms(${calls} 次调用)`,
  );

export const slowItself = (operation: string, service: string, { before, during, calls }: Slow): Text =>
  tell(
    `${operation} of ${service} works ${n(during)} ms itself, ${n(before)} ms before (${calls} times)`,
    `${service} 的 ${operation} 自身耗时 ${n(during)} ms,之前为 ${n(before)} ms(${calls} 次)`,
  );

interface Share {
  readonly wrote: number;
  readonly calls: number;
}
export const saysOtherwise = (
  { operation, service, template }: Readonly<Record<'operation' | 'service' | 'template', string>>,
  complains: boolean,
  { during, before }: { readonly during: Share; readonly before: Share },
): Text =>
  tell(
    `${operation} of ${service} ${complains ? 'complains' : 'no longer says'} "${template}": ` +
      `${during.wrote} of ${during.calls} calls, before ${before.wrote} of ${before.calls} calls`,
    `${service} 的 ${operation} ${complains ? '报告' : '不再输出'} "${template}":` +
      `${during.calls} 次调用中 ${during.wrote} 次,之前 ${before.calls} 次中 ${before.wrote} 次`,
  );

export const wrote = (
  service: string,
  template: string,
  { during, before }: { readonly during: number; readonly before: number },
): Text =>
  tell(
    `${service} wrote "${template}" ${during} times, ${before} times before`,
    `${service} 输出 "${template}" ${during} 次,之前 ${before} 次`,
  );

export const says = (service: string | undefined, text: string): Text =>
  tell(
    `${service === undefined ? 'the alert' : service} says "${text}"`,
    `${service ?? '告警'} 提示 "${text}"`,
  );
export const symptomsName = (text: string): Text =>
  tell(`the symptoms name it: "${text}"`, `症状直接指明:"${text}"`);

export const calm = (
  { metric, service }: { readonly metric: string | undefined; readonly service: string | undefined },
  { before, during, p }: Moved & { readonly p: number },
): Text =>
  tell(
    `${metric} of ${service} is ${n(during)} at its worst, usually ${n(before)}: as much is seen in ${n(p * 100)} % of quiet windows`,
    `${service} 的 ${metric} 最差为 ${n(during)},平时为 ${n(before)}:平静时段中有 ${n(p * 100)} % 也会如此`,
  );
export const NOTHING_MOVED = tell(
  'no series, log or trace left its usual range',
  '没有任何指标、日志或链路超出正常范围',
);
export const NOTHING_UNUSUAL = tell('nothing changed beyond what is usual', '没有超出正常范围的变化');

const KINDS = catalogue({
  en: { deploy: 'deploy', commit: 'commit', config: 'config', flag: 'flag', release: 'release' },
  zh: { deploy: '发布', commit: '提交', config: '配置变更', flag: '开关变更', release: '版本发布' },
});
interface ToldChange {
  readonly kind: keyof typeof KINDS;
  readonly id: string;
  readonly summary: string;
}
export const changed = (
  { kind, id, summary }: ToldChange,
  {
    services,
    carrier,
    at,
  }: { readonly services: readonly string[]; readonly carrier: string | undefined; readonly at: string },
): Text => {
  const names = services.join(', ');
  return tell(
    `${kind} ${id} "${summary}"${names ? ` on ${names}` : ''}${carrier === undefined ? '' : `, live with ${carrier}`} at ${at}`,
    `${KINDS[kind].zh} ${id} "${summary}"${names ? `,作用于 ${names}` : ''}${carrier === undefined ? '' : `,随 ${carrier} 上线`},时间 ${at}`,
  );
};

export const tookEffect = (
  { kind, id, summary }: ToldChange,
  {
    minutes,
    terms,
    tie,
  }: { readonly minutes: number; readonly terms: string; readonly tie: Text | undefined },
): Text =>
  tell(
    `${kind} ${id} "${summary}" took effect ${minutes} min before a symptom${terms ? ` and speaks of ${terms}` : ''}${tie ? `; ${tie.en}` : ''}`,
    `${KINDS[kind].zh} ${id} "${summary}" 在症状出现前 ${minutes} 分钟生效${terms ? `,内容涉及 ${terms}` : ''}${tie ? `;${tie.zh}` : ''}`,
  );
export const notTheCause = ({ kind, id }: ToldChange, refuted: Text): Text =>
  tell(`${kind} ${id} is not the cause: ${refuted.en}`, `${KINDS[kind].zh} ${id} 不是原因:${refuted.zh}`);

export const IDLE_CHANGE = tell('it touches documents, tests or the build only', '只涉及文档、测试或构建');
export const cameAfter = (minutes: number): Text =>
  tell(`it came ${minutes} min after the first symptom`, `在首个症状之后 ${minutes} 分钟才发生`);
export const takenBack = (minutes: number): Text =>
  tell(`it was taken back ${minutes} min before the first symptom`, `在首个症状之前 ${minutes} 分钟已撤回`);
export const sameValues = (metric: string): Text =>
  tell(`${metric} moved between the very values that it replaced`, `${metric} 正好在它改动的两个值之间变化`);
export const complaintsName = (value: string): Text =>
  tell(`complaints name the very value that it set: ${value}`, `报错中正好出现它设置的值:${value}`);
export const worseVersion = (version: string, service: string): Text =>
  tell(
    `version ${version} does worse than the others of ${service}`,
    `${service} 的版本 ${version} 比其他版本差`,
  );

const MISSING = catalogue({
  en: {
    metrics: 'metrics',
    logs: 'log lines',
    traces: 'traces',
    topology: 'calls between services',
    changes: 'changes',
  },
  zh: { metrics: '指标', logs: '日志', traces: '链路', topology: '服务调用关系', changes: '变更' },
});
export const gaveNothing = (source: string, kind: keyof typeof MISSING, problem: Text): Text =>
  tell(
    `${source} gave no ${MISSING[kind].en}: ${problem.en}`,
    `${source} 没有给出${MISSING[kind].zh}:${problem.zh}`,
  );

/** Kinds of evidence that nobody kept. */
export const LACKS = {
  metrics: tell('metrics', '指标'),
  logs: tell('logs', '日志'),
  traces: tell('traces', '链路'),
  changes: tell('changes (deploys, commits, configuration, flags)', '变更(发布、提交、配置、开关)'),
  topology: tell('topology: who calls whom', '拓扑:服务之间的调用关系'),
};

type Other = string | undefined;

/** Questions whose answer would decide. */
export const NEXT = catalogue({
  en: {
    without: (place: string, change: string) => `does ${place} recover where ${change} does not run?`,
    logs: (place: string, other: Other, since: string) =>
      `logs of ${place}${andOf(other)} since ${since}: which errors are new?`,
    traces: (place: string, other: Other) =>
      `traces through ${place}${andOf(other)}: which call waits, and for whom?`,
    changes: (place: string, other: Other, before: string) =>
      `changes of ${place}${andOf(other)} in the day before ${before}`,
    saturation: (place: string, other: Other, since: string) =>
      `saturation of ${place}${andOf(other)}: pools, queues, throttling and restarts since ${since}`,
  },
  zh: {
    without: (place, change) => `在没有运行 ${change} 的地方,${place} 是否恢复?`,
    logs: (place, other, since) => `${place}${and(other)} 自 ${since} 起的日志:哪些错误是新出现的?`,
    traces: (place, other) => `经过 ${place}${and(other)} 的链路:哪个调用在等待,等待谁?`,
    changes: (place, other, before) => `${place}${and(other)} 在 ${before} 之前一天的变更`,
    saturation: (place, other, since) =>
      `${place}${and(other)} 自 ${since} 起的饱和度:连接池、队列、限流和重启`,
  },
});

function andOf(other: Other): string {
  return other === undefined ? '' : ` and of ${other}`;
}
function and(other: Other): string {
  return other === undefined ? '' : ` 和 ${other}`;
}

/** What a reader of a citation could not see. */
export const UNSEEN = catalogue({
  en: {
    notStored: 'nothing is stored for it',
    noSeries: 'what is stored holds no series',
    noLine: 'what is stored holds no line',
    noSpan: 'what is stored holds no span',
    noChange: 'what is stored holds no change',
    otherNumbers: (before: string, during: string) =>
      `what is stored does not go from ${before} to ${during}`,
  },
  zh: {
    notStored: '没有保存任何结果',
    noSeries: '保存的结果中没有指标',
    noLine: '保存的结果中没有日志',
    noSpan: '保存的结果中没有链路',
    noChange: '保存的结果中没有变更',
    otherNumbers: (before, during) => `保存的结果没有从 ${before} 变为 ${during}`,
  },
});
export const citesUnknown = (id: string): Text =>
  tell(
    `no conclusion: ${id} is cited and is no evidence of this diagnosis`,
    `不能定论:引用的 ${id} 不是本次诊断的证据`,
  );
export const notShown = (id: string, problem: Text, summary: Text): Text =>
  tell(
    `no conclusion: ${id} is cited, and ${problem.en} (${summary.en})`,
    `不能定论:引用了 ${id},但${problem.zh}(${summary.zh})`,
  );

/** The likeliest hypothesis in one line. */
export const NOTHING_FOUND = tell('nothing found', '没有发现异常');
