import { apiRoutes } from '../../../shared/api-routes.ts';
import type { MovingIn, StartImport } from '../../../shared/moving-in.ts';
import { defineUserCall } from '../../api/call.ts';

export const getMovingIn = defineUserCall<void, MovingIn>('GET', apiRoutes.movingIn);

export const startImport = defineUserCall<StartImport, MovingIn>('POST', apiRoutes.movingIn);

/** Stops the import that is running, and erases the uploaded file. */
export const stopImport = defineUserCall<void, null>('DELETE', apiRoutes.movingIn);

/** Erases a channel that moved in. */
export const undoImport = defineUserCall<string, null>('DELETE', apiRoutes.movedIn);
