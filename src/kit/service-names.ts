/** What names of services end in, where nobody has listed them. */
const SUFFIX =
  'service|svc|api|gateway|gw|server|worker|backend|frontend|web|app|job|cron|proxy|lb|db|database|mysql|postgres|redis|cache|mq|kafka|queue|cluster';
const SUFFIXED = new RegExp(`(?<![\\w.-])[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:${SUFFIX})(?![\\w-])`, 'gi');
const DASHED = /(?<![\w.-])[a-z][a-z0-9_.]*(?:-[a-z0-9_.]*[a-z0-9])+(?![\w-])/gi;
/** Words that have a dash and are no names. */
const NO_SERVICE =
  /^(?:dry|roll|fail|high|low|non|off|pre|post|re|two|double|second|change|peak|rate|read|on|follow|set|start|time|real|long|short|full|end|one|up|all|day|well|self|open|built|cross|multi|single|root|error|write|hot|out|in|co|e|first|last)-|-(?:run|back|over|limit|limits|risk|hours?|peak|window|windows|call|only|step|key|keys|out|up|in|off|on|to|term|time|end|based|free|level|line|wide|down|cause|rate|day|ahead|mortem|side|point|scale|known)$/i;
/** `支付服务`, `订单系统`: what stands before it belongs to the name, but words of the sentence do not. */
const CHINESE = /(?<name>[\p{Script=Han}]{1,6}?(?:服务|系统|网关))/gu;
const CHINESE_FILLER =
  /^.*?(?:我们的?|你们的?|这个|那个|哪个|线上的?|生产的?|现在|刚才|今天|昨天|最近|目前|突然|发现|怎么|为什么|为何|什么|请问?|帮忙?|我|查看|看看|检查|查|看|一下|下|的|是|在|和|与|把|让|给|对|说|记住|所有|全部|各个?|健康|操作|文件|告警|监控|默认|本机|机器)/u;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Where a name stands in a text by itself, not as a part of a longer one; -1 where it does not. */
function placeIn(text: string, name: string): number {
  return new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`, 'i').exec(text)?.index ?? -1;
}

/** A text without a name: what is left says what is the matter, not with whom. */
export const withoutName = (text: string, name: string): string =>
  text.replaceAll(new RegExp(escaped(name), 'gi'), ' ');

/** Services that are known and named in a text, in its order. */
function knownServicesIn(text: string, known: readonly string[]): string[] {
  return known
    .map((service) => ({ service, at: placeIn(text, service) }))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => one.at - other.at || other.service.length - one.service.length)
    .map(({ service }) => service);
}

/** Names that can hardly be anything but a service: `coupon-service`. A dash alone makes none. */
export const plainServicesIn = (text: string): string[] => [...text.matchAll(SUFFIXED)].map(([name]) => name);

/** Services that a text names, in its order: known ones first, else whatever has the form of such a name. */
export function servicesIn(text: string, known: readonly string[] = []): string[] {
  const listed = knownServicesIn(text, known);
  if (listed.length) return listed;
  const plain = plainServicesIn(text);
  if (plain.length) return plain;
  return [...text.matchAll(DASHED)].map(([name]) => name).filter((name) => !NO_SERVICE.test(name));
}

/** `支付服务` in a sentence; undefined for `服务` alone. */
export function chineseServiceIn(text: string): string | undefined {
  for (const { groups } of text.matchAll(CHINESE)) {
    let name = groups?.['name'] ?? '';
    while (CHINESE_FILLER.test(name)) name = name.replace(CHINESE_FILLER, '');
    if (/^[\p{Script=Han}]{2,}(?:服务|系统|网关)$/u.test(name) && !/^(?:操作|文件|服务)/.test(name))
      return name;
  }
  return undefined;
}
