import type { Language } from '#kit/language';

const en = {
  list: 'who is listed in users.yaml',
  add: 'add somebody; their token is printed once and kept nowhere',
  remove: 'remove somebody',
  role: 'viewer, operator, approver or admin',
  added: (user: string, role: string) =>
    `This is the token of ${user} (${role}); only its hash is kept. It holds when the server has started again.`,
  removed: (user: string) => `${user} is removed. It holds when the server has started again.`,
  own: 'may agree as a person',
  inHome: 'its token lies in .env: it agrees to nothing',
  none: 'Nobody is listed: hermes users add <user>',
};

type UsersText = typeof en;

const zh: UsersText = {
  list: '列出 users.yaml 中的用户',
  add: '添加用户;令牌只显示一次,不会保存',
  remove: '移除用户',
  role: 'viewer、operator、approver 或 admin',
  added: (user, role) => `这是 ${user}(${role})的令牌,只保存其哈希。重启服务后生效。`,
  removed: (user) => `已移除 ${user}。重启服务后生效。`,
  own: '可以本人身份批准',
  inHome: '令牌存放在 .env 中,不能用于批准',
  none: '没有用户:hermes users add <user>',
};

export const usersText: Readonly<Record<Language, UsersText>> = { en, zh };
