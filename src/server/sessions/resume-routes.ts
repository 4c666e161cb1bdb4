import type { SessionServices } from '../accounts/session-guard.ts';
import type { App } from '../http/app-type.ts';
import type { Limit } from '../http/rate-limits.ts';

/** Opens sessions for browsers that stay signed in, and forgets them. */
export function resumeRoutes(_app: App, _services: SessionServices, _limit: Limit): void {}
