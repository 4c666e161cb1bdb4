import { OperatorError } from '../../../system/operator-error.ts';
import { describeFailure } from '../failures.ts';
import type { AdminContext } from './with-admin.ts';

/**
 * Changes each account or other subject of a command, in turn. If there are several, one that fails is named with its
 * reason, and the others are done.
 * @param subjects all of them by how they were typed, so that a typing error is found before the first is changed
 * @throws OperatorError with those that failed
 */
export async function forEachOf<T>(
  { print }: Pick<AdminContext, 'print'>,
  subjects: Map<string, T>,
  change: (subject: T, typed: string) => Promise<void>,
): Promise<void> {
  const failed: string[] = [];
  for (const [typed, subject] of subjects) {
    try {
      await change(subject, typed);
    } catch (error) {
      const reason = describeFailure(error);
      if (subjects.size === 1 || typeof reason !== 'string') throw error;
      failed.push(typed);
      print(`${typed}: ${reason}`);
    }
  }
  if (failed.length > 0) throw new OperatorError(`Not done: ${failed.join(' ')}`);
}
