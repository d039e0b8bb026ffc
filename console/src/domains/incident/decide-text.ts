import { defineText } from '../language/define-text.ts';

export const decideText = defineText({
  en: {
    approve: 'Approve…',
    reject: 'Reject…',
    approveTitle: 'Approve this action',
    rejectTitle: 'Reject this action',
    approveAndRun: 'Approve and run',
    rejectWhat:
      'Nothing is carried out. The incident is left to a person, and this action is not proposed again.',
    mayNot: 'Your role may look at this, and not decide it: an approver can.',
    willDo: 'This will do',
    diff: 'What changes',
    until: 'It can be decided until:',
    again: 'It is rehearsed again right before it runs, and refused if anything has changed since.',
    confirmLabel: (word: string) => `Type ${word} to confirm`,
    confirmHint: 'A rule asks for a second confirmation of this action.',
  },
  zh: {
    approve: '批准…',
    reject: '拒绝…',
    approveTitle: '批准此操作',
    rejectTitle: '拒绝此操作',
    approveAndRun: '批准并执行',
    rejectWhat: '不会执行任何操作。事故交由人工处理，该操作不会再次提出。',
    mayNot: '您的角色只能查看，不能审批：需要审批人。',
    willDo: '将会执行',
    diff: '变更内容',
    until: '审批截止：',
    again: '执行前会再次预演，若期间有任何变化则拒绝执行。',
    confirmLabel: (word) => `输入 ${word} 以确认`,
    confirmHint: '规则要求对此操作进行二次确认。',
  },
});
