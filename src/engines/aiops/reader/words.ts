import { catalogue } from '#kit/text';

/** What is said of a second reader. */
export const words = catalogue({
  en: {
    asked: (model: string) => `${model} was asked as a second reader.`,
    unanswered: (model: string, why: string) =>
      `The second reader, ${model}, did not answer: ${why}. The diagnosis stands as it was.`,
    unfounded: (model: string, why: string) =>
      `The answer of the second reader, ${model}, counts for nothing: ${why}.`,
    divided: (model: string) =>
      `The second reader, ${model}, answered otherwise when the same hypotheses stood in another order: that counts for nothing.`,
    silent: 'nothing came back',
    late: 'it took too long',
    failed: 'it could not be asked',
    interrupted: 'it was interrupted, and is not asked again',
    unreadable: 'what came back is no answer',
    noHypothesis: 'it names no hypothesis that it was shown',
    noEvidence: 'it cites no evidence',
    strangeEvidence: 'it cites evidence that it was not shown',
    strangeQuote: 'the line that it quotes stands in nothing that it was shown',
    agrees: (model: string, cause: string) => `The second reader, ${model}, agrees: ${cause}.`,
    namesOther: (model: string, cause: string) =>
      `The second reader, ${model}, names another cause: ${cause}.`,
    namesNone: (model: string) =>
      `The second reader, ${model}, finds that none of the hypotheses explains it.`,
    movedFirst: 'That now stands first, and what to do about it is for a person to decide.',
    stayed: 'It weighs too little against the evidence to put that first.',
    blocked: (change: string) => `Undoing ${change} is left to a person.`,
    gone: 'Newer evidence no longer speaks of that.',
    query: {
      metrics: (service: string) => `What do the metrics of ${service} show?`,
      logs: (service: string) => `What do the logs of ${service} say?`,
      traces: (service: string) => `What do the traces of ${service} show?`,
      changes: (service: string) => `What was changed in ${service}?`,
    },
  },
  zh: {
    asked: (model) => `已请 ${model} 复核。`,
    unanswered: (model, why) => `复核模型 ${model} 没有给出答复:${why}。诊断维持不变。`,
    unfounded: (model, why) => `复核模型 ${model} 的答复不作数:${why}。`,
    divided: (model) => `同样的假设换了顺序后,复核模型 ${model} 的答复不同:不作数。`,
    silent: '没有返回内容',
    late: '超时',
    failed: '无法询问',
    interrupted: '中途被打断,不再询问',
    unreadable: '返回的内容不是答复',
    noHypothesis: '它选的不是给它看的假设',
    noEvidence: '它没有引用证据',
    strangeEvidence: '它引用了没有给它看的证据',
    strangeQuote: '它摘录的文字不在给它看的内容里',
    agrees: (model, cause) => `复核模型 ${model} 同意:${cause}。`,
    namesOther: (model, cause) => `复核模型 ${model} 认为另有原因:${cause}。`,
    namesNone: (model) => `复核模型 ${model} 认为所列假设都不能解释。`,
    movedFirst: '它现在排在第一,如何处理由人决定。',
    stayed: '与证据相比分量不足,没有排到第一。',
    blocked: (change) => `是否撤销 ${change} 由人决定。`,
    gone: '新的证据已不再指向它。',
    query: {
      metrics: (service) => `${service} 的指标如何?`,
      logs: (service) => `${service} 的日志说了什么?`,
      traces: (service) => `${service} 的链路如何?`,
      changes: (service) => `${service} 有哪些变更?`,
    },
  },
});
