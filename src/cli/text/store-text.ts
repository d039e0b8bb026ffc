import type { Language } from '#kit/language';
import type { StoreName } from '#spec/data';

/** What is damaged, and how it is mended. */
interface DamageText {
  readonly title: string;
  readonly hint: (path: string) => string;
}

const move = (path: string): string => `hermes stop; mkdir -p damaged && mv '${path}'* damaged/`;

/** The words for a damaged file of a home, by what it holds. Every command in them exists. */
export const damageText: Record<Language, Record<StoreName, DamageText>> = {
  en: {
    sessions: {
      title: 'The conversations (state.db) are damaged',
      hint: () => 'hermes sessions repair saves what can still be read and keeps the damaged file.',
    },
    ledger: {
      title: 'The audit log and the approvals (ledger.db) are damaged',
      hint: (path) =>
        `Nothing that has to be recorded is done until this is mended. ${move(path)} puts it and its head aside (keep them: they are evidence), and Hermes begins a new one; approvals that were open are asked for again.`,
    },
    memory: {
      title: 'The long-term memory (memory.db) is damaged',
      hint: (path) =>
        `${move(path)} puts it aside, and Hermes begins a new one; the notebooks in memories/ are files of their own and stay.`,
    },
    incidents: {
      title: 'The incidents (incidents.db) are damaged',
      hint: (path) =>
        `${move(path)} puts it aside, and Hermes begins a new one; hermes incident import brings exported incidents back, and alerts that still fire come again by themselves.`,
    },
    flows: {
      title: 'The journal of running work (flows.db) is damaged',
      hint: (path) =>
        `Look first whether something was being carried out: hermes incident list. ${move(path)} puts it aside; open incidents are looked at again from what incidents.db holds.`,
    },
    learning: {
      title: 'The book of experiences (learning.db) is damaged',
      hint: (path) =>
        `${move(path)} puts it aside, and Hermes begins a new one; the skills are files of their own and stay.`,
    },
    telemetry: {
      title: 'The stored telemetry is damaged',
      hint: () => 'Start Hermes again: it puts the file aside and begins a new one.',
    },
  },
  zh: {
    sessions: {
      title: '会话数据(state.db)已损坏',
      hint: () => 'hermes sessions repair 可恢复仍能读取的内容,并保留损坏的文件。',
    },
    ledger: {
      title: '审计日志与审批记录(ledger.db)已损坏',
      hint: (path) =>
        `修复之前,凡须留痕的操作都不会执行。${move(path)} 可将其连同 head 文件移走(请妥善保留,这是证据),Hermes 会另建新文件;未决的审批须重新申请。`,
    },
    memory: {
      title: '长期记忆(memory.db)已损坏',
      hint: (path) => `${move(path)} 可将其移走,Hermes 会另建新文件;memories/ 中的笔记是独立文件,不受影响。`,
    },
    incidents: {
      title: '事故数据(incidents.db)已损坏',
      hint: (path) =>
        `${move(path)} 可将其移走,Hermes 会另建新文件;hermes incident import 可导回已导出的事故,仍在触发的告警会自行再次送达。`,
    },
    flows: {
      title: '运行日志(flows.db)已损坏',
      hint: (path) =>
        `请先查看是否有动作正在执行:hermes incident list。${move(path)} 可将其移走;未结束的事故会根据 incidents.db 重新处理。`,
    },
    learning: {
      title: '经验库(learning.db)已损坏',
      hint: (path) => `${move(path)} 可将其移走,Hermes 会另建新文件;技能是独立文件,不受影响。`,
    },
    telemetry: {
      title: '遥测数据已损坏',
      hint: () => '请重新启动 Hermes:它会移走该文件并另建新文件。',
    },
  },
};
