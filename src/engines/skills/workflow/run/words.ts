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
  failed: (step, kind, message) => `**“${step}”未成功**（${kind}）：${message}`,
  advice: (text) => `建议：${text}`,
  shown: () => '试运行：会产生改动的步骤只作展示。',
  state: (state) => STATES_ZH[state],
  step: (name, summary) => `- ${name}：${summary}`,
  taken: (place) => `测量位置：${placeIn(place)}。`,
  takenAt: (place, steps) => `测量位置：${placeIn(place)}（${steps.join('、')}）。`,
};

export const wordsIn = (language: Language): Words => (language === 'zh' ? ZH : EN);

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
