import { columns, named } from './figures.ts';
import { defineTopic, report } from './topic.ts';

const FIRST_PERSON = 1_000;
const NOBODY = 65_534;

export const sessions = defineTopic({
  title: ['Who is logged in', '当前登录的用户'],
  example: ['who is logged in right now?', '现在谁登录着这台机器?'],
  calls: () => [report('sessions')],
  tell([taken], say) {
    const [head, ...rows] = taken?.lines ?? [];
    if (!head || !/NAME\s+LINE/.test(head)) return undefined;
    const names = [...new Set(rows.map((line) => columns(line)[0] ?? ''))];
    return {
      sentence:
        rows.length > 0
          ? say(
              `${rows.length} sessions of ${named(names, say)}.`,
              `有 ${rows.length} 个会话，用户：${named(names, say)}。`,
            )
          : say('`who` lists no session.', '`who` 没有列出任何会话。'),
      lines: rows,
      notes: [
        rows.length === 0 &&
          say(
            'In a container, or without utmp, it would not see one.',
            '在容器里或没有 utmp 时，它看不到会话。',
          ),
      ],
    };
  },
});

export const logins = defineTopic({
  title: ['Last logins', '最近登录'],
  example: ['who logged in last?', '最近谁登录过?'],
  calls: () => [report('logins')],
  tell([taken], say) {
    if (!taken || taken.failed) return undefined;
    const begins = taken.lines.find((line) => line.startsWith('wtmp begins'));
    const rows = taken.lines.filter((line) => /^(?!wtmp|reboot)\S+\s.*\b[A-Z][a-z]{2} +\d/.test(line));
    if (!begins && rows.length === 0) return undefined;
    return {
      sentence: rows[0]
        ? say(
            `Last login on record: ${columns(rows[0]).join(' ')}.`,
            `最近一次登录记录：${columns(rows[0]).join(' ')}。`,
          )
        : say(`No login is on record (${begins}).`, `没有登录记录（${begins}）。`),
      lines: rows,
    };
  },
});

export const users = defineTopic({
  title: ['Users and administrators', '用户与管理员'],
  example: ['which users exist and who has sudo?', '有哪些用户,谁有 sudo 权限?'],
  calls: () => [report('users', { top: 2_000 }), report('admins')],
  tell([all, groups], say) {
    const rows = (all?.lines ?? []).map((line) => line.split(':')).filter((row) => row.length === 7);
    if (rows.length === 0) return undefined;
    const people = rows.filter(
      ([, , id]) => Number(id) === 0 || (Number(id) >= FIRST_PERSON && Number(id) < NOBODY),
    );
    const admins = (groups?.lines ?? []).map((line) => line.split(':')).filter((row) => row.length === 4);
    const able = admins.map(([group, , , members = '']) => `${group}: ${members || say('nobody', '无')}`);
    return {
      sentence: say(
        `${rows.length} users, of whom these may be people: ${named(
          people.map(([name = '']) => name),
          say,
          10,
        )}; groups of administrators: ${able.join('; ') || 'none of sudo, wheel, admin, docker'}.`,
        `共 ${rows.length} 个用户，可能是人的：${named(
          people.map(([name = '']) => name),
          say,
          10,
        )}；管理员组：${able.join('；') || '没有 sudo、wheel、admin、docker 组'}。`,
      ),
      lines: people.map(([name, , id, , , home, shell]) => `${name}  ${id}  ${home}  ${shell}`),
      notes: [
        say(
          '/etc/sudoers can give rights to others besides; it is read only by root.',
          '/etc/sudoers 还可能授权其他人；该文件只有 root 能读。',
        ),
      ],
    };
  },
});
