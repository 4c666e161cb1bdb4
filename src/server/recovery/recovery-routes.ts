import type { SessionServices } from '../accounts/session-guard.ts';
import type { App } from '../http/app-type.ts';
import type { Limit } from '../http/rate-limits.ts';

/** One-use codes to get back into an account. */
export function recoveryRoutes(_app: App, _services: SessionServices, _limit: Limit): void {}
