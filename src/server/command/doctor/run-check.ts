import { DatabaseUnavailable } from '../../database/errors.ts';
import { type Finding, fix } from '../../finding.ts';
import { StoreUnavailable } from '../../images/stores/errors.ts';
import { OperatorError } from '../../operator-error.ts';

/** Runs a check; an error that it throws becomes a finding to fix. */
export async function runCheck(subject: string, check: () => Promise<Finding>): Promise<Finding> {
  try {
    return await check();
  } catch (error) {
    const isUnavailable = error instanceof DatabaseUnavailable || error instanceof StoreUnavailable;
    if (isUnavailable && error.advice) return fix(subject, error.advice);
    if (error instanceof OperatorError) return fix(subject, error.message);
    const causes = [];
    for (let cause = error; cause instanceof Error; cause = cause.cause) causes.push(cause.message);
    return fix(subject, causes.filter((text) => text !== '').join(': ') || 'it fails');
  }
}
