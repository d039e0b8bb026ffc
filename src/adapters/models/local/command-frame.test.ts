import { describe, expect, it } from 'vitest';
import { endInLanguage, ownersText } from './command-frame.ts';

const END = '[exit code 0; 0.1 s; now in /srv/app; ran in the bubblewrap sandbox]';

describe('the end of a command', () => {
  it('is said in the language of whoever asked, and what was printed stays as it is', () => {
    expect(endInLanguage(`[exit code 7]\nhello\n${END}`, 'zh')).toBe(
      '[exit code 7]\nhello\n[退出码 0;0.1 秒;当前目录 /srv/app;在 bubblewrap 沙箱里执行]',
    );
    expect(endInLanguage(`hello\n${END}`, 'en')).toBe(`hello\n${END}`);
  });

  it.each([
    [
      '[no output]\n[exit code 1; 2.0 s; now in /; ran on this machine]',
      '[没有输出]\n[退出码 1;2.0 秒;当前目录 /;在本机执行]',
    ],
    ['[ended by SIGTERM; 2.0 s; now in /]', '[被信号 SIGTERM 终止;2.0 秒;当前目录 /]'],
    [
      'x\n[stopped after 5 s: its time was over; 5.0 s; now in /; ran on ssh host web-1]\n[a hint for a model]',
      'x\n[超过 5 秒,已停止;5.0 秒;当前目录 /;在 ssh 主机 web-1 上执行]',
    ],
  ])('%s', (text, chinese) => {
    expect(endInLanguage(text, 'zh')).toBe(chinese);
  });
});

describe('owners', () => {
  const listed = `-rw-r--r-- 1 nobody nogroup 201 Mar  5  2023 e2scrub_all\n`;
  it('are said to be mapped where a sandbox showed them', () => {
    expect(ownersText(listed + END, 'zh')).toMatch(/映射/);
    expect(ownersText(listed + END, 'en')).toMatch(/also root/);
    expect(ownersText(listed + END.replace('in the bubblewrap sandbox', 'on this machine'), 'en')).toBe('');
    expect(ownersText(`-rw-r--r-- 1 app app 1 x\n${END}`, 'en')).toBe('');
  });
});
