import { Failure } from '../../api/failures.ts';
import { type Status, showStatus } from './status-bar.tsx';

/**
 * Performs an action without a form. The status bar shows the result.
 * @param failed message for a failure, shown before its reason
 * @param action returns the message for success, if any
 * @returns whether it succeeded
 */
export async function withStatus(
  failed: string,
  action: () => Promise<Status> | Promise<void>,
): Promise<boolean> {
  try {
    const said = await action();
    if (said) showStatus(said);
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    showStatus({ text: `${failed} ${error.text}` });
    return false;
  }
}
