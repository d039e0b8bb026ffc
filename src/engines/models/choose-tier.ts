export type Tier = 'simple_qa' | 'skill_execution' | 'complex_reasoning' | 'code_generation';

/** Words that tell of work beyond a plain answer, each with how much it adds. English and Chinese. */
const SIGNS: readonly (readonly [RegExp, number])[] = [
  [
    /\b(why|root cause|diagnos\w*|investigat\w*|analy[sz]e|trade-?offs?|design|architect\w*|prove|compare|plan|strategy|post-?mortem)\b|为什么|根因|诊断|排查|分析|设计|架构|权衡|对比|规划|复盘/i,
    0.35,
  ],
  [
    /\b(deploy|roll ?back|migrate|refactor|restart|run|execute|install|configure|fix|check|monitor|review|summari[sz]e)\b|部署|回滚|迁移|重构|重启|执行|运行|安装|配置|修复|检查|监控|审查|总结/i,
    0.3,
  ],
  [/\b(then|after that|finally|step by step|first|second)\b|然后|之后|最后|首先|其次|逐步|步骤/i, 0.15],
  [
    /\b(across|every|all (the )?(services|files|nodes|clusters)|end[- ]to[- ]end|multi-?region)\b|所有|全部|整个|跨/i,
    0.15,
  ],
  [/```|\n[ \t]*at [^\n]{1,300}:\d{1,7}\)|Traceback|Exception|\b[45]\d\d\b/, 0.2],
];

const WRITES_CODE =
  /\b(write|implement|generate|create|add|code)\b[^.?!\n]{0,60}\b(function|class|script|program|component|module|unit tests?|regex|query|dockerfile|endpoint|method)\b|写(一个|个|一段)?.{0,12}(函数|脚本|程序|代码|类|组件|接口|测试)|生成.{0,8}(代码|脚本)|实现.{0,12}(函数|接口|算法|功能)/i;

/** How much thought a message asks for, from 0 to 1. Deterministic: the same words give the same tier. */
export function estimateComplexity(text: string): number {
  const cjk = text.match(/[㐀-鿿]/g)?.length ?? 0;
  const words = cjk / 2 + (text.replace(/[㐀-鿿]/g, ' ').match(/\S+/g)?.length ?? 0);
  const length = Math.min(0.4, words / 200);
  const signs = SIGNS.reduce((sum, [pattern, weight]) => sum + (pattern.test(text) ? weight : 0), 0);
  return Math.min(1, length + signs);
}

export function chooseTier(text: string): Tier {
  if (WRITES_CODE.test(text)) return 'code_generation';
  const complexity = estimateComplexity(text);
  if (complexity < 0.3) return 'simple_qa';
  return complexity < 0.7 ? 'skill_execution' : 'complex_reasoning';
}
