import { OperatorError } from '../../operator-error.ts';
import { describeFailure } from '../failures.ts';
import type { AdminContext } from './with-admin.ts';

/**
 * Does the same to each account or other subject of a command, in turn. If there are several, one that fails
 * is named with its reason, and the others are done.
 * @throws OperatorError with the number that failed
 */
export async function forEachOf(
  { print }: Pick<AdminContext, 'print'>,
  subjects: string[],
  work: (subject: string) => Promise<void>,
): Promise<void> {
  const all = [...new Set(subjects)];
  const [first, ...others] = all;
  if (first !== undefined && others.length === 0) return work(first);
  const failed: string[] = [];
  for (const subject of all) {
    try {
      await work(subject);
    } catch (error) {
      const reason = describeFailure(error);
      if (typeof reason !== 'string') throw error;
      failed.push(subject);
      print(`${subject}: ${reason}`);
    }
  }
  if (failed.length > 0) throw new OperatorError(`Not done: ${failed.join(' ')}`);
}
