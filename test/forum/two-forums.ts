import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, afterEach, before } from 'node:test';
import { engines, Forum, type Person } from './forum.ts';

export interface Visit {
  forum: Forum;
  person: Person;
}

/**
 * A forum on each engine, for tests in which both must give the same responses. Each test fails when
 * an error was logged or `Object.prototype` was changed.
 */
export function twoForums() {
  const forums: Forum[] = [];
  const visits: Visit[] = [];
  const logged: string[] = [];
  const log = new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      logged.push(line);
      done();
    },
  });
  const untouched = Reflect.ownKeys(Object.prototype);

  before(async () => {
    // One after the other, so that forums that started are stopped when another fails to start.
    for (const engine of engines) {
      const forum = await Forum.start(engine, {}, {}, log);
      forums.push(forum);
      visits.push({ forum, person: await forum.person() });
    }
  });
  after(() => Promise.all(forums.map((forum) => forum.stop())));
  afterEach(() => {
    assert.deepEqual(logged.splice(0), []);
    assert.deepEqual(Reflect.ownKeys(Object.prototype), untouched);
  });

  /** Does the same on both engines and compares the results. @returns the common result */
  return async function onBoth<T>(act: (visit: Visit) => Promise<T>): Promise<T> {
    const [first, second] = await Promise.all(visits.map(act));
    assert.deepEqual(second, first);
    return first as T;
  };
}
