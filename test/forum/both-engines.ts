import { after, before, describe } from 'node:test';
import { engines, Forum } from './forum.ts';

/** Defines the same tests once for each database engine. */
export function onBothEngines(title: string, define: (forum: () => Forum) => void): void {
  for (const engine of engines) {
    describe(`${title} (${engine})`, () => {
      let forum: Forum;
      before(async () => {
        forum = await Forum.start(engine);
      });
      after(() => forum?.stop());
      define(() => forum);
    });
  }
}
