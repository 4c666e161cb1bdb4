import type { DemoData } from './demo-data.ts';
import { inWords, median, type Section, verdict } from './section.ts';
import { startServer, temporaryFolder } from './server.ts';

const starts = 7;
const goalMs = 700;

/** From the start of the process to the first page, on a folder that exists. */
export async function start(data: DemoData): Promise<Section[]> {
  const { folder, remove } = await temporaryFolder(data.folder);
  const times: number[] = [];
  for (let i = 0; i < starts; i++) {
    const startMs = performance.now();
    const server = await startServer(folder);
    await (await fetch(`http://127.0.0.1:${server.port}/`)).text();
    times.push(performance.now() - startMs);
    await server.stop();
  }
  await remove();
  const medianMs = median(times);
  return [
    {
      title: 'Start',
      columns: ['what', 'median', 'quickest', 'goal'],
      rows: [
        [
          'start to first page, built',
          inWords.ms(medianMs),
          inWords.ms(Math.min(...times)),
          verdict(`<= ${goalMs} ms`, medianMs <= goalMs),
        ],
      ],
      notes: `${starts} starts on a folder that exists, files in the system's cache.`,
    },
  ];
}
