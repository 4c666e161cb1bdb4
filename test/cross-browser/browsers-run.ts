import type { TestEvent } from 'node:test/reporters';

/** Reports at the end of a run in which browsers the tests ran. */
export default async function* browsersRun(events: AsyncIterable<TestEvent>) {
  const ran: string[] = [];
  const missing: string[] = [];
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue;
    const name = data.name.replace('in ', '');
    if (data.skip === undefined) ran.push(name);
    else missing.push(`${name} (${data.skip})`);
  }
  yield `\nran in: ${ran.join(', ') || 'no browser'}\n`;
  if (missing.length > 0) yield `did not run in: ${missing.join(', ')}\n`;
}
