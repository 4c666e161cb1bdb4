import type { SessionServices } from '../accounts/session-guard.ts';
import type { App } from '../http/app-type.ts';
import type { Limit } from '../http/rate-limits.ts';

/** All that an account wrote and uploaded, as a ZIP. */
export function exportRoutes(_app: App, _services: SessionServices, _limit: Limit): void {}
