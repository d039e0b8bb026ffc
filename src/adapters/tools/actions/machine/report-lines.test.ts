import { describe, expect, it } from 'vitest';
import { reportLines } from './report-lines.ts';

const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0000 100 0 0 10 0
   1: 020012C0:0016 0A0012C0:D431 01 00000000:00000000 00:00000000 00000000     0        0 2 1 0000 20 4 30 10 -1
   2: 020012C0:0016 0B0012C0:D432 06 00000000:00000000 00:00000000 00000000     0        0 3 1 0000 20 4 30 10 -1
   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4 1 0000 100 0 0 10 0
   1: 0000000000000000FFFF00000100007F:01BB 0000000000000000FFFF00000100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 5 1 0000 20 4 30 10 -1
`;

describe('reportLines', () => {
  it('reads what the kernel tells about TCP', () => {
    expect(reportLines(TCP, 'sockets')).toEqual(['tcp LISTEN 127.0.0.1:8080', 'tcp LISTEN [::]:80']);
    expect(reportLines(TCP, 'connection_counts')).toEqual([
      'state 2 LISTEN',
      'state 2 ESTABLISHED',
      'state 1 TIME_WAIT',
      'remote 1 192.18.0.10',
      'remote 1 127.0.0.1',
      'port 1 22',
      'port 1 443',
    ]);
    expect(reportLines('garbled\n', 'connection_counts')).toEqual([]);
  });

  it('counts processes before it says that none is a zombie', () => {
    const head = 'S     PID    PPID USER     ELAPSED COMMAND';
    const rows = ['S       1       0 root      100 init', 'Z       9       1 app        50 worker <defunct>'];
    expect(reportLines([head, ...rows].join('\n'), 'zombies')).toEqual(['processes: 2', head, rows[1]]);
    expect(reportLines('nothing of the kind', 'zombies')).toEqual([]);
  });

  it('counts the open files of each process', () => {
    expect(reportLines('/proc/7/fd\n/proc/8/fd\n/proc/8/fd\n/proc/x\n', 'open_files')).toEqual([
      '2 8',
      '1 7',
    ]);
  });
});
