import type { TestEvent } from 'node:test/reporters';

interface Row {
  title: string;
  outcome: string;
  figures: string[];
}

/** Reports at the end of a run, in one table, what each fault came to, with the figures it told. */
export default async function* faultTable(events: AsyncIterable<TestEvent>) {
  const rows: Row[] = [];
  /** The last one of each place: tests of a loop share theirs, and each is followed by its figures. */
  const lastAt = new Map<string, Row>();
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail' && type !== 'test:diagnostic') continue;
    if (!data.file?.endsWith('.fault.ts')) continue;
    // Figures name the place of the test that told them, not its title.
    const place = `${data.file}:${data.line}:${data.column}`;
    if (type === 'test:diagnostic') {
      lastAt.get(place)?.figures.push(data.message);
      continue;
    }
    if (data.details.type === 'suite') continue;
    const skipped = data.skip === undefined ? '' : `skipped: ${data.skip}`;
    const outcome = skipped || (type === 'test:pass' ? 'ok' : 'FAILED');
    const row = { title: data.name, outcome, figures: [] };
    rows.push(row);
    lastAt.set(place, row);
  }
  yield '\n| fault | outcome | figures |\n|---|---|---|\n';
  for (const { title, outcome, figures } of rows) {
    yield `| ${title} | ${outcome} | ${figures.join('; ')} |\n`;
  }
}
