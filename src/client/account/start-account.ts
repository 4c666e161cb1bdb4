import type { Dispatch } from 'react';
import { startOutbox } from '../comments/send-outbox.ts';
import type { Action } from '../state/actions.ts';
import { setSessionLostHandler } from './account-call.ts';
import { loseSession } from './use-session.ts';

/** Starts the background work of a signed-in account. @returns a function that stops it */
export function startAccount(userId: string, dispatch: Dispatch<Action>): () => void {
  setSessionLostHandler(() => loseSession(dispatch));
  return startOutbox(userId, dispatch);
}
