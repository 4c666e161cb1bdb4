import type { SessionServices } from '../accounts/session-guard.ts';
import type { App } from '../http/app-type.ts';
import type { Limit } from '../http/rate-limits.ts';

/** Deletion of an account by its owner. */
export function erasureRoutes(_app: App, _services: SessionServices, _limit: Limit): void {}
