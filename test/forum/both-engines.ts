import { after, before, describe } from 'node:test';
import { type Engine, engines, Forum } from './forum.ts';

/** @param wait advances the forum's clock by milliseconds */
type Define = (forum: () => Forum, wait: (ms: number) => void, engine: Engine) => void;

/** Defines the same tests once for each database engine. */
export function onBothEngines(title: string, define: Define): void {
  for (const engine of engines) onEngine(engine, title, define);
}

/**
 * For behaviour that does not depend on the engine once its queries, which other tests run on both, return the same
 * rows.
 */
export function onEngine(engine: Engine, title: string, define: Define): void {
  describe(`${title} (${engine})`, () => {
    let forum: Forum;
    let aheadMs = 0;
    before(async () => {
      forum = await Forum.start(engine, {}, { now: () => Date.now() + aheadMs });
    });
    after(() => forum?.stop());
    define(
      () => forum,
      (ms) => {
        aheadMs += ms;
      },
      engine,
    );
  });
}
