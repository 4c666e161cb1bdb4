import { OperatorError } from '../../../system/operator-error.ts';
import { describeFailure } from '../failures.ts';
import type { AdminContext } from './with-admin.ts';

/**
 * Changes each account or other subject of a command in turn. If there are several, a failure is printed with its
 * reason, and the others are still changed.
 * @param subjects all subjects by their typed form, found beforehand so that a typing error stops the whole command
 * @throws OperatorError naming the subjects that failed
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
