import { after, before } from 'node:test';

/** Sets the time zone of this process for the tests of the file that calls it. */
export function changeTimeZone(zone: string): void {
  const { TZ } = process.env;
  before(() => {
    process.env.TZ = zone;
  });
  after(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });
}
