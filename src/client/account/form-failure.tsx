import type { Failure } from '../api/api.ts';
import { Alert } from '../components/notice.tsx';
import { failureText } from './account-call.ts';
import { accountTexts } from './account-texts.ts';

/** The server's reason for a failure, unless it is the text that the error modal shows anyway. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  if (!failure || failureText(failure) === accountTexts.wrongData) return null;
  return <Alert>{failureText(failure)}</Alert>;
}
