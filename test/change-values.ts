import { after } from 'node:test';

/** Changes values of an object, such as a timeout, until the test, `describe` or test file that calls it has ended. */
export function changeValues<T extends object>(object: T, values: Partial<T>): void {
  const former = { ...object };
  Object.assign(object, values);
  after(() => Object.assign(object, former));
}
