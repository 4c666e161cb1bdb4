// `npm run bench`: what the project promises of its speed, measured on the demo's own words.
//   npm run bench                  every row of what is promised, ten minutes; writes results.md
//   npm run bench -- reads live    these parts alone, shown and not written down
//   npm run bench -- growth 10000  one that stands alone, with arguments and results of its own
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDemoData } from './demo-data.ts';
import { live } from './live.ts';
import { memory } from './memory.ts';
import { reads } from './reads.ts';
import { renderResults, renderSection } from './results.ts';
import type { Part, Section } from './section.ts';
import { size } from './size.ts';
import { start } from './start.ts';
import { uploads } from './uploads.ts';
import { writes } from './writes.ts';

/** By the name that asks for it, in the order of the results. What brings a browser is loaded last. */
const parts: Record<string, Part> = {
  reads,
  writes,
  live,
  start,
  memory,
  uploads,
  phone: async () => (await import('./phone.ts')).phone(),
  lighthouse: async () => (await import('./lighthouse.ts')).lighthouse(),
  size,
};
/** Only when asked for: nothing is promised of these. */
const onRequest = ['uploads'];

/** Loaded alone, since they bring much. */
const standingAlone: Record<string, (args: string[]) => Promise<unknown>> = {
  growth: async (args) => (await import('./growth.ts')).growth(...args.slice(0, 1).map(Number)),
};

const asked = process.argv.slice(2);
const alone = standingAlone[asked[0] ?? ''];
if (alone) {
  await alone(asked.slice(1));
  process.exit();
}
const unknown = asked.filter((name) => !parts[name]);
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')}; there are ${[...Object.keys(parts), ...Object.keys(standingAlone)].join(', ')}.`,
  );
  process.exit(2);
}

const data = await makeDemoData();
try {
  const sections: Section[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (asked.length > 0 ? !asked.includes(name) : onRequest.includes(name)) continue;
    const measured = await measure(data);
    for (const section of measured) console.log(renderSection(section));
    sections.push(...measured);
  }
  if (asked.length === 0) {
    writeFileSync(path.join(import.meta.dirname, 'results.md'), renderResults(sections));
  }
} finally {
  await data.remove();
}
