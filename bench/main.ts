// npm run bench                 measures every section in half an hour and writes results.md
// npm run bench -- reads live   measures these sections and only prints them
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { comments } from './comments.ts';
import { dates } from './dates.ts';
import { growth } from './growth.ts';
import { bringing } from './import.ts';
import { live } from './live.ts';
import { memory } from './memory.ts';
import { phone } from './phone.ts';
import { reads } from './reads.ts';
import { search } from './search.ts';
import { renderResults, renderSection, type Section } from './section.ts';
import { size } from './size.ts';
import { start } from './start.ts';
import { upgrade } from './upgrade.ts';
import { uploads } from './uploads.ts';
import { writes } from './writes.ts';

const measures: Record<string, () => Promise<Section[]>> = {
  start,
  memory,
  reads,
  writes,
  live,
  uploads,
  phone,
  comments,
  dates,
  growth,
  search,
  import: bringing,
  upgrade,
  size,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(measures, name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Choose from ${Object.keys(measures).join(', ')}.`);
  process.exit(2);
}

const sections: Section[] = [];
for (const [name, measure] of Object.entries(measures)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const measured = await measure();
  for (const section of measured) console.log(renderSection(section));
  sections.push(...measured);
}
if (names.length === 0) {
  writeFileSync(path.join(import.meta.dirname, 'results.md'), renderResults(sections));
}
