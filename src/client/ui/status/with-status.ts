import { Failure } from '../../api/failures.ts';
import { type Status, showStatus } from './status-bar.tsx';

/**
 * Does what was asked for without a form. The status bar says what came of it.
 * @param failed what has failed, before the reason
 * @param action returns what to say once it is done, if anything
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
