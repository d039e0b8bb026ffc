import type { StoredMessage } from '#spec/data';
import type { Connection } from './connection.ts';
import { type MessageRow, unpackMessage } from './message-row.ts';

/** Turns rows into messages and puts their images back. */
export function messageReader(connection: Connection): (row: MessageRow) => StoredMessage {
  const data = connection.prepare<[string], Buffer>('SELECT data FROM blobs WHERE hash = ?').pluck();
  return (row) => unpackMessage(row, (hash) => data.get(hash));
}
