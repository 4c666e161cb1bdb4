import { limits } from '../../shared/limits.ts';

/** Periods in milliseconds. */
export const dayMs = 86_400_000;

/** How long deleted comments and channels can be restored. */
export const trashMs = limits.trashDays * dayMs;

/** How long the deletion of an account can be cancelled. */
export const deletionMs = limits.deletionDays * dayMs;
