import type { TestEvent } from 'node:test/reporters';

interface Row {
  title: string;
  outcome: string;
  figures: string[];
}

/** Reports at the end of a run, in one table, what each fault came to, with the figures it told. */
export default async function* faultTable(events: AsyncIterable<TestEvent>) {
  const rows = new Map<string, Row>();
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail' && type !== 'test:diagnostic') continue;
    if (!data.file?.endsWith('.fault.ts')) continue;
    // Figures name the place of the test that told them, not its title.
    const place = `${data.file}:${data.line}:${data.column}`;
    if (type === 'test:diagnostic') {
      rows.get(place)?.figures.push(data.message);
      continue;
    }
    if (data.details.type === 'suite') continue;
    const skipped = data.skip === undefined ? '' : `skipped: ${data.skip}`;
    const outcome = skipped || (type === 'test:pass' ? 'ok' : 'FAILED');
    rows.set(place, { title: data.name, outcome, figures: [] });
  }
  yield '\n| fault | outcome | figures |\n|---|---|---|\n';
  for (const { title, outcome, figures } of rows.values()) {
    yield `| ${title} | ${outcome} | ${figures.join('; ')} |\n`;
  }
}
