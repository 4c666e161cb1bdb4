import type { Action } from './actions.ts';
import { type AppState, guest } from './state.ts';

type UserAction = Extract<
  Action,
  {
    type: 'SET_ERROR' | 'DELETE_ERROR' | 'LOGIN_REQUEST' | 'LOGOUT_REQUEST' | 'REGISTER_REQUEST';
  }
>;

export function reduceUser(state: AppState, action: UserAction): AppState {
  switch (action.type) {
    case 'SET_ERROR':
      return { ...state, error: true };
    case 'DELETE_ERROR':
      return state.error ? { ...state, error: false } : state;
    case 'LOGIN_REQUEST':
      return {
        ...state,
        user: { ...action.user, isLogged: true },
        wasSignedIn: true,
        reads: {},
      };
    case 'LOGOUT_REQUEST':
      return { ...state, user: guest, reads: {} };
    case 'REGISTER_REQUEST':
      // The account is not signed in yet: the login form is filled in with its e-mail address.
      return { ...state, user: { ...action.user, isLogged: false } };
    default:
      return action satisfies never;
  }
}
