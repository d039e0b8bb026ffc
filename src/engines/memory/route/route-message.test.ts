import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { type Route, ROUTES, routeMessage } from './route-message.ts';

/** Route, message, and what is to be remembered where that is a part of it. */
const LINES: readonly (readonly [Route, string, string?])[] = [
  ['incident', 'payment-service P1 503 告警,帮我排障'],
  ['incident', 'P1: checkout error rate 12 %, please investigate'],
  ['incident', 'order-service is down'],
  ['incident', 'Why is payment-service timing out right now?'],
  ['incident', 'coupon-service 大量 504 超时,帮忙看看什么原因'],
  ['incident', '支付服务挂了'],
  ['incident', 'Alert: HighErrorRate firing on checkout since 10:05'],
  ['incident', 'the api keeps crashing, help me find the root cause'],
  ['incident', 'mysql 连接池打满了,现在怎么处理'],
  ['incident', 'We got paged: high latency on search'],
  ['incident', '订单服务错误率飙升,排查一下'],
  ['remember', '记住 coupon-service 高峰期必须先降级', 'coupon-service 高峰期必须先降级'],
  ['remember', '请记住:生产回滚必须审批', '生产回滚必须审批'],
  ['remember', 'remember that deploys are frozen in December', 'deploys are frozen in December'],
  ['remember', 'Please remember: the bastion is jump-1', 'the bastion is jump-1'],
  ['remember', "Don't forget that Lin owns the database", 'Lin owns the database'],
  ['remember', 'keep in mind that the pool is 40', 'the pool is 40'],
  ['remember', 'Note that staging restarts at 02:00', 'staging restarts at 02:00'],
  ['remember', 'Note: staging restarts at 02:00', 'staging restarts at 02:00'],
  ['remember', 'save this to memory: VPN drops after 30 minutes', 'VPN drops after 30 minutes'],
  ['remember', 'add "grafana is at /d/pay" to your notes', 'grafana is at /d/pay'],
  ['remember', 'FYI: the canary takes 5 %', 'the canary takes 5 %'],
  ['remember', '记一下,周五之后不发版', '周五之后不发版'],
  ['remember', '帮我记住值班电话转二线', '值班电话转二线'],
  ['remember', '别忘了对账前不能重启数据库', '对账前不能重启数据库'],
  ['remember', '把支付组的负责人是老王记下来', '支付组的负责人是老王'],
  ['remember', '备忘:证书 6 月到期', '证书 6 月到期'],
  ['remember', 'Could you remember that node-3 is drained', 'node-3 is drained'],
  ['remember', 'Remember that p95 alerts on checkout are noise', 'p95 alerts on checkout are noise'],
  ['remember', '记住:告警收敛由 SRE 组处理', '告警收敛由 SRE 组处理'],
  ['recall', 'do you remember how we fixed the pool?'],
  ['recall', 'Do you still remember my cluster?'],
  ['recall', '查一下 coupon-service 以前 504 怎么处理'],
  ['recall', 'what did we do last time about the redis hot key?'],
  ['recall', 'What was the root cause of INC-2041?'],
  ['recall', 'have we seen this 429 before?'],
  ['recall', 'remind me how the failover works'],
  ['recall', 'what do you know about coupon-service'],
  ['recall', 'how did we handle the outage last month'],
  ['recall', 'search your memory for the rollback command'],
  ['recall', '上次 redis 热 key 是怎么解决的'],
  ['recall', '你还记得支付服务的负责人吗'],
  ['recall', '之前有没有处理过这个问题'],
  ['recall', '我们通常怎么处理 504'],
  ['recall', '记忆里有关于 coupon-service 的内容吗'],
  ['recall', 'how do we usually drain a node'],
  ['preference', '我喜欢中文回答', '我喜欢中文回答'],
  ['preference', '以后都用中文回复', '以后都用中文回复'],
  ['preference', '请用英文回答我'],
  ['preference', '回答尽量简短'],
  ['preference', '我不喜欢长篇大论'],
  ['preference', 'I prefer short answers'],
  ['preference', 'I like tables over prose'],
  ['preference', 'Always show the command first'],
  ['preference', 'please answer in Chinese'],
  ['preference', 'Keep your answers under five lines'],
  ['preference', "don't use emojis in your answers"],
  ['preference', 'Call me Lin'],
  ['preference', 'my preferred editor is vim'],
  [
    'preference',
    'remember that I prefer Terraform over CloudFormation',
    'I prefer Terraform over CloudFormation',
  ],
  ['preference', '记住我喜欢先看结论', '我喜欢先看结论'],
  ['publish_skill', '保存成 runbook skill'],
  ['publish_skill', '把刚才的步骤整理成一个技能'],
  ['publish_skill', 'save this as a skill'],
  ['publish_skill', 'Turn that into a runbook called pool-exhausted', 'pool-exhausted'],
  ['publish_skill', 'publish this'],
  ['publish_skill', 'make a skill out of this'],
  ['chat', ''],
  ['chat', '   '],
  ['chat', 'hello'],
  ['chat', '你好'],
  ['chat', 'remember'],
  ['chat', 'Remember me?'],
  ['chat', 'remember when the office had a slide'],
  ['chat', 'do I need to remember that for the exam?'],
  ['chat', '记住了吗'],
  ['chat', 'What is a P1?'],
  ['chat', 'explain what an HTTP 503 error means'],
  ['chat', 'how does a circuit breaker work'],
  ['chat', 'I like this'],
  ['chat', 'I want you to check the disk of web-1'],
  ['chat', '部署 payment-service 到测试环境'],
  ['chat', 'write a haiku about alerts'],
  ['chat', 'show me the pods in staging'],
  ['chat', '什么是熔断'],
  ['chat', 'list all files in /tmp'],
  ['chat', 'translate "remember that" into Chinese'],
  ['chat', 'What is the note-taking app called'],
];

describe('routeMessage', () => {
  it.each(LINES.map(([route, message, text]) => ({ route, message, text })))(
    '$route: $message',
    ({ route, message, text }) => {
      const routed = routeMessage(message);
      expect(routed.route).toBe(route);
      if (text !== undefined) expect(routed.text).toBe(text);
    },
  );

  it('knows enough lines of every route', () => {
    expect(LINES.length).toBeGreaterThanOrEqual(60);
    for (const route of ROUTES) expect(LINES.filter(([of]) => of === route).length).toBeGreaterThanOrEqual(6);
  });

  it('stays fast on any text', () => {
    const began = cpuMs();
    for (const piece of ['remember ', 'what did we ', '以前怎么', 'save this ', 'i like ', '把', 'a'])
      routeMessage(piece.repeat(3_000));
    expect(cpuMs() - began).toBeLessThan(2_000);
  });
});
