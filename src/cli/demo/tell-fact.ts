import type { Spoken } from '#kit/text';
import pc from 'picocolors';
import type { DemoEvent } from '#demo';
import type { IncidentFact } from '#spec/data';
import type { IncidentText } from '../text/incident-text.ts';

/** One line of the timeline for people who watch; undefined for what is of no interest to them. */
export function tellFact(fact: Spoken<IncidentFact>, text: IncidentText): string | undefined {
  const line = wording(fact, text);
  return line && `${pc.dim(fact.at.slice(11, 19))}  ${line}`;
}

function wording(fact: Spoken<IncidentFact>, text: IncidentText): string | undefined {
  switch (fact.type) {
    case 'alert.normalized':
      return fact.data.alert.status === 'firing'
        ? `${pc.red('▲')} ${fact.data.alert.severity} ${fact.data.alert.title}`
        : `${pc.green('▼')} ${fact.data.alert.title}`;
    case 'incident.created':
      return `${pc.bold(fact.stream)} ${fact.data.title}`;
    case 'evidence.collected': {
      const { series, lines, spans, changes, ms } = fact.data;
      return `${text.evidence}: ${series} series, ${lines} lines, ${spans} spans, ${changes} changes ${pc.dim(`(${ms} ms)`)}`;
    }
    case 'rca.concluded':
      return `${pc.green('◆')} ${text.verdict}: ${pc.bold(fact.data.summary)} ${pc.dim(`${Math.round(fact.data.confidence * 100)} %`)}`;
    case 'rca.inconclusive':
      return `${pc.yellow('◇')} ${text.statuses.inconclusive}: ${fact.data.summary}`;
    case 'rca.read':
      return `${text.reader}: ${fact.data.reading.said}`;
    case 'action.proposed': {
      const { operation, service, params, reason } = fact.data.action;
      const given = Object.entries(params).map(([key, value]) => `${key}=${value}`);
      return `${text.action}: ${pc.bold(text.operations[operation])} ${service} ${given.join(' ')} ${pc.dim(reason)}`;
    }
    case 'action.rehearsed':
      return `${text.preview}: ${fact.data.preview}`;
    case 'checkpoint.created':
      return pc.dim(`${text.checkpoint}: ${fact.data.checkpoint}`);
    case 'approval.requested':
      return `${pc.yellow('?')} ${text.approval} ${fact.data.approval}`;
    case 'approval.granted':
      return `${pc.green('✓')} ${text.approval}: ${fact.data.channel}:${fact.data.by}`;
    case 'approval.denied':
      return `${pc.red('✗')} ${text.approval}: ${fact.data.channel}:${fact.data.by}`;
    case 'execution.started':
      return `→ ${fact.data.executor} ${pc.dim(fact.data.key)}`;
    case 'execution.finished':
      return `${fact.data.execution.status === 'done' ? pc.green('✓') : pc.red('✗')} ${text.execution}: ${fact.data.execution.detail}`;
    case 'execution.refused':
      return `${pc.red('✗')} ${fact.data.why}`;
    case 'recovery.verified':
      return [
        `${pc.green('✓')} ${text.recovery}`,
        ...fact.data.recovery.checks
          .filter(({ ok }) => ok === true)
          .map(({ summary }) => `            ${pc.green('✓')} ${summary}`),
      ].join('\n');
    case 'recovery.failed':
      return `${pc.red('✗')} ${text.recovery}`;
    case 'incident.closed':
      return `${pc.bold(text.states[fact.data.state])}: ${fact.data.why}`;
    case 'lesson.recorded':
      return pc.dim(`${text.lesson}: ${fact.data.lesson.skill ?? fact.data.lesson.knowledge ?? ''}`);
    default:
      return undefined;
  }
}

/** What happens in the system itself, as far as people should see it. */
export function tellEvent(event: DemoEvent): string | undefined {
  const at = pc.dim(new Date().toISOString().slice(11, 19));
  switch (event.type) {
    case 'service.crashed':
      return `${at}  ${pc.red('✗')} ${event.service} ended (${event.code ?? 'killed'})`;
    case 'registry.changed':
      return `${at}  ${pc.dim('⚙')} ${event.summary}`;
    case 'alert.undelivered':
      return `${at}  ${pc.red('!')} ${event.alert} ${event.service}: ${event.why}`;
    default:
      return undefined;
  }
}
