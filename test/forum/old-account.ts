import { dayMs } from '../../src/server/system/times.ts';
import type { Forum } from './forum.ts';

/** Makes an account a day older. */
export async function makeOlder({ services }: Forum, { id }: { id: string }): Promise<void> {
  await services.db
    .updateTable('accounts')
    .set((eb) => ({ created_at_ms: eb('created_at_ms', '-', dayMs) }))
    .where('id', '=', id)
    .execute();
}
