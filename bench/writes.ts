import { startForum } from './forum.ts';
import { load } from './load.ts';
import { format, type Section, verdict } from './section.ts';

const seconds = 10;
const warmUpSeconds = 2;
const writers = 8;
const leastPerSecond = 3000;

/** Measures writing comments, each of which is on disk before it is acknowledged. */
export async function writes(): Promise<Section[]> {
  const { server, commentRequests, stop } = await startForum();
  const job = { connections: writers, requests: commentRequests };
  await load(server, { ...job, seconds: warmUpSeconds });
  const { perSecond, cpuMicros, p50Ms, p99Ms } = await load(server, { ...job, seconds });
  await stop();
  return [
    {
      title: 'Writing',
      columns: ['comments/s', 'CPU each', 'p50', 'p99', 'budget'],
      rows: [
        [
          format.count(perSecond),
          format.micros(cpuMicros),
          format.ms(p50Ms),
          format.ms(p99Ms),
          verdict(`>= ${format.count(leastPerSecond)}`, perSecond >= leastPerSecond),
        ],
      ],
      notes: `${writers} writers for ${seconds} s over HTTP; SQLite with \`synchronous = FULL\`.`,
    },
  ];
}
