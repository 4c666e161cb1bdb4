import { after, before, describe } from 'node:test';
import { type Engine, engines, Forum } from './forum.ts';

/**
 * Defines the same tests once for each database engine.
 * @param define its second argument advances the forum's clock by milliseconds
 */
export function onBothEngines(
  title: string,
  define: (forum: () => Forum, wait: (ms: number) => void, engine: Engine) => void,
): void {
  for (const engine of engines) {
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
}
