const turns = 16;

/**
 * Waits some turns of the event loop, which cost microseconds when nothing else is to be done. Call it between
 * pieces of work of milliseconds: answering another request takes several turns, and in each of them Node
 * accepts one new connection only.
 */
export function passTurns(): Promise<void> {
  return new Promise((resolve) => {
    let passed = 0;
    const next = () => {
      if (passed++ === turns) resolve();
      else setImmediate(next);
    };
    next();
  });
}
