import type { ReportInput } from './report-input.ts';
import { recoveryWord } from './words.ts';

/** What the incident left open, read off its own records. Nothing here is made up. */
export function followUps({ incident, facts, language }: ReportInput): string[] {
  const zh = language === 'zh';
  const { rca, action, execution, recovery, state } = incident;
  const [first] = rca?.hypotheses ?? [];
  const gaps = new Set(facts.flatMap((fact) => (fact.type === 'evidence.collected' ? fact.data.gaps : [])));
  const blind = (recovery?.checks ?? []).filter(({ ok }) => ok === undefined);
  const failed = (recovery?.checks ?? []).filter(({ ok }) => ok === false);
  const open: string[] = [];
  if (state === 'needs_person')
    open.push(
      zh ? `需要人工处理:${incident.note ?? ''}` : `A person has to take over: ${incident.note ?? ''}`,
    );
  if (execution?.status === 'unknown') {
    open.push(
      zh
        ? `核对 ${action?.service} 的真实状态:执行结果未知`
        : `Look at ${action?.service}: whether the action was carried out is not known`,
    );
  }
  if (execution?.status === 'failed')
    open.push(zh ? `执行失败:${execution.detail}` : `The action failed: ${execution.detail}`);
  for (const { summary } of failed) open.push(zh ? `尚未恢复:${summary}` : `Not recovered: ${summary}`);
  if (execution?.status === 'done' && first?.change) {
    open.push(
      zh
        ? `修复变更 ${first.change} 后再重新发布,处置只是恢复了服务`
        : `Mend change ${first.change} before it is released again: the action restored service, not the change`,
    );
  }
  if (action?.dryRunOnly)
    open.push(
      zh ? `动作只做了预演:${action.dryRunOnly}` : `The action was only rehearsed: ${action.dryRunOnly}`,
    );
  if (rca && rca.status === 'inconclusive' && rca.nextQuery) {
    open.push(zh ? `可以定论的查询:${rca.nextQuery}` : `Ask what would decide: ${rca.nextQuery}`);
  }
  for (const what of rca?.missing ?? [])
    open.push(zh ? `补上缺失的证据:${what}` : `Make it visible next time: ${what}`);
  for (const gap of gaps) open.push(zh ? `采集失败的后端:${gap}` : `A backend gave nothing: ${gap}`);
  for (const { dimension } of blind) {
    open.push(
      zh
        ? `恢复验证缺少信号:${recoveryWord(dimension, language)}`
        : `No signal to verify recovery by: ${recoveryWord(dimension, language)}`,
    );
  }
  return [...new Set(open)];
}
