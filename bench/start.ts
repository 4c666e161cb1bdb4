import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { format, median, type Section, verdict } from './section.ts';
import { startServer } from './server.ts';

const starts = 7;
const budgetMs = 700;

/** Measures the time from the start of the process to the first page. */
export async function start(): Promise<Section[]> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tertulia-bench-'));
  await (await startServer({ DATA_DIR: dataDir })).stop();
  const timesMs: number[] = [];
  for (let i = 0; i < starts; i++) {
    const startMs = performance.now();
    const server = await startServer({ DATA_DIR: dataDir });
    await (await fetch(server.url)).arrayBuffer();
    timesMs.push(performance.now() - startMs);
    await server.stop();
  }
  await rm(dataDir, { recursive: true, force: true });
  const medianMs = median(timesMs);
  return [
    {
      title: 'Start',
      columns: ['start to first page, median', 'fastest', 'budget'],
      rows: [
        [
          format.ms(medianMs),
          format.ms(Math.min(...timesMs)),
          verdict(`<= ${format.ms(budgetMs)}`, medianMs <= budgetMs),
        ],
      ],
      notes: `${starts} starts of the built server on an existing database, after one that is not counted.`,
    },
  ];
}
