import type { TestEvent } from 'node:test/reporters';

interface Row {
  title: string;
  outcome: string;
  seconds: number;
  figures: string[];
}

/** Reports the outcome, duration and diagnostics of every fault test as one table at the end of a run. */
export default async function* faultTable(events: AsyncIterable<TestEvent>) {
  const rows: Row[] = [];
  /** The last row of each source position: tests in a loop share one, and diagnostics follow their test. */
  const lastAt = new Map<string, Row>();
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail' && type !== 'test:diagnostic') continue;
    if (!data.file?.endsWith('.fault.ts')) continue;
    // Diagnostics carry the position of their test, not its title.
    const position = `${data.file}:${data.line}:${data.column}`;
    if (type === 'test:diagnostic') {
      lastAt.get(position)?.figures.push(data.message);
      continue;
    }
    if (data.details.type === 'suite') continue;
    const skipped = data.skip === undefined ? '' : `skipped: ${data.skip}`;
    const outcome = skipped || (type === 'test:pass' ? 'ok' : 'FAILED');
    const seconds = Math.round(data.details.duration_ms / 1000);
    const row = { title: data.name, outcome, seconds, figures: [] };
    rows.push(row);
    lastAt.set(position, row);
  }
  yield '\n| fault | outcome | seconds | figures |\n|---|---|---|---|\n';
  for (const { title, outcome, seconds, figures } of rows) {
    yield `| ${title} | ${outcome} | ${seconds} | ${figures.join('; ')} |\n`;
  }
}
