import type { Request } from 'autocannon';
import { apiRoutes, pageRoutes } from '../src/shared/routes.ts';
import { commentRequests } from './comments.ts';
import { commentsEach, type DemoData } from './demo-data.ts';
import { get, load, type Measured } from './load.ts';
import { pick } from './pick.ts';
import { inWords, medianOf, type Section, verdict } from './section.ts';
import { type Served, startFloor, startServer, temporaryFolder } from './server.ts';

const rounds = 3;
const seconds = 3;
const warmUpSeconds = 2;
const connections = 32;
const commentsPerSecond = 50;
const asBrowsers = 'gzip, deflate, br, zstd';

interface Read {
  name: string;
  request: Request;
  /** Least share of the floor. */
  goal?: number;
}

/** What is read, and at how much of the floor's pace it should be answered. */
function readsOf({ channelIds }: DemoData): Read[] {
  const channel = pick(channelIds, 0);
  const list = `${apiRoutes.channels}?limit=20&comments=0`;
  const full = `${apiRoutes.channel(channel)}?comments=${commentsEach}`;
  return [
    { name: 'list page, HTML', request: get(pageRoutes.home, asBrowsers), goal: 0.5 },
    {
      name: 'channel page, HTML',
      request: get(pageRoutes.channel(channel), asBrowsers),
      goal: 0.5,
    },
    { name: 'list, JSON', request: get(list), goal: 0.6 },
    { name: 'channel, JSON', request: get(full), goal: 0.6 },
    { name: 'list page, HTML, not compressed', request: get(pageRoutes.home) },
    { name: 'channel page, HTML, not compressed', request: get(pageRoutes.channel(channel)) },
  ];
}

/** Reading from a forum where nothing happens, then from one where people write. */
export async function reads(data: DemoData): Promise<Section[]> {
  const floor = await startFloor('http-floor.ts');
  const all: Read[] = readsOf(data);
  const quiet = new Map<Read, Measured[]>(all.map((read) => [read, []]));
  const busy = new Map<Read, Measured[]>(all.slice(0, 4).map((read) => [read, []]));
  const floors: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    await onCopy(data, async (server) => {
      floors.push(await measure(floor, get('/')));
      for (const [read, measured] of quiet) measured.push(await measure(server, read.request));
    });
    // Each on a copy of its own, so that none reads what another's writers have added.
    for (const [read, measured] of busy) {
      await onCopy(data, async (server) => measured.push(await whileWriting(server, data, read)));
    }
  }
  await floor.stop();
  return [quietTable(floors, quiet), busyTable(quiet, busy)];
}

async function onCopy(data: DemoData, use: (server: Served) => Promise<unknown>): Promise<void> {
  const { folder, remove } = await temporaryFolder(data.folder);
  const server = await startServer(folder);
  await use(server);
  await server.stop();
  await remove();
}

async function measure(server: Served, request: Request): Promise<Measured> {
  await load(server, { connections, seconds: warmUpSeconds, requests: [request] });
  return load(server, { connections, seconds, requests: [request] });
}

async function whileWriting(server: Served, data: DemoData, { request }: Read): Promise<Measured> {
  await load(server, { connections, seconds: warmUpSeconds, requests: [request] });
  const [measured] = await Promise.all([
    load(server, { connections, seconds, requests: [request] }),
    load(server, {
      connections: 8,
      seconds,
      requests: commentRequests(data),
      perSecond: commentsPerSecond,
    }),
  ]);
  return measured;
}

function quietTable(floors: Measured[], quiet: Map<Read, Measured[]>): Section {
  const floorPerSecond = medianOf(floors, ({ perSecond }) => perSecond);
  const floorCpu = medianOf(floors, ({ cpuMicros }) => cpuMicros);
  const row = (name: string, measured: Measured[], goal?: number) => {
    const share = medianOf(measured, ({ perSecond }) => perSecond) / floorPerSecond;
    const cpu = medianOf(measured, ({ cpuMicros }) => cpuMicros);
    // The generator may hold the floor up; processor time says what the server itself takes.
    const isMet = goal !== undefined && Math.min(share, floorCpu / cpu) >= goal;
    return [
      name,
      inWords.count(share * floorPerSecond),
      inWords.percent(share),
      inWords.micros(cpu),
      inWords.percent(floorCpu / cpu),
      inWords.ms(medianOf(measured, ({ p99Ms }) => p99Ms)),
      goal === undefined ? '' : verdict(`>= ${inWords.percent(goal)}`, isMet),
    ];
  };
  return {
    title: 'Reading',
    columns: [
      'what',
      'answers/s',
      'of the floor',
      'CPU an answer',
      'floor’s CPU of it',
      'p99',
      'goal',
    ],
    rows: [
      row('floor: bare `node:http`, 10 kB', floors),
      ...[...quiet].map(([read, measured]) => row(read.name, measured, read.goal)),
    ],
    notes:
      `${connections} connections, kept alive, each asking anew when it has its answer; ` +
      `${seconds} s after ${warmUpSeconds} s of warming up; medians of ${rounds} rounds in turn. ` +
      `HTML with \`accept-encoding: ${asBrowsers}\`. A goal is reached when both shares are.`,
  };
}

function busyTable(quiet: Map<Read, Measured[]>, busy: Map<Read, Measured[]>): Section {
  return {
    title: `Reading while ${commentsPerSecond} comments a second are written`,
    columns: ['what', 'answers/s', 'of undisturbed', 'CPU an answer', 'p99', 'goal'],
    rows: [...busy].map(([read, measured]) => {
      const perSecond = medianOf(measured, (one) => one.perSecond);
      const share = perSecond / medianOf(quiet.get(read) ?? [], (one) => one.perSecond);
      const p99Ms = medianOf(measured, (one) => one.p99Ms);
      return [
        read.name,
        inWords.count(perSecond),
        inWords.percent(share),
        inWords.micros(medianOf(measured, (one) => one.cpuMicros)),
        inWords.ms(p99Ms),
        verdict('>= 50 %, p99 < 25 ms', share >= 0.5 && p99Ms < 25),
      ];
    }),
    notes:
      'Written through the API, to the fifty channels in turn; their processor time is included.',
  };
}
