import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export interface Memory {
  /** Resident bytes, shared pages counted in each process. */
  rss: number;
  /** Resident bytes, shared pages divided among those who share them. */
  pss: number;
}

/** What a process and all its descendants have used of the processor, in microseconds. */
export function cpuMicros(pid: number): number {
  return sum(tree(pid), (one) => {
    const stat = read(`/proc/${one}/stat`);
    // The name, in parentheses, may hold spaces; utime and stime are the 12th and 13th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
  });
}

/** Memory of a process and all its descendants, as the kernel tells it. */
export function memoryOf(pid: number): Memory {
  const pids = tree(pid);
  const kilobytes = (name: string) =>
    sum(pids, (one) =>
      Number(
        new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(`/proc/${one}/smaps_rollup`))?.[1] ?? 0,
      ),
    );
  return { rss: kilobytes('Rss') * 1024, pss: kilobytes('Pss') * 1024 };
}

function tree(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(tree)];
}

function read(file: string): string {
  return readFileSync(file, 'utf8');
}

function sum(pids: number[], figure: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + figure(pid), 0);
}
