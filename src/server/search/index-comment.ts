import type { Database } from '../database/tables.ts';

interface Place {
  channelId: string;
  number: number;
}

/** Makes a comment found by the words of this text, in the transaction that stores it. */
export async function indexComment(_trx: Database, _place: Place, _text: string): Promise<void> {}

/** Makes a comment no longer found. It keeps its place in the order for the case that it is restored. */
export async function unindexComment(_trx: Database, _place: Place): Promise<void> {}
