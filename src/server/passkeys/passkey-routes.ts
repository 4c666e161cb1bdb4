import type { SessionServices } from '../accounts/session-guard.ts';
import type { App } from '../http/app-type.ts';
import type { Limit } from '../http/rate-limits.ts';

/** Signing in without a password. */
export function passkeyRoutes(_app: App, _services: SessionServices, _limit: Limit): void {}
