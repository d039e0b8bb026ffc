import { describe, expect, it } from 'vitest';
import { toErrorRecord } from './app-error.ts';
import { isStoreFailure, storeFailure } from './store-failure.ts';

const thrown = (code: string, more: object = { path: '/home/x' }) =>
  Object.assign(new Error(`${code}: words of the system`), { code, ...more });

describe('storeFailure', () => {
  it.each([
    ['ENOSPC', 'store.full'],
    ['EDQUOT', 'store.full'],
    ['SQLITE_FULL', 'store.full'],
    ['EROFS', 'store.read_only'],
    ['EACCES', 'store.read_only'],
    ['SQLITE_READONLY_DBMOVED', 'store.read_only'],
    ['EMFILE', 'store.failing'],
    ['EIO', 'store.failing'],
    ['SQLITE_IOERR_WRITE', 'store.failing'],
    ['SQLITE_CANTOPEN', 'store.failing'],
    ['SQLITE_CORRUPT_VTAB', 'store.corrupt'],
    ['SQLITE_NOTADB', 'store.corrupt'],
    ['SQLITE_BUSY_SNAPSHOT', 'store.busy'],
  ])('%s is %s, wherever it comes out', (code, ours) => {
    const record = toErrorRecord(thrown(code));
    expect(record).toMatchObject({ code: ours, retry: { again: ours !== 'store.corrupt' } });
    expect(record.message).toMatch(/^\/home\/x: .+ \(\w+\)$/);
    expect(isStoreFailure(record.code)).toBe(ours !== 'store.busy');
  });

  it.each([
    ['a constraint', thrown('SQLITE_CONSTRAINT')],
    ['a program that may not be run', thrown('EACCES', { path: '/bin/x', syscall: 'spawn /bin/x' })],
    ['a port that may not be listened on', thrown('EACCES', { syscall: 'listen', port: 80 })],
    ['a missing file', thrown('ENOENT')],
    ['a defect', new TypeError('x is undefined')],
    ['no error', 'ENOSPC'],
  ])('%s is none', (_, error) => {
    expect(storeFailure(error)).toBeUndefined();
    expect(toErrorRecord(error).code).toBe('internal');
  });
});
