export const dayMs = 86_400_000;
/** Sessions and remembered browsers end then, also when they are in use. */
export const longestMs = 365 * dayMs;
