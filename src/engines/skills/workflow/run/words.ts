import type { Language } from '#kit/language';
import type { StepState } from './run-records.ts';

/** What a run says to people. */
export interface Words {
  uncertain(): string;
  denied(): string;
  nobody(): string;
  stopped(): string;
  cancelled(): string;
  earlier(run: string): string;
  unused(names: string): string;
  continued(step: string, message: string): string;
  unchecked(what: string): string;
  unmet(what: string): string;
  undelivered(platform: string, why: string): string;
  unheard(): string;
  late(seconds: number): string;
  over(seconds: number): string;
  unheld(condition: string): string;
  depends(names: string): string;
  forgetful(): string;
  failed(step: string, kind: string, message: string): string;
  advice(text: string): string;
  shown(): string;
  state(state: StepState): string;
  step(name: string, summary: string): string;
  taken(place: string): string;
  takenAt(place: string, steps: readonly string[]): string;
}

const EN: Words = {
  uncertain: () =>
    'it was begun, and it is not known whether it was done: look at what it changes, then run again with --from',
  denied: () => 'it was not agreed to',
  nobody: () => 'it needs a confirmation, and there is nobody to ask',
  stopped: () => 'the run ended before it',
  cancelled: () => 'the run was cancelled',
  earlier: (run) => `taken over from run ${run}`,
  unused: (names) => `Nothing uses these arguments: ${names}`,
  continued: (step, message) => `'${step}' failed, and the run went on: ${message}`,
  unchecked: (what) => `Could not be checked: ${what}`,
  unmet: (what) => `This does not hold: ${what}`,
  undelivered: (platform, why) => `The message for ${platform} was not taken: ${why}`,
  unheard: () => 'Nobody was notified: no messaging platform is connected here',
  late: (seconds) => `it took longer than ${seconds} s`,
  over: (seconds) => `the whole run may take ${seconds} s, and they are over`,
  unheld: (condition) => `${condition} does not hold`,
  depends: (names) => `it depends on ${names}`,
  forgetful: () => 'there is no memory here',
  failed: (step, kind, message) => `**'${step}' did not succeed** (${kind}): ${message}`,
  advice: (text) => `Advice: ${text}`,
  shown: () => 'A dry run: what would change something was only shown.',
  state: (state) => state,
  step: (name, summary) => `- ${name}: ${summary}`,
  taken: (place) => `Taken ${place}.`,
  takenAt: (place, steps) => `Taken ${place}: ${steps.join(', ')}.`,
};

const STATES_ZH: Readonly<Record<StepState, string>> = {
  pending: '未执行',
  running: '执行中',
  done: '完成',
  recovered: '已恢复',
  failed: '失败',
  refused: '被拒绝',
  uncertain: '结果不明',
  skipped: '跳过',
  shown: '仅展示',
};

const KINDS_ZH: Readonly<Record<string, string>> = {
  precondition: '前置条件',
  postcondition: '后置条件',
  invalid: '技能文件有误',
  timeout: '超时',
  refused: '被拒绝',
  uncertain: '结果不明',
  cancelled: '已取消',
  template_error: '模板错误',
  condition_error: '条件错误',
  unknown_action: '未知动作',
  bad_arguments: '参数有误',
  port_conflict: '端口冲突',
  disk_full: '磁盘已满',
  out_of_memory: '内存不足',
  missing_command: '缺少命令',
  build_failure: '构建失败',
  test_failure: '测试失败',
  auth_failure: '认证失败',
  permission_denied: '权限不足',
  rate_limited: '被限流',
  network_error: '网络错误',
  not_found: '未找到',
  conflict: '冲突',
  command_failed: '命令失败',
  failed: '失败',
};

const ZH: Words = {
  uncertain: () => '已开始执行，但无法确定是否完成：请先检查它所改动的对象，再用 --from 重新运行',
  denied: () => '未获同意',
  nobody: () => '此步骤需要确认，但没有人可以询问',
  stopped: () => '运行在此之前已结束',
  cancelled: () => '运行已取消',
  earlier: (run) => `沿用运行 ${run} 的结果`,
  unused: (names) => `以下参数没有被使用：${names}`,
  continued: (step, message) => `“${step}”失败，运行继续：${message}`,
  unchecked: (what) => `无法检查：${what}`,
  unmet: (what) => `条件不满足：${what}`,
  undelivered: (platform, why) => `发往 ${platform} 的消息未被接收：${why}`,
  unheard: () => '未发送通知：这里没有连接消息平台',
  late: (seconds) => `执行超过 ${seconds} 秒`,
  over: (seconds) => `整个运行限时 ${seconds} 秒，时间已到`,
  unheld: (condition) => `条件不成立：${condition}`,
  depends: (names) => `取决于 ${names}`,
  forgetful: () => '这里没有记忆功能',
  failed: (step, kind, message) => `**“${step}”未成功**（${KINDS_ZH[kind] ?? kind}）：${message}`,
  advice: (text) => `建议：${text}`,
  shown: () => '试运行：会产生改动的步骤只作展示。',
  state: (state) => STATES_ZH[state],
  step: (name, summary) => `- ${name}：${summary}`,
  taken: (place) => `测量位置：${placeIn(place)}。`,
  takenAt: (place, steps) => `测量位置：${placeIn(place)}（${steps.join('、')}）。`,
};

const WORDS: Readonly<Record<Language, Words>> = { en: EN, zh: ZH };
export const wordsIn = (language: Language): Words => WORDS[language];

/** A place as it is told by whoever ran there, in Chinese. */
function placeIn(place: string): string {
  const [, container] = /^on this machine, which is itself a container \((.+)\)$/.exec(place) ?? [];
  if (container) return `本机（本机自身是 ${container} 容器）`;
  if (place === 'on this machine') return '本机';
  const [, sandbox] = /^in the (.+?) sandbox$/.exec(place) ?? [];
  if (sandbox) return `${sandbox} 沙箱内`;
  const [, type, host] = /^on (\S+) host (.+)$/.exec(place) ?? [];
  return host ? `${type} 主机 ${host}` : place;
}
