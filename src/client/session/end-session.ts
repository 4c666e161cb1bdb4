import { apiRoutes } from '../../shared/api-routes.ts';
import { defineCall, send } from '../api/call.ts';
import { type Failure, orFailure } from '../api/failures.ts';

const signOut = defineCall<void, undefined>('POST', apiRoutes.signOut, { keepalive: true });

/** Whether the server has said that it does not know a session. */
export const isForgotten = ({ status, isRefused }: Failure) => status === 401 || isRefused;

/** Ends the session of a token. @returns whether the server does not know it any more */
export async function endToken(token: string): Promise<boolean> {
  const failure = await orFailure(send(signOut, undefined, { token }));
  return !failure || isForgotten(failure);
}
