import { Failure } from '../api/failures.ts';
import { showStatus } from './status-bar.tsx';

/**
 * Does what was asked for without a form; the status bar says why it failed.
 * @param failed what has failed, before the reason
 * @returns whether it succeeded
 */
export async function attempt(failed: string, action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    showStatus({ text: `${failed} ${error.text}` });
    return false;
  }
}
