import type { Action } from './actions.ts';
import { type AppState, guest } from './state.ts';

export type UserAction = Extract<Action, { type: keyof typeof userActions }>;

const userActions = {
  SET_ERROR: true,
  DELETE_ERROR: true,
  LOGIN_REQUEST: true,
  LOGOUT_REQUEST: true,
  REGISTER_REQUEST: true,
};

export function isUserAction(action: Action): action is UserAction {
  return action.type in userActions;
}

/** The part of the reducer that a page needs before its first paint. */
export function reduceUser(state: AppState, action: UserAction): AppState {
  switch (action.type) {
    case 'SET_ERROR':
      return { ...state, error: true };
    case 'DELETE_ERROR':
      return state.error ? { ...state, error: false } : state;
    case 'LOGIN_REQUEST':
      return { ...state, user: { ...action.user, isLogged: true }, reads: {} };
    case 'LOGOUT_REQUEST':
      return { ...state, user: guest, reads: {} };
    case 'REGISTER_REQUEST':
      // Not signed in yet: the login form that follows is filled in with this e-mail.
      return { ...state, user: { ...action.user, isLogged: false } };
    default:
      return action satisfies never;
  }
}
