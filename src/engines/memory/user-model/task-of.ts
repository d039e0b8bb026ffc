/** Verbs that name a task, by one name each. */
const VERBS: readonly (readonly [string, RegExp])[] = [
  ['roll back', /\broll(?:ing)? ?back\b|\brevert\b|回滚/i],
  ['deploy', /\bdeploy(?:ing|ed)?\b|\brelease\b|\bship\b|部署|发布|上线/i],
  ['restart', /\brestart\b|\breboot\b|\bbounce\b|重启/i],
  ['scale', /\bscale\b|\bresize\b|扩容|缩容/i],
  ['diagnose', /\b(?:debug|diagnose|investigate|troubleshoot|triage)\b|排障|排查|定位|诊断/i],
  ['review', /\breview\b|审查|评审/i],
  ['monitor', /\b(?:monitor|watch)\b|监控|巡检/i],
  ['back up', /\bback ?up\b|备份/i],
  ['migrate', /\bmigrat(?:e|ing)\b|迁移/i],
  ['upgrade', /\b(?:upgrade|update|bump)\b|升级|更新/i],
  ['test', /\btest\b|测试/i],
  ['fix', /\b(?:fix|repair|mend)\b|修复|修一下/i],
  ['write', /\b(?:write|draft|generate|create)\b|编写|写一|生成|创建/i],
  ['explain', /\bexplain\b|解释|讲讲/i],
  ['check', /\b(?:check|show|list|look at|inspect|query)\b|检查|查看|查一?下|看一?下|列出/i],
];

const OBJECTS: readonly (readonly [string, RegExp])[] = [
  ['logs', /\blogs?\b|日志/i],
  ['pods', /\bpods?\b/i],
  ['disk', /\bdisks?\b|\bstorage\b|磁盘/i],
  ['alerts', /\balerts?\b|告警|报警/i],
  ['certificate', /\bcert(?:ificate)?s?\b|证书/i],
  ['database', /\b(?:database|db|mysql|postgres(?:ql)?)\b|数据库/i],
  ['pull request', /\b(?:prs?|pull requests?)\b|合并请求/i],
  ['code', /\bcode\b|代码/i],
  ['report', /\breports?\b|周报|日报|报告/i],
  ['dashboard', /\bdashboards?\b|大盘|看板/i],
  ['cluster', /\bclusters?\b|集群/i],
  ['service', /\bservices?\b|服务/i],
];
const IDENTIFIER = /\b[a-z][a-z0-9]*(?:-[a-z0-9]+){1,4}\b/;

/** What a message asks for, as a verb and its object, such as `restart payment-service`; undefined when it is no task. */
export function taskOf(text: string): string | undefined {
  const line =
    text
      .trim()
      .split(/[\n。.!?!?]/, 1)[0]
      ?.slice(0, 300) ?? '';
  const verbs = VERBS.flatMap(([name, pattern]) => {
    const at = line.search(pattern);
    return at < 0 ? [] : [{ name, at }];
  }).toSorted((a, b) => a.at - b.at);
  const verb = verbs[0]?.name;
  if (!verb) return undefined;
  const named = OBJECTS.find(([, pattern]) => pattern.test(line))?.[0];
  const identifier = IDENTIFIER.exec(line.toLowerCase())?.[0];
  // A service by its name says more than the word; what is looked at in it, more than which one it is.
  const object = named && named !== 'service' ? named : (identifier ?? named);
  return object ? `${verb} ${object}` : undefined;
}
