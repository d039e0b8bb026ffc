import { catalogue } from '#kit/text';

/** What is said to whoever thinks that the cause is another one. */
export const words = catalogue({
  en: {
    parts: { category: 'the kind', service: 'the service', change: 'the change' },
    status: { concluded: 'concluded', inconclusive: 'not concluded', no_incident: 'nothing unusual' },
    first: (name: string, sure: string) => `The evidence says the same: ${name} (confidence ${sure}).`,
    likeliest: (name: string, sure: string) =>
      `It is the likeliest so far, and not concluded: ${name} (confidence ${sure}).`,
    considered: (rank: string, name: string, sure: string) =>
      `It is hypothesis ${rank} of the diagnosis: ${name} (confidence ${sure}).`,
    refuted: (why: string) => `The evidence speaks against it: ${why}.`,
    near: (rank: string, name: string, sure: string, what: string) =>
      `The nearest hypothesis of the diagnosis is ${rank}, ${name} (confidence ${sure}); it differs in ${what}.`,
    unseen: 'No hypothesis of the diagnosis corresponds to it: nothing that was looked at shows it.',
    unread: 'It names no cause that could be compared: name its kind, the service or the change.',
    nothingAbout: (service: string) => `Nothing that is stored is about ${service}.`,
    leads: (name: string, sure: string, status: string) =>
      `What the evidence says first: ${name} (confidence ${sure}, ${status}).`,
    supports: (ids: string) => `For it: ${ids}.`,
    about: (ids: string) => `About that service, without showing this cause: ${ids}.`,
    refutes: (ids: string) => `Against it, or for another cause: ${ids}.`,
    nothingSupports: 'Nothing stored speaks for it.',
    unknown: (id: string) => `${id} is no evidence of this diagnosis.`,
    citedElsewhere: (id: string, ranks: string) =>
      ranks ? `${id} does not speak for it, but for hypothesis ${ranks}.` : `${id} does not speak for it.`,
    rests:
      'A proposal rests on the evidence alone: naming another cause, or how sure one is of it, changes nothing.',
  },
  zh: {
    parts: { category: '类型', service: '服务', change: '变更' },
    status: { concluded: '已定论', inconclusive: '未定论', no_incident: '无异常' },
    first: (name, sure) => `证据的结论与此相同:${name}(置信度 ${sure})。`,
    likeliest: (name, sure) => `它是目前最可能的假设,但尚未定论:${name}(置信度 ${sure})。`,
    considered: (rank, name, sure) => `它是诊断中的第 ${rank} 个假设:${name}(置信度 ${sure})。`,
    refuted: (why) => `证据不支持它:${why}。`,
    near: (rank, name, sure, what) =>
      `诊断中最接近的是第 ${rank} 个假设:${name}(置信度 ${sure});不同之处:${what}。`,
    unseen: '诊断中没有与之对应的假设:已查看的数据都没有显示它。',
    unread: '其中没有可比较的原因:请说明类型、服务或变更。',
    nothingAbout: (service) => `没有保存任何关于 ${service} 的证据。`,
    leads: (name, sure, status) => `证据首先指向:${name}(置信度 ${sure},${status})。`,
    supports: (ids) => `支持:${ids}。`,
    about: (ids) => `与该服务有关,但没有显示这个原因:${ids}。`,
    refutes: (ids) => `反对,或指向其他原因:${ids}。`,
    nothingSupports: '没有证据支持它。',
    unknown: (id) => `${id} 不是本次诊断的证据。`,
    citedElsewhere: (id, ranks) =>
      ranks ? `${id} 不支持它,而是支持第 ${ranks} 个假设。` : `${id} 不支持它。`,
    rests: '处置建议只依据证据:提出其他原因或其把握程度都不会改变它。',
  },
});
