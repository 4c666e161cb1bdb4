import type { SessionServices } from '../accounts/session-guard.ts';
import type { App } from '../http/app-type.ts';
import type { Limit } from '../http/rate-limits.ts';

/** Where an account is signed in. */
export function sessionRoutes(_app: App, _services: SessionServices, _limit: Limit): void {}
