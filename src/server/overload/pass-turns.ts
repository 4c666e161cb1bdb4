/** Turns of a short rest, between pieces of work that take a few milliseconds. */
const someTurns = 16;
/** Turns of a rest between pieces that take tens of milliseconds: half of the connections of one client are accepted. */
export const manyTurns = 128;

/**
 * Waits for some turns of the event loop, which take microseconds when nothing else is pending. Call it
 * between pieces of work that take milliseconds: answering another request takes several turns, and Node
 * accepts only one new connection in each.
 */
export function passTurns(turns = someTurns): Promise<void> {
  return new Promise((resolve) => {
    let passed = 0;
    const next = () => {
      if (passed++ === turns) resolve();
      else setImmediate(next);
    };
    next();
  });
}
