import type { Failure } from '../api/api.ts';
import { Alert } from '../components/notice.tsx';
import { failureText } from './account-call.ts';
import { accountTexts } from './account-texts.ts';

/** What the error modal leaves out, if the server said more than it does. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  if (!failure || failureText(failure) === accountTexts.wrongData) return null;
  return <Alert>{failureText(failure)}</Alert>;
}
