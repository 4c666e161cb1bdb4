import type { SessionServices } from '../accounts/session-guard.ts';
import type { App } from '../http/app-type.ts';
import type { Limit } from '../http/rate-limits.ts';

/** Changes of name, e-mail address and password by their owner. */
export function settingsRoutes(_app: App, _services: SessionServices, _limit: Limit): void {}
